import PostgreSQL
import TestSupport

/// What the tables and views of a database hold.
enum Contents {
  /// What tells of the time of day.
  private static let leftOut = "('mart.on_call_gap')"

  /// By name, the number of rows and a sum of their digests; partitions are left out, whose tables have them.
  static func of(_ database: TestDatabase) throws -> [String: String] {
    let connection = try database.connect()
    let relations = try connection.query(
      """
      SELECT format('%I.%I', nspname, relname), (
        SELECT string_agg(quote_ident(attname), ', ' ORDER BY attname) FROM pg_attribute a
        WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attname <> 'source_file_id')
      FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
      WHERE relkind IN ('r', 'p', 'v') AND NOT relispartition AND nspname IN ('api', 'ccc', 'clara', 'cms', 'directory',
        'doula', 'facts', 'mart', 'oncall', 'rvutrack') AND nspname || '.' || relname NOT IN \(leftOut)
        -- Tables that are withdrawn, or staged, are called by the number of their run.
        AND coalesce(obj_description(c.oid, 'pg_class'), '') NOT LIKE 'rivulet: staged by %'
      """)
    var found: [String: String] = [:]
    for row in relations.rows {
      let (name, columns): (String, String) = (try row.value(0), try row.value(1))
      // A sum is of rows in any order, without sorting the two million prices of two releases.
      let sums = try connection.query(
        """
        SELECT count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0)
        FROM (SELECT \(columns) FROM \(name) OFFSET 0) t
        """)
      found[name] = try sums[0].value(0)
    }
    return found
  }
}
