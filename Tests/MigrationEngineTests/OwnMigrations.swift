import PostgreSQL
import TestSupport

@testable import MigrationEngine

/// A database and a folder of a test's own.
struct OwnMigrations {
  let database: TestDatabase
  let scratch: Scratch

  init() throws {
    database = try TestServer.shared.makeDatabase()
    scratch = try Scratch()
  }

  func engine(_ dependents: any DependentObjects = NoDependentObjects()) throws -> MigrationEngine {
    MigrationEngine(
      connection: try database.connect(), folder: try MigrationFolder(scratch.path), dependents: dependents)
  }

  func write(
    _ name: String, up: String, down: String? = nil, require: String? = nil, verify: String? = nil
  ) throws {
    try scratch.write(
      name,
      (require.map { "-- rivulet:require\n\($0)\n" } ?? "") + "-- rivulet:up\n\(up)\n"
        + (down.map { "-- rivulet:down\n\($0)\n" } ?? "")
        + (verify.map { "-- rivulet:verify\n\($0)\n" } ?? ""))
  }

  /// Tables a, b and c.
  func writeThree() throws {
    for (number, table) in zip(1..., ["a", "b", "c"]) {
      try write(
        "000\(number)_\(table).sql", up: "CREATE TABLE \(table) (n int);", down: "DROP TABLE \(table);")
    }
  }

  /// The labels of what was applied.
  func up(_ goal: MigrationGoal = .natural, _ dependents: any DependentObjects = NoDependentObjects()) throws
    -> [String]
  {
    try done { try engine(dependents).up(goal, $0) }
  }

  func down(_ goal: MigrationGoal = .natural) throws -> [String] { try done { try engine().down(goal, $0) } }

  func done(_ body: (@escaping MigrationEngine.Report) throws -> Void) rethrows -> [String] {
    final class Done { var versions: [String] = [] }
    let done = Done()
    try body { done.versions.append($1.version) }
    return done.versions
  }

  func execute(_ sql: String) throws { try database.connect().execute(sql) }

  /// The names of the tables in schema public, run together.
  func tables() throws -> String? {
    try database.value(
      "SELECT string_agg(tablename::text, '' ORDER BY tablename) FROM pg_tables WHERE schemaname = 'public'")
  }

  /// The state of each migration, as `1:applied 2:partial`.
  func states() throws -> String {
    try engine().status().applied.map { "\($0.version):\($0.state.rawValue)" }.joined(separator: " ")
  }
}
