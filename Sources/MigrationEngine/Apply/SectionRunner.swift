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
    // Once several connections of Citus have read a table, it refuses to alter another one over one of them.
    let mode = connection.hasCitus ? "SET LOCAL citus.multi_shard_modify_mode = 'sequential';" : ""
    let timeout = options.statementTimeout.map { "SET LOCAL statement_timeout = \(Quote.literal($0));" } ?? ""
    return "SET LOCAL lock_timeout = \(Quote.literal(options.wait(lockTimeout).text));" + timeout + mode
      + (try path.setting("LOCAL ", options.schema ?? options.runIn))
  }

  /// So many bytes of statements the server is given at once: it takes all of them apart before it runs the
  /// first, in many times their memory.
  static let messageSize = 1 << 20

  /// Runs all statements, a short section's in one round trip. What they set is reset by what comes next.
  ///
  /// `isFirst` says that the transaction began with its ``settings(_:)``.
  func run(_ work: SectionWork, isFirst: Bool = false) throws {
    if !isFirst { try connection.execute(Connection.reset + (try settings(work.section.options))) }
    // Citus refuses a message of several statements of which one alters a table of its own.
    let size = connection.hasCitus ? 0 : Self.messageSize
    for places in work.script.runs(ofBytes: size) {
      // Of the one before.
      if connection.clientEncoding != "UTF8" { try connection.execute("SET client_encoding = 'UTF8'") }
      try run(places, of: work)
      guard connection.isInTransaction else {
        throw MigrationError.leftTransaction(
          version: work.version, file: work.section.file, section: work.title)
      }
    }
    // What comes next is read by the server before a RESET in it can count.
    if connection.clientEncoding != "UTF8" { try connection.resetSession() }
  }

  private func run(_ places: Range<Int>, of work: SectionWork) throws {
    let sent = work.script.bytes(of: places)
    do throws(ScriptFailure) {
      try connection.run(script: work.script.text(of: sent)) { index in
        places.dropFirst(index).first.flatMap { work.script.data(of: work.script.statements[$0]) }
      }
    } catch {
      throw work.failure(error.error, statement: places.lowerBound + error.index, sent: sent)
    }
  }

  /// Requires that the section's last query answers true.
  ///
  /// - Throws: `MigrationError.requirementUnmet`, and `.malformed` where it asks for something else.
  func require(_ work: SectionWork) throws {
    try connection.execute(Connection.reset + (try settings(work.section.options)))
    var answer: ResultSet?
    for (index, statement) in work.script.statements.enumerated() {
      do throws(PostgreSQLError) {
        answer = try connection.execute(statement.text)
      } catch {
        throw work.failure(error, statement: index, sent: statement.range)
      }
    }
    let line = work.script.statements.last?.place.line ?? work.section.line
    guard let answer, answer.count == 1, answer.columnTypes == [16] else {
      throw MigrationError.unfit(
        work.section.file, line: line, "the section 'require' does not end with a query for one boolean",
        "write: SELECT count(*) = 0 FROM schema.table WHERE ...;")
    }
    guard answer[0][0] == "t" else {
      throw MigrationError.requirementUnmet(
        version: work.version, name: work.name, file: work.section.file, line: line)
    }
  }
}

/// Where unqualified names of migrations lead.
///
/// To a role named rivulet our own schema is `"$user"`: what a migration does not qualify must not land
/// there.
final class SchemaPath {
  private let connection: Connection
  private var isKnown = false
  private var without: String?

  init(_ connection: Connection) { self.connection = connection }

  /// SQL that takes our own schema out of the path, with `LOCAL ` or nothing behind SET; empty where it is
  /// not in it. Where names lead into a `schema`, SQL that makes it the only one.
  ///
  /// Asked once, of a session as it is without a migration's settings.
  func setting(_ scope: String, _ schema: String? = nil) throws(PostgreSQLError) -> String {
    if let schema { return "SET \(scope)search_path = \(Quote.identifier(schema));" }
    if !isKnown {
      without = try connection.query(
        """
        SELECT CASE WHEN current_schema() = 'rivulet' THEN coalesce(
          (SELECT string_agg(quote_ident(name), ', ' ORDER BY place)
           FROM unnest(current_schemas(false)) WITH ORDINALITY AS path(name, place) WHERE name <> 'rivulet'),
          'public') END
        """
      ).first?[0]
      isKnown = true
    }
    return without.map { "SET \(scope)search_path = \($0);" } ?? ""
  }
}

extension Migration.Options {
  /// How long a statement of the section may wait for a lock, where `lockTimeout` is what others may.
  func wait(_ lockTimeout: TimeSpan) -> TimeSpan {
    guard let wish = self.lockTimeout.flatMap(TimeSpan.init) else { return lockTimeout }
    return lockTimeout.isShortened ? min(wish, lockTimeout) : wish
  }
}
