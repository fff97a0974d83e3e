package import PipelineCore
import PostgreSQL

/// What dropping records, and keeping a revision that is not published.
extension ReleaseStore {
  /// Marks what asks which releases there are, for one that is not published.
  package func markStaged(_ revision: ReleaseRevision, pipeline: String) throws {
    try connection.query(
      ViewMarks.ofPointer("format('changed: release %s of %s was staged', $2::text, $1::text)"),
      [.text(pipeline), .text(revision.release)])
  }

  /// Marks what reads revisions that are about to be dropped, of which `attached` are the published tables.
  /// The tables will be gone when somebody looks, which then is what the mark tells.
  package func markDropped(_ release: String, attached: [ReleasePart], pipeline: String) throws {
    let gone = "format('changed: release %s was dropped', t.release)"
    try connection.query(
      """
      WITH mark AS (
        \(ViewMarks.ofTables(gone, where: "t.pipeline = $1 AND t.release = $2 AND t.partition = ANY ($3)"))
      )
      \(ViewMarks.ofPointer("format('changed: release %s of %s was dropped', $2::text, $1::text)"))
      """, [.text(pipeline), .text(release), .textArray(attached.map(\.partition))])
  }

  /// Removes a revision from the releases, and from the publications that can be rolled back: one that
  /// replaced it counts as having replaced what it had replaced itself.
  package func forget(_ revision: ReleaseRevision, pipeline: String) throws {
    try connection.query(
      """
      WITH later AS (
        UPDATE rivulet.publication p SET replaced_revision = (
          SELECT nullif(d.replaced_revision, p.revision) FROM rivulet.publication d
          WHERE (d.pipeline, d.release, d.revision) = (p.pipeline, p.release, p.replaced_revision)
            AND d.undone_at IS NULL AND d.publication < p.publication
          ORDER BY d.publication DESC LIMIT 1)
        WHERE p.pipeline = $1 AND p.release = $2 AND p.replaced_revision = $3 AND p.undone_at IS NULL
      ), own AS (
        UPDATE rivulet.publication SET undone_at = \(PublicationMoment.now(of: "$1"))
        WHERE pipeline = $1 AND release = $2 AND revision = $3 AND undone_at IS NULL
      ), pin AS (
        UPDATE rivulet.dataset d SET pinned_release = NULL
        WHERE d.pipeline = $1 AND d.pinned_release = $2 AND NOT EXISTS (
          SELECT FROM rivulet.release r WHERE r.pipeline = $1 AND r.release = $2 AND r.revision <> $3)
      )
      DELETE FROM rivulet.release WHERE pipeline = $1 AND release = $2 AND revision = $3
      """, [.text(pipeline), .text(revision.release), .integer(revision.revision)])
  }

  /// How much of the disk tables take with their indexes, in bytes.
  package func size(of tables: [String]) throws -> Int {
    try connection.query(
      "SELECT coalesce(sum(\(connection.totalSize(of: "to_regclass(t)"))), 0)::bigint FROM unnest($1::text[]) t",
      [.textArray(tables)])[0].value(0)
  }
}
