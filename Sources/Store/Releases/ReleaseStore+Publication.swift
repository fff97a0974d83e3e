package import PipelineCore
import PostgreSQL

/// What publishing, rolling back, pinning and dropping record. Each is a part of a transaction of its caller.
extension ReleaseStore {
  /// A publication that can be rolled back.
  package struct Publication: Sendable {
    /// Its number.
    package let number: Int
    /// What was published.
    package let published: ReleaseRevision
    /// The revision that it replaced, where that is kept.
    package let replaced: ReleaseRevision?
  }

  /// The tables of a revision, in the order of their targets.
  package func parts(of revision: ReleaseRevision, pipeline: String) throws -> [ReleasePart] {
    try connection.query(
      """
      SELECT target, partition, rows, to_regclass(partition) IS NOT NULL,
        EXISTS (SELECT FROM pg_inherits
          WHERE inhrelid = to_regclass(partition) AND inhparent = to_regclass(target)),
        to_regclass(target) IS NOT NULL
      FROM rivulet.release_table
      WHERE pipeline = $1 AND release = $2 AND revision = $3 ORDER BY target
      """, [.text(pipeline), .text(revision.release), .integer(revision.revision)]
    ).rows.map {
      ReleasePart(
        target: try $0.value(0), partition: try $0.value(1), rows: try $0.value(2), isThere: try $0.value(3),
        isAttached: try $0.value(4), hasTarget: try $0.value(5))
    }
  }

  /// Records what revisions have become.
  package func recordStates(_ changes: [PublicationPlan.Change], pipeline: String) throws {
    for change in changes {
      try connection.query(
        """
        UPDATE rivulet.release SET state = $4,
          published_at = CASE WHEN $4 = 'published' THEN clock_timestamp() ELSE published_at END
        WHERE pipeline = $1 AND release = $2 AND revision = $3
        """,
        [
          .text(pipeline), .text(change.revision.release), .integer(change.revision.revision),
          .text(change.state.rawValue),
        ])
    }
  }

  /// Records a publication, and marks what reads the release.
  package func recordPublication(
    of revision: ReleaseRevision, replacing old: Int?, pipeline: String
  ) throws {
    try connection.query(
      """
      \(ViewMarks.ofChange)
      INSERT INTO rivulet.publication (pipeline, release, revision, replaced_revision, published_at)
      VALUES ($1, $2, $3, $4, \(PublicationMoment.now(of: "$1")))
      """,
      [.text(pipeline), .text(revision.release), .integer(revision.revision), Parameter(old)])
  }

  /// The newest publication of a pipeline, or of one release of it, that can be rolled back; nil where nothing
  /// is published.
  ///
  /// `number`: nil where it is no longer this publication.
  package func newestPublication(
    of pipeline: String, release: String? = nil, number: Int? = nil
  ) throws -> Publication? {
    let newest = try connection.query(
      """
      SELECT p.publication, p.release, p.revision, (
        SELECT o.revision FROM rivulet.release o
        WHERE (o.pipeline, o.release, o.revision) = (p.pipeline, p.release, p.replaced_revision)
          AND o.state = 'superseded')
      FROM rivulet.publication p
      JOIN rivulet.release r USING (pipeline, release, revision)
      WHERE p.pipeline = $1 AND p.undone_at IS NULL AND r.state = 'published'
        AND p.release = coalesce($2, p.release) AND p.publication = coalesce($3::bigint, p.publication)
      ORDER BY p.publication DESC LIMIT 1
      """, [.text(pipeline), Parameter(release), Parameter(number)])
    return try newest.first.map { row in
      let release: String = try row.value(1)
      return Publication(
        number: try row.value(0), published: ReleaseRevision(release: release, revision: try row.value(2)),
        replaced: try row.optional(3).map { ReleaseRevision(release: release, revision: $0) })
    }
  }

  /// Records that a publication was rolled back, marks what reads the release, and unpins the release where
  /// nothing of it is published any more. Gives whether it was pinned.
  package func recordRollback(of publication: Publication, pipeline: String) throws -> Bool {
    let (published, replaced) = (publication.published, publication.replaced)
    let pin = try connection.query(
      "UPDATE rivulet.dataset SET pinned_release = NULL WHERE pipeline = $1 AND pinned_release = $2",
      [.text(pipeline), .text(replaced == nil ? published.release : "")])
    try connection.query(
      """
      \(ViewMarks.ofChange)
      UPDATE rivulet.publication SET undone_at = \(PublicationMoment.now(of: "$1")) WHERE publication = $5
      """,
      [
        .text(pipeline), .text(published.release), Parameter(replaced?.revision),
        .integer(published.revision), .integer(publication.number),
      ])
    return pin.affectedRows > 0
  }

  /// Whether a publication was rolled back.
  package func isUndone(_ publication: Int) throws -> Bool {
    try connection.query(
      "SELECT FROM rivulet.publication WHERE publication = $1 AND undone_at IS NOT NULL",
      [.integer(publication)]
    ).count > 0
  }

  /// Makes a release the current one until further notice; nil lets the calendar decide again.
  package func pin(_ release: String?, pipeline: String) throws {
    try connection.query(
      """
      WITH mark AS (
        \(ViewMarks.ofPointer(
          "'changed: ' || CASE WHEN $2::text IS NULL THEN $1::text || ' is pinned no more' ELSE $1::text || ' was pinned to ' || $2 END",
          where: "$2::text IS DISTINCT FROM (SELECT d.pinned_release FROM rivulet.dataset d WHERE d.pipeline = $1)"))
      )
      INSERT INTO rivulet.dataset (pipeline, pinned_release) VALUES ($1, $2)
      ON CONFLICT (pipeline) DO UPDATE SET pinned_release = excluded.pinned_release
      """, [.text(pipeline), Parameter(release)])
  }

  /// The sessions that hold locks on what a change of a release locks: `process 123 (psql)`.
  package func sessionsInTheWay(of release: String?, pipeline: String) throws -> [String] {
    try connection.query(
      """
      SELECT DISTINCT l.pid, nullif(a.application_name, '')
      FROM pg_locks l LEFT JOIN pg_stat_activity a USING (pid)
      WHERE l.locktype = 'relation' AND l.granted AND l.pid <> pg_backend_pid()
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND l.relation IN (
          SELECT to_regclass(target) FROM rivulet.release_table WHERE pipeline = $1
          UNION SELECT to_regclass(partition) FROM rivulet.release_table WHERE pipeline = $1 AND release = $2)
      ORDER BY 1
      """, [.text(pipeline), Parameter(release)]
    ).rows.map { row in "process \(row[0] ?? "?")" + (row[1].map { " (\($0))" } ?? "") }
  }
}
