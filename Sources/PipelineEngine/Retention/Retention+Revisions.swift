public import Definitions
import Host
import PostgreSQL

/// A revision that retention looked at.
public struct ExpiredRevision: Sendable {
  /// The pipeline.
  public let pipeline: String
  /// The release.
  public let release: String
  /// Its number.
  public let revision: Int
  /// What was removed; nothing where it was left.
  public var removed = Removed()
  /// Why it was left for another time, as where a run of the pipeline is at work; nil where it is gone.
  public var leftBecause: String?
}

extension Retention {
  /// Drops the revisions of a pipeline that went out of sight longer ago than a span, each as `releases drop` does it.
  ///
  /// A revision that taking the newest publication back would bring in sight again went out of sight with it. What the
  /// next corrections are applied to is kept: the tables of a release as they were before any.
  public func removeRevisions(
    of pipeline: Pipeline, olderThan span: Duration, _ report: (ExpiredRevision) -> Void
  ) throws {
    let releases = Releases(connection: connection)
    for var expired in try expired(pipeline, span) {
      try Interruption.shared.check()
      do {
        let dropped = try releases.drop(
          pipeline: expired.pipeline, release: expired.release, revision: expired.revision)
        expired.removed.count = 1
        expired.removed.rows = dropped.rows
        expired.removed.bytes = dropped.bytes
      } catch let error as ReleaseOperationError {
        expired.leftBecause = error.description
      }
      report(expired)
    }
  }

  private func expired(_ pipeline: Pipeline, _ span: Duration) throws -> [ExpiredRevision] {
    try connection.query(
      """
      SELECT r.release, r.revision
      FROM rivulet.release r JOIN rivulet.run u USING (run)
      CROSS JOIN LATERAL (
        SELECT max(p.published_at) FILTER (WHERE p.replaced_revision = r.revision) AS replaced_at,
          max(p.undone_at) FILTER (WHERE p.revision = r.revision) AS undone_at
        FROM rivulet.publication p WHERE (p.pipeline, p.release) = (r.pipeline, r.release)) p
      WHERE r.pipeline = $1 AND r.state IN ('superseded', 'withdrawn')
        AND coalesce(CASE r.state WHEN 'superseded' THEN p.replaced_at ELSE p.undone_at END,
          u.finished_at, u.started_at) < clock_timestamp() - make_interval(secs => $2)
        AND r.revision IS DISTINCT FROM (
          SELECT max(b.revision) FROM rivulet.release b
          WHERE (b.pipeline, b.release) = (r.pipeline, r.release) AND b.state IN ('published', 'superseded')
            AND EXISTS (SELECT FROM rivulet.source_file f WHERE f.run = b.run AND f.source <> ALL ($3)))
      ORDER BY r.release, r.revision
      """,
      [
        .text(pipeline.name), .seconds(span),
        .textArray(pipeline.sources.filter { $0.amendment != nil }.map(\.name)),
      ]
    ).rows.map {
      ExpiredRevision(pipeline: pipeline.name, release: try $0.value(0), revision: try $0.value(1))
    }
  }
}
