import PostgreSQL
import TestSupport
import Testing

/// What runs have left in a database, for comparison with what undisturbed ones leave.
enum PublishedContent {
  /// A line for each table of the published schemas and of what the ledger says of the published releases: a
  /// digest over every row and every column but times and provenance (which run, which file number, which
  /// partition).
  static func digest(of database: TestDatabase, schemas: [String] = ["cms", "mart"]) throws -> [String] {
    let connection = try database.connect()
    let tables = try connection.query(
      """
      SELECT format('%I.%I', n.nspname, c.relname),
        (SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) FROM pg_attribute a
          WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            AND a.attname <> 'source_file_id')
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = ANY ($1) AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND obj_description(c.oid, 'pg_class') IS DISTINCT FROM 'staged'
        AND coalesce(obj_description(c.oid, 'pg_class'), '') NOT LIKE 'rivulet: staged by run %'
      ORDER BY 1
      """, [.textArray(schemas)])
    let contents =
      try tables.rows.map { row in
        (try row.value(0, String.self), "SELECT \(try row.value(1, String.self)) FROM \(row[0] ?? "")")
      } + ledger.map { ($0, $1) }
    return try contents.map { name, query in
      let found = try connection.execute(
        """
        SELECT count(*) || ' ' || coalesce(md5(string_agg(h, '' ORDER BY h COLLATE "C")), '')
        FROM (SELECT md5(r::text) AS h FROM (\(query)) r) rows
        """)
      return "\(name) \(try found[0].value(0, String.self))"
    }
  }

  /// What the ledger says of what is published.
  private static let ledger: [(String, String)] = [
    (
      "release",
      """
      SELECT pipeline, release, effective_from, effective_to, missing_tables
      FROM rivulet.release WHERE state = 'published'
      """
    ),
    (
      "release_table",
      """
      SELECT t.target, t.rows FROM rivulet.release_table t JOIN rivulet.release r USING (pipeline, release, revision)
      WHERE r.state = 'published'
      """
    ),
    (
      "source_file",
      """
      SELECT f.source, f.entry, f.file_sha256, f.sha256, f.bytes, f.layout, f.encoding, f.records_read,
        f.records_loaded, f.records_rejected, f.records_skipped, f.skipped_by, f.targets
      FROM rivulet.source_file f JOIN rivulet.release r USING (run) WHERE r.state = 'published'
      """
    ),
    (
      "gate_result",
      """
      SELECT g.rule, g.severity, g.passed, g.found
      FROM rivulet.gate_result g JOIN rivulet.release r USING (run) WHERE r.state = 'published'
      """
    ),
  ]

  /// What a run must never leave: a staged table, an advisory lock, an open run, a release without its
  /// tables, a row of the ledger that does not add up. A line for each that is there.
  static func leftovers(in database: TestDatabase) throws -> [String] {
    try database.connect().execute(
      """
      SELECT 'table ' || c.oid::regclass FROM pg_class c
      WHERE obj_description(c.oid, 'pg_class') LIKE 'rivulet: staged by run %'
        AND NOT EXISTS (SELECT FROM rivulet.release_table t WHERE to_regclass(t.partition) = c.oid)
      UNION ALL SELECT 'lock ' || l.objid FROM pg_locks l
        JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
      WHERE l.locktype = 'advisory'
      UNION ALL SELECT 'run ' || run || ' is ' || state FROM rivulet.run
      WHERE state = 'running' OR finished_at IS NULL
      UNION ALL SELECT 'lost ' || partition FROM rivulet.release_table WHERE to_regclass(partition) IS NULL
      UNION ALL SELECT 'counts of ' || f.source FROM rivulet.source_file f JOIN rivulet.run u USING (run)
      WHERE u.state IN ('published', 'staged', 'dry_run')
        AND (f.records_read = f.records_loaded + f.records_rejected + f.records_skipped) IS NOT TRUE
      UNION ALL SELECT 'two of ' || release FROM rivulet.release WHERE state = 'published'
      GROUP BY pipeline, release HAVING count(*) > 1
      """
    ).rows.compactMap { $0[0] }
  }
}
