import Definitions
import PostgreSQL

/// A loaded revision's entry among the releases.
struct Registration {
  let revision: Publisher.Revision
  let pipeline: String
  let dates: EffectiveDates
  /// The last day whose changes it came with, where its files tell.
  let holdsTo: String?
  /// The targets that the bundle had no table for.
  let missing: [String]
  let run: Int
  let tables: [(table: StagedTable, rows: Int)]
  /// The partitions that the tables began with copies of: they hold what was merged into those.
  let copied: [String]

  func insert(on connection: Connection) throws {
    try connection.query(
      """
      INSERT INTO rivulet.release
        (pipeline, release, revision, effective_from, effective_to, missing_tables, state, run, holds_to)
      VALUES ($1, $2, $3, $4, $5, $6, 'staged', $7, coalesce($8::date, (
        SELECT max(r.holds_to) FROM rivulet.release r WHERE r.pipeline = $1 AND r.release = $2)))
      """,
      [
        .text(pipeline), .text(revision.release), .integer(revision.revision), .text(dates.from),
        Parameter(dates.to), .textArray(missing), .integer(run), Parameter(holdsTo),
      ])
    for (table, rows) in tables {
      try connection.query(
        """
        INSERT INTO rivulet.release_table (pipeline, release, revision, target, partition, rows)
        VALUES ($1, $2, $3, $4, $5, $6)
        """,
        [
          .text(pipeline), .text(revision.release), .integer(revision.revision), .text(table.target.name),
          .text(table.name), .integer(rows),
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
