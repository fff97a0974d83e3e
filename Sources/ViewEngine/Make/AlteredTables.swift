import PostgreSQL

/// The sources that the transaction at work has altered: what changes a table's form takes it for itself, and
/// no trigger sees what became of its rows.
struct AlteredTables {
  /// `schema.name`.
  let names: [String]

  init(of views: [RegisteredView], on connection: Connection) throws {
    let sources = Set(views.flatMap(\.sources).map(\.name)).sorted()
    names = try connection.query(
      """
      SELECT n FROM unnest($1::text[], $2::text[]) s(n, quoted)
      WHERE to_regclass(quoted) IS NULL OR EXISTS (
        SELECT FROM pg_locks l WHERE l.pid = pg_backend_pid() AND l.locktype = 'relation'
          AND l.relation = to_regclass(quoted) AND l.mode = 'AccessExclusiveLock')
      """, [.textArray(sources), .textArray(sources.map(Quote.qualified))]
    ).rows.map { try $0.value(0) }
  }
}
