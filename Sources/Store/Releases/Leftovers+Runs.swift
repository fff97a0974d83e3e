public import PostgreSQL

extension Leftovers {
  /// A run that is recorded as running, or whose staged tables are there although no release refers to them.
  public struct LeftRun: Sendable {
    /// Its number.
    public let run: Int
    /// Its pipeline.
    public let pipeline: String
    /// Its release; nil where it has none.
    public let release: String?
    /// The ledger says that it is at work.
    public let isRunning: Bool
    /// How many tables it staged.
    public let tables: Int
    /// Their bytes, with indexes.
    public let bytes: Int
    /// The files that it read.
    public let files: [String]
    /// The advisory lock that a run of the pipeline has for as long as it is at work.
    public var lock: String { RunLock.name(pipeline) }
  }

  /// The runs that have not ended, or have left tables, in their order; also those that are at work.
  /// - Throws: `PostgreSQLError` where the ledger cannot be read.
  public static func runs(on connection: Connection) throws -> [LeftRun] {
    try connection.query(
      """
      WITH staged AS MATERIALIZED (
        SELECT obj_description(c.oid, 'pg_class') AS mark, count(*) AS tables,
          sum(\(connection.totalSize(of: "c.oid")))::bigint AS bytes
        FROM pg_description d JOIN pg_class c ON c.oid = d.objoid
        WHERE d.classoid = 'pg_class'::regclass AND d.objsubid = 0 AND starts_with(d.description, $1)
          AND c.relkind = 'r' AND NOT c.relispartition
          AND NOT EXISTS (SELECT FROM rivulet.release_table t WHERE to_regclass(t.partition) = c.oid)
        GROUP BY 1)
      SELECT u.run, u.pipeline, u.release, u.state = 'running', coalesce(s.tables, 0), coalesce(s.bytes, 0),
        ARRAY(SELECT DISTINCT f.file FROM rivulet.source_file f WHERE f.run = u.run ORDER BY 1)
      FROM rivulet.run u LEFT JOIN staged s ON s.mark = $1 || u.run
      WHERE u.state = 'running' OR s.mark IS NOT NULL ORDER BY u.run
      """, [.text(markStart)]
    ).rows.map { row in
      LeftRun(
        run: try row.value(0), pipeline: try row.value(1), release: row[2], isRunning: try row.value(3),
        tables: try row.value(4), bytes: try row.value(5), files: try row.value(6))
    }
  }
}
