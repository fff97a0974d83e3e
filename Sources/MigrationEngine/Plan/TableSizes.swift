import PostgreSQL

/// How many rows the tables of a database have, by its statistics.
struct TableSizes {
  private let rows: [String: Int]

  /// Reads them. A partitioned table has what its partitions have; a file of no bytes has no rows, whatever
  /// was analysed.
  init(_ connection: Connection) throws {
    let found = try connection.query(
      """
      SELECT format('%I.%I', nspname, relname), size::bigint FROM pg_class c
      JOIN pg_namespace n ON n.oid = relnamespace,
      LATERAL (SELECT CASE WHEN count(*) = count(leaf_rows) THEN coalesce(sum(leaf_rows), 0) END AS size FROM (
        SELECT CASE WHEN l.reltuples >= 0 THEN l.reltuples::numeric WHEN pg_relation_size(l.oid) = 0 THEN 0 END AS leaf_rows
        FROM pg_class l WHERE l.oid = c.oid AND c.relkind IN ('r', 'm')
        UNION ALL
        SELECT CASE WHEN l.reltuples >= 0 THEN l.reltuples::numeric WHEN pg_relation_size(l.oid) = 0 THEN 0 END
        FROM pg_partition_tree(CASE c.relkind WHEN 'p' THEN c.oid END) t JOIN pg_class l ON l.oid = t.relid
        WHERE isleaf AND l.relkind = 'r') leaves) s
      WHERE relkind IN ('r', 'p', 'm') AND nspname !~ '^pg_' AND nspname <> 'information_schema' AND size IS NOT NULL
      """)
    rows = Dictionary(
      try found.rows.map { (try $0.value(0, String.self), try $0.value(1, Int.self)) },
      uniquingKeysWith: { $1 })
  }

  /// Rows of a table, by its name as the server quotes it; nil where nobody has counted.
  func rows(_ table: String) -> Int? { rows[table] }
}
