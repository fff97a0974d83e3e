import PostgreSQL

/// Which pages of a database's catalogs are written, by the log of a server of our own.
///
/// Who changes a row, in whatever session and way, first writes to the log in which page that is. So it costs
/// what was done and not what is there to find it, as long as nobody has the server but the database's
/// migrations. It is read from another database, which the extension for it is made in.
final class CatalogLog {
  /// What was written between two moments.
  struct Written {
    /// nil where that is not known.
    var areas: Set<CatalogArea>?
    /// Whether no transaction that has written something was still open at the later moment, or a little after it,
    /// whose rows may come or go later.
    var isQuiet = false
  }

  private let target: ConnectionTarget
  private let database: String
  private var session: Connection
  /// Up to where the log was read; nil where nothing is known of what came before.
  private var position: String?

  /// The log of a server, of what is written in the database that a connection is for; nil where the server
  /// lacks the extension, which not every installation has.
  init?(_ server: ConnectionTarget, of connection: Connection) throws {
    target = server
    database = try connection.query(
      "SELECT oid FROM pg_catalog.pg_database WHERE datname OPERATOR(pg_catalog.=) current_database()"
    )[0].value(0)
    session = try CatalogLog.session(server)
    do {
      // Several may come to be at the same moment.
      try session.execute(
        """
        BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('rivulet catalog log', 7711));
        CREATE EXTENSION IF NOT EXISTS pg_walinspect SCHEMA pg_catalog; COMMIT
        """)
      try prepare()
    } catch {
      guard case .server = error else { throw error }
      return nil
    }
  }

  /// What was written since this was asked last into catalogs, given by the numbers of the files that they are
  /// in.
  func written(to files: [String: String]) throws -> Written {
    let isLost = session.isLost
    if isLost { session = try CatalogLog.session(target) }
    let start = position
    position = nil
    do {
      if isLost { try prepare() }
      // The log can be read up to what is on its way to the disk, which the end of a transaction is.
      let pages = start.map { "; EXECUTE rivulet_pages ('\($0)', '{\(files.keys.joined(separator: ","))}')" }
      let answers = try session.answers(
        to: "BEGIN; EXECUTE rivulet_end; COMMIT; EXECUTE rivulet_quiet" + (pages ?? ""))
      position = try answers[1][0].value(0)
      var written = Written()
      written.isQuiet = try answers[3][0].value(0)
      if start != nil {
        written.areas = Set(
          try answers[4].rows.map {
            CatalogArea(catalog: files[try $0.value(0)] ?? "", page: try $0.value(1))
          })
      }
      return written
    } catch {
      guard case PostgreSQLError.server = error else { throw error }
      if session.isInTransaction { _ = try? session.execute("ROLLBACK") }
      // What is a while ago may be gone, or a migration has taken our rights.
      return Written()
    }
  }

  /// Prepares what is asked again and again: to plan it takes longer than to do it. For the same reason it asks the
  /// functions behind pg_stat_activity and pg_prepared_xacts.
  private func prepare() throws(PostgreSQLError) {
    try session.execute(
      """
      PREPARE rivulet_end AS
        SELECT set_config('rivulet.end', pg_logical_emit_message(true, 'rivulet', '')::text, false);
      PREPARE rivulet_quiet AS
        SELECT NOT EXISTS (SELECT FROM pg_stat_get_activity(NULL) WHERE datid = \(database) AND backend_xid IS NOT NULL)
          AND NOT EXISTS (SELECT FROM pg_prepared_xact() WHERE dbid = \(database));
      PREPARE rivulet_pages (pg_lsn, text[]) AS
        SELECT DISTINCT file, page FROM (\(pages)) p (database, file, page)
        WHERE database = '\(database)' AND file = ANY ($2)
      """)
  }

  /// The pages of ordinary files in the records from $1 to the end that was set.
  private var pages: String {
    let range = "$1, current_setting('rivulet.end')::pg_lsn"
    if session.serverVersion >= 160_000 {
      return """
        SELECT reldatabase::text, relfilenode::text, relblocknumber::text
        FROM pg_get_wal_block_info(\(range), false) WHERE relforknumber = 0
        """
    }
    // Many records are of the same pages, and to take a text apart takes longer than to read a record.
    return """
      SELECT piece[1], piece[2], piece[3] FROM (SELECT DISTINCT block_ref FROM pg_get_wal_records_info(\(range))
        WHERE resource_manager <> 'Btree') r,
      regexp_matches(block_ref, 'rel \\d+/(\\d+)/(\\d+)(?: fork main)? blk (\\d+)', 'g') piece
      """
  }

  private static func session(_ server: ConnectionTarget) throws -> Connection {
    try Connection(to: server, settings: "SET synchronous_commit = on; SET search_path = ''")
  }
}
