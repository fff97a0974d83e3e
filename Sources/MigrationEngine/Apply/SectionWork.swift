import PostgreSQL
import SQLText

/// One section to be run, and what of.
struct SectionWork {
  /// The migration; nil on the way back, and for what runs before and after all.
  let migration: Migration?
  let kind: Migration.Kind
  let version: String
  let name: String
  let direction: Direction
  let section: Migration.Section
  /// The section's name for people: `up`, `verify`.
  let title: String
  let script: SQLScript
  /// What its statements are run in where it is not one transaction.
  let pieces: ScriptPieces
  /// The statements that run in batches, by the byte at which each begins.
  private let batches: [Int: BatchMark]
  /// Where tables go that it makes, each with the place of its statement, from 0.
  let placements: [(statement: Int, mark: PlacementMark)]
  private let filled: FilledText

  /// A section of a migration on its way up.
  init(_ migration: Migration, _ section: Migration.Section, title: String = "up") throws(MigrationError) {
    try self.init(
      migration, migration.kind, migration.version, migration.name, .up, section, title: title)
  }

  /// The way back of what was applied.
  init(back row: AppliedMigration, _ section: Migration.Section) throws(MigrationError) {
    try self.init(nil, .versioned, row.version, row.name, .down, section, title: "down")
  }

  /// What runs before or after all migrations.
  init(callback section: Migration.Section) throws(MigrationError) {
    try self.init(nil, .versioned, "", "callback", .up, section, title: "callback")
  }

  private init(
    _ migration: Migration?, _ kind: Migration.Kind, _ version: String, _ name: String,
    _ direction: Direction, _ section: Migration.Section, title: String
  ) throws(MigrationError) {
    self.migration = migration
    self.kind = kind
    self.version = version
    self.name = name
    self.direction = direction
    self.section = section
    self.title = title
    filled = try section.filled()
    script = try section.script(of: filled)
    if let statement = script.statements.first(where: { $0.keyword == "DISCARD" }) {
      throw section.unfit(
        statement.place,
        "DISCARD has no place in a migration: it releases the lock that keeps others from migrating",
        "leave it out: settings and temporary tables end with the migration")
    }
    if section.options.hasOwnTransactions {
      pieces = try ScriptPieces(script.statements, of: section)
    } else {
      // The history of another program's age may hold what the parser refuses today.
      if let statement = script.statements.first(where: \.controlsTransaction) {
        throw section.transactionControl(statement)
      }
      pieces = ScriptPieces(script.statements)
    }
    if !["up", "down"].contains(title) {
      try section.refuseBatches()
      try section.refusePlacements()
    }
    batches = try section.batches(of: script, in: filled)
    placements = try section.placements(of: script, in: filled)
  }

  /// Whether it has to run statement by statement, each outside the transaction of the others.
  var isStatementwise: Bool {
    section.options.hasOwnTransactions || section.options.transaction == false || !batches.isEmpty
      || script.statements.contains(where: \.isRefusedInTransaction)
  }

  /// What is run, values and rows in it.
  var text: String { filled.text }

  /// A statement as the file has it, without the values of its placeholders.
  func kept(_ statement: SQLStatement) -> String { filled.kept(statement.range) }

  /// How it runs in batches; nil where it is run at once.
  func batch(of statement: SQLStatement) -> BatchMark? { batches[statement.range.lowerBound] }

  /// Identifies a statement as its file has it, in the journal.
  func checksum(_ statement: SQLStatement) -> String {
    let mark = batch(of: statement).map { "\n" + $0.identity } ?? ""
    return StatementJournal.checksum(kept(statement) + mark)
  }

  /// The first line of a statement, for people.
  func firstLine(of statement: SQLStatement) -> String { String(kept(statement).prefix { !$0.isNewline }) }

  /// `file:line: ` and the first line of a statement.
  func located(_ statement: SQLStatement) -> String {
    let (file, line) = section.origin(statement.place.line)
    return "\(file):\(line): \(firstLine(of: statement))"
  }

  /// Runs one of its statements, with the rows that follow it.
  func run(_ statement: SQLStatement, on connection: Connection) throws(PostgreSQLError) {
    do throws(ScriptFailure) {
      try connection.run(script: statement.text) { _ in script.data(of: statement) }
    } catch {
      throw error.error
    }
  }

  /// What a failure of a statement (from 0) is reported as. An error that has no place gets that of its
  /// statement.
  ///
  /// `sent` are the bytes of the script that the server was given, and `range` the statement as it was sent
  /// for a batch.
  func failure(
    _ error: PostgreSQLError, statement index: Int, sent: Range<Int>, range: FilledText? = nil
  ) -> any Error {
    guard case .server(var server) = error else { return error }
    if let range {
      server.position = server.position.map(range.keptPosition)
      server = server.naming(range.discreet)
    }
    server.position = server.position.map { $0 + characters(before: sent.lowerBound) }
    if index < script.statements.count {
      server.position =
        server.position ?? positionInBody(server, statement: index)
        ?? characters(before: script.statements[index].range.lowerBound) + 1
    }
    server.position = server.position.map(filled.keptPosition)
    server.statement = section.sql
    return failure(server)
  }

  private func characters(before byte: Int) -> Int {
    String(decoding: Array(filled.text.utf8.prefix(byte)), as: UTF8.self).unicodeScalars.count
  }

  /// What a failure of the commit is reported as.
  func failureAtCommit(_ error: ServerError) -> any Error {
    var server = error
    server.position = nil
    return failure(server)
  }

  private func failure(_ error: ServerError) -> MigrationError {
    // The error counts lines from the section's first.
    let line = section.line + (error.place?.line ?? 1) - 1
    let origin = section.origin(line)
    return .failed(
      version: version, file: origin.file, section: title, line: section.line + origin.line - line,
      error: error.naming(filled.discreet))
  }
}

extension ServerError {
  /// The same with every text of it changed.
  fileprivate func naming(_ change: (String) -> String) -> ServerError {
    var error = self
    error.message = change(message)
    error.detail = detail.map(change)
    error.hint = hint.map(change)
    error.context = context.map(change)
    return error
  }
}
