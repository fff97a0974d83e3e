import Host
import PostgreSQL

/// One of the migrations that are measured: a table and an index.
struct BenchMigration {
  /// From 1.
  let number: Int

  static let count = 200
  static let all = (1...count).map(BenchMigration.init)

  /// `0001`, so that names sort as numbers do.
  var version: String { String(repeating: "0", count: 4 - "\(number)".count) + "\(number)" }
  var table: String { "bench_\(version)" }

  var up: String {
    """
    CREATE TABLE \(table) (id bigint NOT NULL, name text, created_at timestamptz NOT NULL DEFAULT now());
    CREATE INDEX \(table)_id ON \(table) (id);

    """
  }

  var down: String { "DROP TABLE \(table);\n" }
}

extension Workbench {
  /// Makes a folder of the scratch folder and gives its path.
  func makeFolder(_ name: String) throws -> String {
    let folder = path(name)
    try Files.makeDirectory(folder)
    return folder
  }

  /// The migrations in our own format.
  func writeMigrations() throws -> String {
    let folder = try makeFolder("migrations")
    for migration in BenchMigration.all {
      try Files.write(
        "-- rivulet:up\n\(migration.up)-- rivulet:down\n\(migration.down)",
        to: Path.join(folder, "\(migration.version)_\(migration.table).sql"))
    }
    return folder
  }

  /// Throws unless a database has so many of the migrations' tables.
  func checkTables(in database: String, expecting expected: Int) throws {
    let found = try connect(to: database).query(
      "SELECT count(*) FROM pg_class WHERE relname ~ '^bench_[0-9]{4}$'")[0].value(0, Int.self)
    guard found == expected else {
      throw BenchError.wrongCount(what: "tables of migrations", expected: expected, found: found)
    }
  }
}
