import Definitions
import PostgreSQL

/// A loaded revision's entry among the releases.
struct Registration {
  let revision: Publisher.Revision
  let pipeline: String
  let dates: EffectiveDates
  /// The targets that the bundle had no table for.
  let missing: [String]
  let run: Int
  let tables: [(table: StagedTable, rows: Int)]

  func insert(on connection: Connection) throws {
    try connection.query(
      """
      INSERT INTO rivulet.release
        (pipeline, release, revision, effective_from, effective_to, missing_tables, state, run)
      VALUES ($1, $2, $3, $4, $5, $6, 'staged', $7)
      """,
      [
        .text(pipeline), .text(revision.release), .integer(revision.revision), .text(dates.from),
        Parameter(dates.to), .textArray(missing), .integer(run),
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
  }
}
