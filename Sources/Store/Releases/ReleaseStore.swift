import Definitions
package import PipelineCore
package import PostgreSQL

/// The releases of one database, as schema `rivulet` has them: what is loaded, published and current.
///
/// What asks or writes throws `PostgreSQLError` where a statement fails.
package struct ReleaseStore {
  package let connection: Connection

  package init(connection: Connection) { self.connection = connection }

  /// All revisions, newest release first.
  package func list(pipeline: String? = nil) throws -> [ReleaseRow] {
    try connection.query(
      """
      SELECT r.pipeline, r.release, r.revision, r.state, c.release IS NOT NULL, coalesce(c.pinned, false),
        r.effective_from, r.effective_to,
        to_char(r.published_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), r.run,
        coalesce((SELECT sum(t.rows)::bigint FROM rivulet.release_table t
          WHERE (t.pipeline, t.release, t.revision) = (r.pipeline, r.release, r.revision)), 0),
        m.runs, m.last, r.synthetic, r.missing_tables || r.missing_parts
      FROM rivulet.release r
      CROSS JOIN LATERAL (
        SELECT count(DISTINCT m.run) AS runs, max(m.period_to) AS last FROM rivulet.merge m
        WHERE (m.pipeline, m.release, m.revision) = (r.pipeline, r.release, r.revision)) m
      LEFT JOIN rivulet.current_release c USING (pipeline, release, revision)
      WHERE $1::text IS NULL OR r.pipeline = $1
      ORDER BY r.pipeline, r.effective_from DESC NULLS LAST, r.release DESC, r.revision DESC
      """, [Parameter(pipeline)]
    ).rows.map { row in
      ReleaseRow(
        pipeline: try row.value(0), release: try row.value(1), revision: try row.value(2),
        state: try row.value(3), isCurrent: try row.value(4), isPinned: try row.value(5),
        effectiveFrom: row[6], effectiveTo: row[7], publishedAt: row[8], run: try row.value(9),
        rows: try row.value(10), merges: try row.value(11), mergedTo: row[12], isSynthetic: try row.value(13),
        missing: try row.value(14))
    }
  }

  /// The revisions of a release, by the moment since when they are what they are: published, withdrawn or
  /// staged, the latest first. What was replaced comes last.
  package func revisions(of release: String, pipeline: String) throws -> [(revision: Int, state: String)] {
    try connection.query(
      """
      SELECT r.revision, r.state FROM rivulet.release r JOIN rivulet.run u USING (run)
      CROSS JOIN LATERAL (
        SELECT max(p.undone_at) AS undone_at, max(p.published_at) FILTER (WHERE p.undone_at IS NULL) AS done_at
        FROM rivulet.publication p
        WHERE (p.pipeline, p.release, p.revision) = (r.pipeline, r.release, r.revision)) p
      WHERE r.pipeline = $1 AND r.release = $2
      ORDER BY CASE r.state WHEN 'published' THEN coalesce(p.done_at, r.published_at)
        WHEN 'withdrawn' THEN p.undone_at
        WHEN 'staged' THEN coalesce(u.finished_at, u.started_at) END DESC NULLS LAST, r.revision DESC
      """, [.text(pipeline), .text(release)]
    ).rows.map { (try $0.value(0), try $0.value(1)) }
  }

  /// Whether the newest revision of a release is of samples.
  package func isSynthetic(_ release: String, pipeline: String) throws -> Bool {
    try connection.query(
      """
      SELECT synthetic FROM rivulet.release WHERE pipeline = $1 AND release = $2
      ORDER BY revision DESC LIMIT 1
      """, [.text(pipeline), .text(release)]
    ).first?.value(0) ?? false
  }

  /// Whether the published revision of a release is of samples; nil where none is published.
  package func publishedIsSynthetic(_ release: String, pipeline: String) throws -> Bool? {
    try connection.query(
      "SELECT synthetic FROM rivulet.release WHERE pipeline = $1 AND release = $2 AND state = 'published'",
      [.text(pipeline), .text(release)]
    ).first?.value(0)
  }

  /// The names of the loaded releases of a pipeline, in their order.
  package func names(of pipeline: String) throws -> [String] {
    try connection.query(
      "SELECT DISTINCT release FROM rivulet.release WHERE pipeline = $1 ORDER BY 1", [.text(pipeline)]
    ).rows.map { try $0.value(0) }
  }

  /// The tables that the published revision of a release came without.
  ///
  /// Throws ``ReleaseOperationError`` where the release is not loaded or not published.
  package func missingTables(pipeline: String, release: String) throws -> [String] {
    let tables = try connection.query(
      """
      SELECT state = 'published', m.name
      FROM rivulet.release LEFT JOIN LATERAL unnest(missing_tables) m(name) ON true
      WHERE pipeline = $1 AND release = $2 ORDER BY 1 DESC
      """, [.text(pipeline), .text(release)])
    guard let first = tables.first else {
      throw ReleaseOperationError.unknown(
        pipeline: pipeline, release: release, known: try names(of: pipeline))
    }
    guard try first.value(0) else { throw ReleaseOperationError.notPublished(release: release) }
    return try tables.rows.filter { try $0.value(0) }.compactMap { $0[1] }
  }

  /// The current release of a pipeline and how many days ago the first day was on which it is in effect; nil
  /// where none is current. Of a release that is pinned and has no such day it is the day on which it was
  /// published.
  package func currentAge(of pipeline: String) throws -> (release: String, days: Int)? {
    try connection.query(
      """
      SELECT c.release, rivulet.today() - coalesce(c.effective_from, r.published_at::date)
      FROM rivulet.current_release c JOIN rivulet.release r USING (pipeline, release, revision)
      WHERE c.pipeline = $1
      """, [.text(pipeline)]
    ).first.map { (try $0.value(0), try $0.value(1)) }
  }

  /// The current release of a pipeline; nil where none is current.
  package func current(of pipeline: String) throws -> CurrentRelease? {
    try connection.query(
      """
      SELECT release, effective_from, effective_to, coalesce(effective_to < rivulet.today(), false)
      FROM rivulet.current_release WHERE pipeline = $1
      """, [.text(pipeline)]
    ).first.map {
      CurrentRelease(release: try $0.value(0), from: $0[1], to: $0[2], isOver: try $0.value(3))
    }
  }

  /// The published revision of a release.
  package func publishedRevision(of release: String, pipeline: String) throws -> Int? {
    try connection.query(
      """
      SELECT revision FROM rivulet.release
      WHERE pipeline = $1 AND release = $2 AND state = 'published'
      """, [.text(pipeline), .text(release)]
    ).first?.value(0)
  }

  /// The next revision of a release. A number is never given twice: what is dropped stays in the ledger under
  /// its own.
  package func nextRevision(of release: String, pipeline: String) throws -> Int {
    try connection.query(
      """
      SELECT greatest(
        (SELECT max(revision) FROM rivulet.release WHERE pipeline = $1 AND release = $2),
        (SELECT max(revision) FROM rivulet.run WHERE pipeline = $1 AND release = $2), 0) + 1
      """, [.text(pipeline), .text(release)])[0].value(0)
  }

  /// The published revision of the release, else the published release with the latest effective date before
  /// it.
  package func base(
    of release: ReleaseIdentity, pipeline: String
  ) throws -> (release: String, revision: Int, missing: [String])? {
    let rows = try connection.query(
      """
      SELECT release, revision, m.name
      FROM (
        SELECT release, revision, missing_tables FROM rivulet.release
        WHERE pipeline = $1 AND state = 'published'
          AND (release = $2 OR (effective_from, release) < ($3::date, $2))
        ORDER BY release = $2 DESC, effective_from DESC, release DESC LIMIT 1) base
      LEFT JOIN LATERAL unnest(missing_tables) m(name) ON true
      """, [.text(pipeline), .text(release.name), .text(release.dates.from)])
    guard let first = rows.first else { return nil }
    return (try first.value(0), try first.value(1), rows.rows.compactMap { $0[2] })
  }

  /// The schemas of the tables that a pipeline has releases in.
  package func schemas(of pipeline: String) throws -> [String] {
    Set(try targets(of: pipeline).map { String($0.prefix { $0 != "." }) }).sorted()
  }

  /// The tables that a pipeline has loaded releases for.
  package func targets(of pipeline: String) throws -> [String] {
    try connection.query(
      "SELECT DISTINCT target FROM rivulet.release_table WHERE pipeline = $1", [.text(pipeline)]
    ).rows.map { try $0.value(0) }
  }
}
