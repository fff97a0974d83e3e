package import Definitions
package import PipelineCore
package import PostgreSQL

/// A loaded revision's entry among the releases.
package struct Registration {
  package let revision: ReleaseRevision
  package let pipeline: String
  package let dates: EffectiveDates
  /// The last day whose changes it came with, where its files tell.
  package let holdsTo: String?
  /// The targets that the bundle had no table for.
  package let missing: [String]
  /// The parts of tables that it lacked, for the user; nil where it adds to a revision, which tells.
  package let missingParts: [String]?
  /// Whether the files say that they are samples.
  package let isSynthetic: Bool
  package let run: Int
  package let tables: [(table: ReleaseTable, rows: Int)]
  /// The partitions that the tables began with copies of: they hold what was merged into those.
  package let copied: [String]

  package init(
    revision: ReleaseRevision, pipeline: String, dates: EffectiveDates, holdsTo: String?, missing: [String],
    missingParts: [String]?, isSynthetic: Bool, run: Int, tables: [(table: ReleaseTable, rows: Int)],
    copied: [String]
  ) {
    (self.revision, self.pipeline, self.dates, self.holdsTo) = (revision, pipeline, dates, holdsTo)
    (self.missing, self.run, self.tables, self.copied) = (missing, run, tables, copied)
    (self.missingParts, self.isSynthetic) = (missingParts, isSynthetic)
  }

  /// Enters the revision as staged.
  package func insert(on connection: Connection) throws {
    try connection.query(
      """
      INSERT INTO rivulet.release
        (pipeline, release, revision, effective_from, effective_to, missing_tables, state, run, holds_to, synthetic,
          missing_parts)
      VALUES ($1, $2, $3, $4, $5, $6, 'staged', $7, coalesce($8::date, (
        SELECT max(r.holds_to) FROM rivulet.release r WHERE r.pipeline = $1 AND r.release = $2)), $9,
        coalesce($10::text[], (SELECT r.missing_parts FROM rivulet.release r
          WHERE r.pipeline = $1 AND r.release = $2 ORDER BY r.revision DESC LIMIT 1), '{}'))
      """,
      [
        .text(pipeline), .text(revision.release), .integer(revision.revision), .text(dates.from),
        Parameter(dates.to), .textArray(missing), .integer(run), Parameter(holdsTo),
        .boolean(isSynthetic), missingParts.map(Parameter.textArray) ?? .null,
      ])
    for (table, rows) in tables {
      try connection.query(
        """
        INSERT INTO rivulet.release_table (pipeline, release, revision, target, partition, rows)
        VALUES ($1, $2, $3, $4, $5, $6)
        """,
        [
          .text(pipeline), .text(revision.release), .integer(revision.revision), .text(table.target),
          .text(table.partition), .integer(rows),
        ])
    }
    guard !copied.isEmpty else { return }
    try connection.query(
      """
      INSERT INTO rivulet.merge (run, source, target, pipeline, release, revision, period_from, period_to, inserted,
        updated, deleted, unchanged, merged_at)
      SELECT m.run, m.source, m.target, m.pipeline, m.release, $1::int, m.period_from, m.period_to, m.inserted,
        m.updated, m.deleted, m.unchanged, m.merged_at
      FROM rivulet.merge m JOIN rivulet.release_table t USING (pipeline, release, revision, target)
      WHERE t.partition = ANY ($2)
      """, [.integer(revision.revision), .textArray(copied)])
  }
}
