import PostgreSQL
import SQLText

/// Runs sections as a whole, inside a transaction that somebody else has opened.
struct SectionRunner {
  let connection: Connection
  let path: SchemaPath
  /// `lock_timeout` where a section does not ask for another.
  let lockTimeout: TimeSpan

  /// What every section starts from, whatever the one before it has set; to be run in a transaction.
  func settings(_ options: Migration.Options) throws(PostgreSQLError) -> String {
    let timeout = options.statementTimeout.map { "SET LOCAL statement_timeout = \(Quote.literal($0));" } ?? ""
    return "SET LOCAL lock_timeout = \(Quote.literal(wait(options).text));" + timeout
      + (try path.setting("LOCAL "))
  }

  /// How long a statement of a section may wait for a lock.
  func wait(_ options: Migration.Options) -> TimeSpan {
    guard let wish = options.lockTimeout.flatMap(TimeSpan.init) else { return lockTimeout }
    return min(wish, lockTimeout.isShortened ? lockTimeout : wish)
  }

  /// Runs all statements in one round trip. What they set is reset by what comes next.
  ///
  /// `isFirst` says that the transaction began with its ``settings(_:)``.
  func run(_ work: SectionWork, isFirst: Bool = false) throws {
    if !isFirst { try connection.execute(Connection.reset + (try settings(work.section.options))) }
    do throws(ScriptFailure) {
      try connection.run(script: work.script.text) { index in
        index < work.script.statements.count ? work.script.data(of: work.script.statements[index]) : nil
      }
    } catch {
      throw work.failure(error.error, statement: error.index)
    }
    // What comes next is read by the server before a RESET in it can count.
    if connection.clientEncoding != "UTF8" { try connection.resetSession() }
    guard connection.isInTransaction else {
      throw MigrationError.leftTransaction(
        version: work.version, file: work.section.file, section: work.title)
    }
  }

  /// Throws unless the section's last query answers true.
  func require(_ work: SectionWork) throws {
    try connection.execute(Connection.reset + (try settings(work.section.options)))
    var answer: ResultSet?
    for (index, statement) in work.script.statements.enumerated() {
      do throws(PostgreSQLError) {
        answer = try connection.execute(statement.text)
      } catch {
        throw work.failure(error, statement: index, isAlone: true)
      }
    }
    guard let answer, answer.count == 1, answer.columnTypes == [16] else {
      throw MigrationError.malformed(
        file: work.section.file, line: work.script.statements.last?.place.line ?? work.section.line,
        column: nil,
        message: "the section 'require' does not end with a query for one boolean",
        hint: "write: SELECT count(*) = 0 FROM schema.table WHERE ...;")
    }
    guard answer[0][0] == "t" else {
      throw MigrationError.requirementUnmet(
        version: work.version, name: work.name, file: work.section.file,
        line: work.script.statements.last?.place.line ?? work.section.line)
    }
  }
}
