import PostgreSQL
import SQLText

/// One section to be run, and what of.
struct SectionWork {
  let kind: Migration.Kind
  let version: String
  let name: String
  let direction: Direction
  let section: Migration.Section
  /// The section's name for people: `up`, `verify`.
  let title: String
  let script: SQLScript

  init(
    _ kind: Migration.Kind, version: String, name: String, _ direction: Direction,
    _ section: Migration.Section,
    title: String? = nil
  ) throws(MigrationError) {
    self.kind = kind
    self.version = version
    self.name = name
    self.direction = direction
    self.section = section
    self.title = title ?? direction.rawValue
    script = try section.script()
    // The history of another program's age may hold what the parser refuses today.
    if let statement = script.statements.first(where: \.controlsTransaction) {
      throw .malformed(
        file: section.file, line: statement.place.line, column: statement.place.column,
        message: "\(statement.words[0]) has no place in a migration",
        hint: "leave it out: each migration is one transaction already")
    }
  }

  init(_ migration: Migration, _ section: Migration.Section, title: String? = nil) throws(MigrationError) {
    try self.init(
      migration.kind, version: migration.version, name: migration.name, .up, section, title: title)
  }

  /// Whether it has to run statement by statement, each outside the transaction of the others.
  var isStatementwise: Bool {
    section.options.transaction == false || script.statements.contains(where: \.isRefusedInTransaction)
  }

  /// What a failure of a statement (from 0) is told as. An error that has no place gets that of its statement.
  ///
  /// `isAlone` says that the server was sent the statement and not the script.
  func failure(_ error: PostgreSQLError, statement index: Int, isAlone: Bool = false) -> any Error {
    guard case .server(var server) = error else { return error }
    if index < script.statements.count {
      let before = section.sql.utf8.prefix(script.statements[index].range.lowerBound)
      let offset = String(decoding: Array(before), as: UTF8.self).unicodeScalars.count
      if let position = server.position {
        server.position = position + (isAlone ? offset : 0)
      } else {
        server.position = offset + 1
      }
    }
    server.statement = section.sql
    return MigrationError.failed(
      version: version, file: section.file, section: title, line: section.line, error: server)
  }

  /// What a failure of the commit is told as.
  func failureAtCommit(_ error: ServerError) -> any Error {
    var server = error
    server.position = nil
    server.statement = ""
    return MigrationError.failed(
      version: version, file: section.file, section: title, line: section.line, error: server)
  }
}
