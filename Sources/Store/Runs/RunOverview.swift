public import PostgreSQL

/// The ledger in sums: what a report says of more runs than anybody reads one by one.
///
/// What asks throws `PostgreSQLError` where a statement fails.
public struct RunOverview {
  private let connection: Connection
  private let zone: String

  /// The ledger of one database, with months and days of a time zone.
  public init(connection: Connection, zone: String) { (self.connection, self.zone) = (connection, zone) }

  /// How many runs of a dataset ended in a state in a month.
  public struct Month: Sendable {
    /// `YYYY-MM`.
    public let month: String
    /// The pipeline.
    public let pipeline: String
    /// How many runs there were.
    public let runs: Int
    /// How many of them were refused or failed.
    public let unsuccessful: Int
    /// Records that were read.
    public let read: Int
    /// Records that were loaded.
    public let loaded: Int
    /// Records that were rejected.
    public let rejected: Int
    /// How long they took, in seconds.
    public let seconds: Double
  }

  /// Runs by month and dataset, the newest month first.
  public func months(limit: Int) throws -> [Month] {
    try connection.query(
      """
      SELECT to_char(u.started_at AT TIME ZONE $1, 'YYYY-MM') AS month, u.pipeline, count(*),
        count(*) FILTER (WHERE u.state IN ('refused', 'failed', 'interrupted')),
        coalesce(sum(f.read), 0)::bigint, coalesce(sum(f.loaded), 0)::bigint,
        coalesce(sum(f.rejected), 0)::bigint,
        coalesce(sum(extract(epoch FROM u.finished_at - u.started_at)), 0)::float8
      FROM rivulet.run u
      LEFT JOIN (
        SELECT run, sum(records_read) AS read, sum(records_loaded) AS loaded, sum(records_rejected) AS rejected
        FROM rivulet.source_file GROUP BY run) f USING (run)
      GROUP BY 1, 2 ORDER BY 1 DESC, 2 LIMIT $2
      """, [.text(zone), .integer(limit)]
    ).rows.map { row in
      Month(
        month: try row.value(0), pipeline: try row.value(1), runs: try row.value(2),
        unsuccessful: try row.value(3), read: try row.value(4), loaded: try row.value(5),
        rejected: try row.value(6), seconds: try row.value(7))
    }
  }

  /// When a dataset was loaded, in steps of the time that all runs span.
  public struct Moment: Sendable {
    /// The pipeline.
    public let pipeline: String
    /// The step.
    public let step: Int
    /// The state of the worst run in it.
    public let state: String
  }

  /// The runs of all datasets in so many steps of time, the first and the last day, and how many there are.
  public func moments(steps: Int) throws -> (moments: [Moment], from: String, to: String, runs: Int) {
    let span = try connection.query(
      """
      SELECT count(*), to_char(min(started_at) AT TIME ZONE $1, 'YYYY-MM-DD'),
        to_char(max(started_at) AT TIME ZONE $1, 'YYYY-MM-DD')
      FROM rivulet.run
      """, [.text(zone)])[0]
    let runs: Int = try span.value(0)
    let moments = try connection.query(
      """
      SELECT pipeline, step, (array_agg(state ORDER BY array_position(
        '{failed,interrupted,refused,running,staged,dry_run,published,merged,unchanged}', state)))[1]
      FROM (
        SELECT pipeline, state, least($1 - 1, floor($1 * coalesce(
          extract(epoch FROM started_at - min(started_at) OVER ())
          / nullif(extract(epoch FROM max(started_at) OVER () - min(started_at) OVER ()), 0), 1)))::int AS step
        FROM rivulet.run) placed
      GROUP BY 1, 2 ORDER BY 1, 2
      """, [.integer(steps)]
    ).rows.map { Moment(pipeline: try $0.value(0), step: try $0.value(1), state: try $0.value(2)) }
    return (moments, span[1] ?? "", span[2] ?? "", runs)
  }

  /// Why records were rejected, over all runs of the ledger.
  public struct Rejects: Sendable {
    /// The pipeline.
    public let pipeline: String
    /// The source's name in it.
    public let source: String
    /// The rule.
    public let rule: String
    /// The column, where one is to blame.
    public let column: String?
    /// How many records.
    public let records: Int
    /// In how many runs.
    public let runs: Int
    /// The newest of these.
    public let lastRun: Int
  }

  /// The commonest reasons, and how many there are.
  public func rejects(limit: Int) throws -> (reasons: [Rejects], count: Int) {
    let rows = try connection.query(
      """
      SELECT u.pipeline, f.source, r.rule, r.column_name, sum(r.records)::bigint, count(DISTINCT u.run),
        max(u.run), count(*) OVER ()
      FROM rivulet.reject_reason r
      JOIN rivulet.source_file f USING (source_file_id) JOIN rivulet.run u USING (run)
      GROUP BY 1, 2, 3, 4 ORDER BY 5 DESC, 1, 2, 3, 4 LIMIT $1
      """, [.integer(limit)])
    let reasons = try rows.rows.map { row in
      Rejects(
        pipeline: try row.value(0), source: try row.value(1), rule: try row.value(2), column: row[3],
        records: try row.value(4), runs: try row.value(5), lastRun: try row.value(6))
    }
    return (reasons, try rows.first?.value(7) ?? 0)
  }

  /// The records of runs: read, loaded, rejected and skipped, over all their sources.
  public func records(ofRuns runs: [Int]) throws
    -> [Int: (read: Int, loaded: Int, rejected: Int, skipped: Int)]
  {
    try Dictionary(
      uniqueKeysWithValues: connection.query(
        """
        SELECT run, coalesce(sum(records_read), 0)::bigint, coalesce(sum(records_loaded), 0)::bigint,
          coalesce(sum(records_rejected), 0)::bigint, coalesce(sum(records_skipped), 0)::bigint
        FROM rivulet.source_file WHERE run = ANY ($1::bigint[]) GROUP BY run
        """, [.textArray(runs.map(String.init))]
      ).rows.map {
        (try $0.value(0), (try $0.value(1), try $0.value(2), try $0.value(3), try $0.value(4)))
      })
  }

  /// The stages of runs in their order, those that have ended.
  public func stages(ofRuns runs: [Int]) throws -> [Int: [(stage: String, seconds: Double)]] {
    var stages: [Int: [(stage: String, seconds: Double)]] = [:]
    for row in try connection.query(
      """
      SELECT run, stage, seconds FROM rivulet.run_stage
      WHERE run = ANY ($1::bigint[]) AND seconds IS NOT NULL ORDER BY run, position, ctid
      """, [.textArray(runs.map(String.init))]
    ).rows {
      stages[try row.value(0), default: []].append((try row.value(1), try row.value(2)))
    }
    return stages
  }
}
