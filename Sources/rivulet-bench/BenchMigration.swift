import Host

/// Two hundred migrations of a table and an index: applied to an empty database, found to be applied, and
/// rolled back in one call, against `psql --single-transaction` of one script of all of them: what the server
/// itself takes, and one commit.
///
/// Each run has a database of its own. Ours commits each migration with its row of the history, as it does
/// for users.
struct BenchMigration {
  /// `0001`, so that names sort as numbers do.
  let version: String

  private static let all = first(200)
  private static let many = first(2_000)

  private static func first(_ count: Int) -> [BenchMigration] {
    (1...count).map { number in
      BenchMigration(version: String(repeating: "0", count: 4 - "\(number)".count) + "\(number)")
    }
  }

  private static let tables = "pg_class WHERE relname ~ '^bench_[0-9]{4}$'"
  private static let details: KeyValuePairs = ["migrations": all.count]

  private var table: String { "bench_\(version)" }

  private var up: String {
    """
    CREATE TABLE \(table) (id bigint NOT NULL, name text, created_at timestamptz NOT NULL DEFAULT now());
    CREATE INDEX \(table)_id ON \(table) (id);

    """
  }

  private var down: String { "DROP TABLE \(table);\n" }

  static func up(in workbench: Workbench) throws -> Runs {
    let folder = try writeFolder(all, workbench)
    let script = all.map(\.up).joined()
    return try workbench.compare(
      details,
      ours: { _ in
        try workbench.runAlone(expecting: [tables: all.count]) {
          try workbench.rivulet(["migrate", "up", "--dir", folder])
        }
      },
      yardstick: { _ in
        try workbench.runAlone(expecting: [tables: all.count]) {
          try workbench.psql(script, ["--single-transaction"])
        }
      })
  }

  /// Ten times as many, against psql with a transaction for each of them, in which it writes a row of the same
  /// history.
  static func upOfMany(in workbench: Workbench) throws -> Runs {
    let folder = try writeFolder(many, workbench)
    let script =
      "CREATE TABLE history (version text PRIMARY KEY, up text, down text, applied_at timestamptz DEFAULT now());\n"
      + many.map { migration in
        """
        BEGIN;
        \(migration.up)
        INSERT INTO history VALUES ('\(migration.version)', $sql$\(migration.up)$sql$, $sql$\(migration.down)$sql$);
        COMMIT;

        """
      }.joined()
    return try workbench.compare(
      ["migrations": many.count],
      ours: { _ in
        try workbench.runAlone(expecting: [tables: many.count]) {
          try workbench.rivulet(["migrate", "up", "--dir", folder])
        }
      },
      yardstick: { _ in
        try workbench.runAlone(expecting: [tables: many.count]) { try workbench.psql(script) }
      })
  }

  /// All of these up, down and up again, in a server of its own.
  static func verifyMany(in workbench: Workbench) throws -> Runs {
    let folder = try writeFolder(many, workbench)
    return try workbench.compare(
      ["migrations": many.count],
      ours: { _ in try workbench.rivulet(["migrate", "verify", "--dir", folder]) })
  }

  static func down(in workbench: Workbench) throws -> Runs {
    let folder = try writeFolder(all, workbench)
    let script = all.reversed().map(\.down).joined()
    return try workbench.withDatabase("bench_ours") {
      try workbench.rivulet(["migrate", "up", "--dir", folder], on: "bench_ours")
      return try workbench.withDatabase("bench_yardstick") {
        try workbench.psql(all.map(\.up).joined(), on: "bench_yardstick", ["--single-transaction"])
        return try workbench.compare(
          details,
          ours: { _ in
            try workbench.runAlone(from: "bench_ours", expecting: [tables: 0]) {
              try workbench.rivulet(["migrate", "down", "--to", "0", "--dir", folder])
            }
          },
          yardstick: { _ in
            try workbench.runAlone(from: "bench_yardstick", expecting: [tables: 0]) {
              try workbench.psql(script, ["--single-transaction"])
            }
          })
      }
    }
  }

  /// An `up` of the 2,000 that has nothing to do.
  static func noOp(in workbench: Workbench) throws -> Runs {
    let folder = try writeFolder(many, workbench)
    return try workbench.withDatabase {
      try workbench.rivulet(["migrate", "up", "--dir", folder])
      return try workbench.compare(
        ["migrations": many.count], ours: { _ in try workbench.rivulet(["migrate", "up", "--dir", folder]) })
    }
  }

  /// The migrations in our own format; gives the folder.
  private static func writeFolder(_ migrations: [BenchMigration], _ workbench: Workbench) throws -> String {
    let folder = workbench.path("migrations-\(migrations.count)")
    try Files.makeDirectory(folder)
    for migration in migrations {
      try Files.write(
        "-- rivulet:up\n\(migration.up)-- rivulet:down\n\(migration.down)",
        to: Path.join(folder, "\(migration.version)_\(migration.table).sql"))
    }
    return folder
  }
}
