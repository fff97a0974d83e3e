import PostgreSQL
import TestSupport

@testable import MigrationEngine

/// A folder of some tool's files, and an empty database.
struct ForeignFolder {
  let database: TestDatabase
  let scratch: Scratch

  init(_ files: [String: String] = [:]) throws {
    database = try TestServer.shared.makeDatabase()
    scratch = try Scratch()
    for (name, text) in files { try scratch.write(name, text) }
  }

  func open(_ placeholders: [String: String] = [:]) throws -> MigrationFolder {
    try MigrationFolder.open(scratch.path, placeholders: placeholders)
  }

  func engine(_ placeholders: [String: String] = [:]) throws -> MigrationEngine {
    MigrationEngine(connection: try database.connect(), folder: try open(placeholders))
  }

  /// The labels of what was applied.
  func up(_ placeholders: [String: String] = [:]) throws -> [String] {
    var done: [String] = []
    try engine(placeholders).up(.natural) { done.append($1.kind.label($1.version, $1.name)) }
    return done
  }

  func downToNothing() throws { try engine().down(.version("0")) { _, _ in } }

  /// The tables of schema public, by name.
  func tables() throws -> String? {
    try database.value(
      "SELECT string_agg(tablename::text, ' ' ORDER BY tablename) FROM pg_tables WHERE schemaname = 'public'")
  }

  /// The lines of the table `log`, in order.
  func log() throws -> String? { try database.value("SELECT string_agg(what, ' ' ORDER BY n) FROM log") }
}

/// What an error says, with its place: `name:line:column: sentence`; empty where nothing was thrown.
func complaint(_ body: () throws -> Void) -> String {
  do {
    try body()
    return ""
  } catch let error as MigrationError {
    guard let place = error.place else { return "\(error)" }
    let parts = [
      place.file.split(separator: "/").last.map(String.init), place.line.map(String.init),
      place.column.map(String.init),
    ]
    return parts.compactMap(\.self).joined(separator: ":") + ": \(error)"
  } catch {
    return "\(error)"
  }
}
