import PostgreSQL
import SQLText

/// Runs sections as a whole, inside a transaction that somebody else has opened.
struct SectionRunner {
  let connection: Connection
  /// `lock_timeout` where a section does not ask for another.
  let lockTimeout: TimeSpan

  /// What every section starts from, whatever the one before it has set; to be run in a transaction.
  func settings(_ options: Migration.Options) -> String {
    let timeout = options.statementTimeout.map { "SET LOCAL statement_timeout = \(Quote.literal($0));" } ?? ""
    return "SET LOCAL lock_timeout = \(Quote.literal(wait(options).text));" + timeout
      + SectionRunner.ownSchemaOut(isLocal: true)
  }

  /// How long a statement of a section may wait for a lock.
  func wait(_ options: Migration.Options) -> TimeSpan {
    guard let wish = options.lockTimeout.flatMap(TimeSpan.init) else { return lockTimeout }
    return min(wish, lockTimeout.isShortened ? lockTimeout : wish)
  }

  /// To a role named rivulet our own schema is "$user": what a migration does not qualify must not land there.
  static func ownSchemaOut(isLocal: Bool) -> String {
    "SELECT set_config('search_path', 'public', \(isLocal)) WHERE current_schema() = 'rivulet'"
  }

  /// Runs all statements in one round trip. What they set is taken back by whatever comes next.
  ///
  /// `isFirst` says that the transaction began with its ``settings(_:)``.
  func run(_ work: SectionWork, isFirst: Bool = false) throws {
    if !isFirst { try connection.execute(Connection.reset + settings(work.section.options)) }
    do throws(ScriptFailure) {
      try connection.run(script: work.script.text) { index in
        index < work.script.statements.count ? work.script.data(of: work.script.statements[index]) : nil
      }
    } catch {
      throw work.failure(error.error, statement: error.index)
    }
    guard connection.isInTransaction else {
      throw MigrationError.leftTransaction(
        version: work.version, file: work.section.file, section: work.title)
    }
  }

  /// Throws unless the section's last query answers true.
  func require(_ work: SectionWork) throws {
    try connection.execute(Connection.reset + settings(work.section.options))
    var isMet = false
    for (index, statement) in work.script.statements.enumerated() {
      do throws(PostgreSQLError) {
        isMet = try connection.execute(statement.text).first?[0] == "t"
      } catch {
        throw work.failure(error, statement: index, isAlone: true)
      }
    }
    guard isMet else {
      throw MigrationError.requirementUnmet(
        version: work.version, name: work.name, file: work.section.file,
        line: work.script.statements.last?.place.line ?? work.section.line)
    }
  }
}
