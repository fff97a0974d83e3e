package import PipelineCore
import PostgreSQL

extension ReleaseStore {
  /// The revisions of a pipeline that are no longer published since longer than a span.
  ///
  /// A revision that rolling the newest publication back would publish again was hidden with it. What the
  /// next corrections are applied to is kept: the tables of a release as they were before any.
  ///
  /// `amending`: the sources that only amend.
  package func expired(
    _ pipeline: String, olderThan span: Duration, amending: [String]
  ) throws -> [ReleaseRevision] {
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
        .text(pipeline), .seconds(span),
        .textArray(amending),
      ]
    ).rows.map { ReleaseRevision(release: try $0.value(0), revision: try $0.value(1)) }
  }
}
