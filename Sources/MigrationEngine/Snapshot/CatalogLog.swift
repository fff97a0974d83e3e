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
    } catch {
      guard case .server = error else { throw error }
      return nil
    }
  }

  /// What was written since this was asked last into catalogs, given by the numbers of the files that they are
  /// in.
  func written(to files: [String: String]) throws -> Written {
    if session.isLost { session = try CatalogLog.session(target) }
    let start = position
    position = nil
    do {
      // The log can be read up to what is on its way to the disk; this is, when both statements are done. They ask
      // the functions behind pg_stat_activity and pg_prepared_xacts, as to plan the views takes longer than to read
      // them.
      let answers = try session.answers(
        to: """
          SELECT pg_logical_emit_message(true, 'rivulet', '');
          SELECT NOT EXISTS (SELECT FROM pg_stat_get_activity(NULL) WHERE datid = \(database) AND backend_xid IS NOT NULL)
            AND NOT EXISTS (SELECT FROM pg_prepared_xact() WHERE dbid = \(database))
          """)
      let end: String = try answers[0][0].value(0)
      position = end
      var written = Written()
      written.isQuiet = try answers[1][0].value(0)
      guard let start else { return written }
      let rows = try session.query(
        "SELECT DISTINCT file, page FROM \(pages) WHERE database = $3 AND file = ANY ($4::text[])",
        [.text(start), .text(end), .text(database), .textArray(Array(files.keys))]
      ).rows
      written.areas = Set(
        try rows.map { CatalogArea(catalog: files[try $0.value(0)] ?? "", page: try $0.value(1)) })
      return written
    } catch {
      guard case PostgreSQLError.server = error else { throw error }
      // What is a while ago may be gone, or a migration has taken our rights.
      return Written()
    }
  }

  /// The pages of ordinary files in the records from $1 to $2, as `database`, `file` and `page`.
  private var pages: String {
    if session.serverVersion >= 160_000 {
      return """
        (SELECT reldatabase::text, relfilenode::text, relblocknumber::text
          FROM pg_get_wal_block_info($1::pg_lsn, $2::pg_lsn, false) WHERE relforknumber = 0) p (database, file, page)
        """
    }
    return """
      (SELECT piece[1], piece[2], piece[3] FROM pg_get_wal_records_info($1::pg_lsn, $2::pg_lsn),
        regexp_matches(block_ref, 'rel \\d+/(\\d+)/(\\d+)(?: fork main)? blk (\\d+)', 'g') piece
        WHERE resource_manager <> 'Btree') p (database, file, page)
      """
  }

  private static func session(_ server: ConnectionTarget) throws -> Connection {
    try Connection(to: server, settings: "SET synchronous_commit = on; SET search_path = ''")
  }
}
