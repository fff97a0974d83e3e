/// How far the server says that a statement has come.
///
/// PostgreSQL says so of COPY, CREATE INDEX, CLUSTER, VACUUM and ANALYZE, and of what is built on them.
public struct StatementProgress: Sendable {
  /// The process that is at work on it.
  public let process: Int
  /// What it is: `CREATE INDEX`.
  public let command: String
  /// What the server is doing for it, in its own words: `scanning table`.
  public let phase: String
  /// How much of the phase is done, from 0 to 1; nil where the server does not say.
  public let share: Double?

  /// What a session that asks is to have: nobody's functions in the way, and no wait that anybody notices.
  public static let settings = "SET search_path = pg_catalog; SET statement_timeout = '2s'"

  /// Asks for the statements of some processes, on a connection that none of them serves and that has
  /// ``settings``.
  /// - Throws: ``PostgreSQLError`` of the server, or of a connection that is lost.
  public static func of(
    _ processes: [Int], on connection: Connection
  ) throws(PostgreSQLError) -> [StatementProgress] {
    let list = "{\(processes.map(String.init).joined(separator: ","))}"
    return try connection.query(
      """
      SELECT pid, command, phase, CASE WHEN total > 0 THEN least(1, done::float8 / total) END
      FROM (
        SELECT pid, command, tuples_processed || ' rows' AS phase, bytes_processed AS done, bytes_total AS total
        FROM pg_stat_progress_copy
        UNION ALL
        SELECT pid, command, regexp_replace(phase, '^building index: ', '')
            || CASE WHEN partitions_total > 0 THEN format(' (partition %s of %s)',
              least(partitions_done + 1, partitions_total), partitions_total) ELSE '' END,
          CASE WHEN blocks_total > 0 THEN blocks_done WHEN tuples_total > 0 THEN tuples_done ELSE lockers_done END,
          CASE WHEN blocks_total > 0 THEN blocks_total WHEN tuples_total > 0 THEN tuples_total
            ELSE lockers_total END
        FROM pg_stat_progress_create_index
        UNION ALL
        SELECT pid, command, phase, heap_blks_scanned, heap_blks_total FROM pg_stat_progress_cluster
        UNION ALL
        SELECT pid, 'VACUUM', phase,
          CASE phase WHEN 'vacuuming heap' THEN heap_blks_vacuumed ELSE heap_blks_scanned END,
          CASE WHEN phase IN ('scanning heap', 'vacuuming heap') THEN heap_blks_total END
        FROM pg_stat_progress_vacuum
        UNION ALL
        SELECT pid, 'ANALYZE', phase, sample_blks_scanned, sample_blks_total FROM pg_stat_progress_analyze
      ) statement
      WHERE pid = ANY ($1::int[])
      """, [.text(list)]
    ).rows.map { row throws(PostgreSQLError) in
      StatementProgress(
        process: try row.value(0), command: row[1] ?? "", phase: row[2] ?? "", share: try row.optional(3))
    }
  }
}
