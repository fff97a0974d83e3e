package import PipelineCore
import PostgreSQL

/// The tables that rows of another run are added to.
extension ReleaseStore {
  /// The tables of the last revision of a release that brought them itself, as each amendment replaces the
  /// one before.
  ///
  /// `amending`: the sources that only amend.
  /// - Throws: ``RunError/nothingToAmend(release:)`` where there is none,
  ///   ``RunError/amendedAsLoaded(release:by:)``
  ///   where its tables were amended as they were loaded, so that nobody has them as they were before.
  package func tablesToAmend(
    of release: String, pipeline: String, amending: [String]
  ) throws -> [ReleaseTable] {
    let rows = try connection.query(
      """
      SELECT t.target, t.partition, base.amended_by
      FROM (
        SELECT r.pipeline, r.release, r.revision, min(f.entry) FILTER (WHERE f.source = ANY ($3)) AS amended_by
        FROM rivulet.release r
        JOIN (SELECT run, source, coalesce(entry, regexp_replace(file, '^.*/', '')) AS entry
          FROM rivulet.source_file) f USING (run)
        WHERE r.pipeline = $1 AND r.release = $2 AND r.state IN ('published', 'superseded')
        GROUP BY r.pipeline, r.release, r.revision HAVING bool_or(f.source <> ALL ($3))
        ORDER BY r.revision DESC LIMIT 1) base
      JOIN rivulet.release_table t USING (pipeline, release, revision)
      ORDER BY t.target
      """, [.text(pipeline), .text(release), .textArray(amending)])
    guard let first = rows.first else { throw RunError.nothingToAmend(release: release) }
    if let amending = first[2] { throw RunError.amendedAsLoaded(release: release, by: amending) }
    return try rows.rows.map { ReleaseTable(target: try $0.value(0), partition: try $0.value(1)) }
  }

  /// What corrected records of a run could be added to.
  package struct RevisionOfRun: Sendable {
    /// How the run ended.
    package let state: RunState
    /// Whether its revision is published, or staged.
    package let isInPlace: Bool
    /// The run that made the published revision of its release.
    package let publishedBy: Int?
    /// An entry of a source that only amends, where it had one.
    package let amendedBy: String?
    /// Whether it loaded entries of other sources, too.
    package let loadedOthers: Bool
    /// Whether it was refused for the number of its rejected records alone.
    package let isOverLimit: Bool
    /// The tables of its revision.
    package let tables: [ReleaseTable]
  }

  /// Looks for the revision that a run made.
  ///
  /// `amending`: the sources that only amend.
  package func revision(ofRun run: Int, amending: [String]) throws -> RevisionOfRun {
    let row = try connection.query(
      """
      SELECT u.state, r.state IN ('published', 'staged'),
        (SELECT p.run FROM rivulet.release p
         WHERE (p.pipeline, p.release, p.state) = (u.pipeline, u.release, 'published')),
        (SELECT min(regexp_replace(coalesce(f.entry, f.file), '^.*/', '')) FROM rivulet.run_lineage($1) l
         JOIN rivulet.source_file f USING (run) WHERE f.source = ANY ($2)),
        (SELECT bool_or(f.source <> ALL ($2)) FROM rivulet.run_lineage($1) l
         JOIN rivulet.source_file f USING (run)),
        u.state = 'refused' AND NOT EXISTS (
          SELECT FROM rivulet.gate_result g WHERE g.run = u.run AND NOT g.passed AND NOT g.is_accepted)
      FROM rivulet.run u LEFT JOIN rivulet.release r USING (run) WHERE u.run = $1
      """, [.integer(run), .textArray(amending)])[0]
    let own = try connection.query(
      """
      SELECT t.target, t.partition FROM rivulet.release_table t
      JOIN rivulet.release r USING (pipeline, release, revision) WHERE r.run = $1 ORDER BY t.target
      """, [.integer(run)]
    ).rows.map { ReleaseTable(target: try $0.value(0), partition: try $0.value(1)) }
    return RevisionOfRun(
      state: RunState(rawValue: try row.value(0)) ?? .failed, isInPlace: try row.optional(1) ?? false,
      publishedBy: try row.optional(2), amendedBy: row[3], loadedOthers: try row.optional(4) ?? true,
      isOverLimit: try row.value(5), tables: own)
  }
}
