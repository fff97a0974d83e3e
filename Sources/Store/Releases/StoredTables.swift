public import PostgreSQL

/// How large the tables of the datasets are, and how they grew.
///
/// What asks throws `PostgreSQLError` where a statement fails.
public struct StoredTables {
  private let connection: Connection

  /// The tables of one database.
  public init(connection: Connection) { self.connection = connection }

  /// A table that holds releases.
  public struct Table: Sendable {
    /// The pipeline that loads it.
    public let pipeline: String
    /// `schema.table`.
    public let name: String
    /// Rows of published releases.
    public let published: Int
    /// Rows of revisions that are staged, were replaced or rolled back, and are kept.
    public let kept: Int
    /// How many releases are published.
    public let releases: Int
    /// Rows of the newest published release.
    public let newest: Int?
    /// Rows of the published release before it.
    public let before: Int?
    /// What all of it takes with its indexes, in bytes.
    public let bytes: Int
  }

  /// The tables that hold releases, the largest first.
  public func releases() throws -> [Table] {
    try connection.query(
      """
      SELECT t.pipeline, t.target, coalesce(sum(t.rows) FILTER (WHERE r.state = 'published'), 0)::bigint,
        coalesce(sum(t.rows) FILTER (WHERE r.state <> 'published'), 0)::bigint,
        count(*) FILTER (WHERE r.state = 'published'),
        (array_agg(t.rows ORDER BY r.effective_from DESC NULLS LAST, r.release DESC)
          FILTER (WHERE r.state = 'published'))[1],
        (array_agg(t.rows ORDER BY r.effective_from DESC NULLS LAST, r.release DESC)
          FILTER (WHERE r.state = 'published'))[2],
        coalesce(sum(\(connection.totalSize(of: "rivulet.relation(t.partition)"))), 0)::bigint
      FROM rivulet.release_table t JOIN rivulet.release r USING (pipeline, release, revision)
      GROUP BY 1, 2 ORDER BY 8 DESC, 2
      """
    ).rows.map { row in
      Table(
        pipeline: try row.value(0), name: try row.value(1), published: try row.value(2),
        kept: try row.value(3), releases: try row.value(4), newest: try row.optional(5),
        before: try row.optional(6), bytes: try row.value(7))
    }
  }

  /// What was merged into a table that holds no releases.
  public struct Merged: Sendable {
    /// The pipeline that merges into it.
    public let pipeline: String
    /// `schema.table`.
    public let name: String
    /// In how many runs.
    public let runs: Int
    /// Rows that were inserted, updated and deleted.
    public let (inserted, updated, deleted): (Int, Int, Int)
    /// When the newest of them was, ISO 8601.
    public let last: String?
    /// What it takes with its indexes, in bytes; nil where it is not there.
    public let bytes: Int?
  }

  /// The tables that exports are merged into.
  public func merged() throws -> [Merged] {
    try connection.query(
      """
      SELECT pipeline, target, count(DISTINCT run), sum(inserted)::bigint, sum(updated)::bigint,
        sum(deleted)::bigint, to_char(max(merged_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        \(connection.totalSize(of: "rivulet.relation(target)"))
      FROM rivulet.merge WHERE revision IS NULL GROUP BY 1, 2 ORDER BY 1, 2
      """
    ).rows.map { row in
      Merged(
        pipeline: try row.value(0), name: try row.value(1), runs: try row.value(2),
        inserted: try row.value(3), updated: try row.value(4), deleted: try row.value(5), last: row[6],
        bytes: try row.optional(7))
    }
  }

  /// Rows that are stored, by the month in which they were loaded, `YYYY-MM`, for each pipeline.
  public func growth(zone: String) throws -> [(month: String, pipeline: String, rows: Int)] {
    try connection.query(
      """
      SELECT to_char(u.started_at AT TIME ZONE $1, 'YYYY-MM'), t.pipeline, sum(t.rows)::bigint
      FROM rivulet.release_table t JOIN rivulet.release r USING (pipeline, release, revision)
      JOIN rivulet.run u ON u.run = r.run GROUP BY 1, 2 ORDER BY 1, 2
      """, [.text(zone)]
    ).rows.map { (try $0.value(0), try $0.value(1), try $0.value(2)) }
  }

  /// What the database takes, and what of it schema `rivulet` does, in bytes.
  public func sizes() throws -> (database: Int, ledger: Int) {
    let row = try connection.query(
      """
      SELECT pg_database_size(current_database()), (
        SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = 'rivulet' AND c.relkind = 'r')
      """)[0]
    return (try row.value(0), try row.value(1))
  }
}
