import PostgreSQL
import TestSupport

@testable import MigrationEngine

/// A database and a folder of a test's own, in whatever tool's format.
struct OwnMigrations {
  let database: TestDatabase
  let scratch: Scratch

  init(_ files: [String: String] = [:]) throws {
    database = try TestServer.shared.makeDatabase()
    scratch = try Scratch()
    for (name, text) in files { try scratch.write(name, text) }
  }

  func open(_ placeholders: [String: String] = [:], mayBeEmpty: Bool = false) throws -> MigrationFolder {
    try MigrationFolder.open(
      scratch.path, values: PlaceholderValues(placeholders), mayBeEmpty: mayBeEmpty)
  }

  func engine(
    _ dependents: (any DependentObjects)? = nil, placeholders: [String: String] = [:],
    _ change: (inout MigrationEngine) -> Void = { _ in }
  ) throws -> MigrationEngine {
    var engine = MigrationEngine(
      connection: try database.connect(), folder: try open(placeholders, mayBeEmpty: true),
      dependents: dependents)
    change(&engine)
    return engine
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

  /// The versions of what was applied, by an engine that is changed first.
  @discardableResult
  func up(
    _ goal: MigrationGoal = .natural, _ dependents: (any DependentObjects)? = nil,
    _ change: (inout MigrationEngine) -> Void = { _ in }
  ) throws -> [String] {
    let engine = try engine(dependents, change)
    return try done { try engine.up(goal, $0) }
  }

  /// The labels of what was applied.
  func labelsUp(_ placeholders: [String: String] = [:]) throws -> [String] {
    var done: [String] = []
    try engine(placeholders: placeholders).up(.natural) { done.append($1.kind.label($1.version, $1.name)) }
    return done
  }

  @discardableResult
  func down(
    _ goal: MigrationGoal = .natural, _ change: (inout MigrationEngine) -> Void = { _ in }
  ) throws -> [String] {
    let engine = try engine(nil, change)
    return try done { try engine.down(goal, $0) }
  }

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

  /// The lines of the table `log`, in order.
  func log() throws -> String? { try database.value("SELECT string_agg(what, ' ' ORDER BY n) FROM log") }

  /// The state of each migration, as `1:applied 2:partial`.
  func states() throws -> String {
    try engine().status().applied.map { "\($0.version):\($0.state.rawValue)" }.joined(separator: " ")
  }
}

/// What an error says, with its place: `name:line:column: sentence: hint`; empty where nothing was thrown.
func complaint<Value>(_ body: () throws -> Value) -> String {
  do {
    _ = try body()
    return ""
  } catch let error as MigrationError {
    let sentence = "\(error)" + (error.hint.map { ": \($0)" } ?? "")
    guard let place = error.place, let name = place.file.split(separator: "/").last else { return sentence }
    let parts = [String(name), place.line.map(String.init), place.column.map(String.init)]
    return parts.compactMap(\.self).joined(separator: ":") + ": \(sentence)"
  } catch {
    return "\(error)"
  }
}
