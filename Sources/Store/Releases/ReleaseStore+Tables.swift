package import PipelineCore
import PostgreSQL

extension ReleaseStore {
  /// The tables of a published revision that nobody has analyzed yet.
  package func unanalyzed(_ base: PublishedRelease, targets: [String], pipeline: String) throws -> [String] {
    try connection.query(
      """
      SELECT t.partition FROM rivulet.release_table t JOIN pg_class c ON c.oid = rivulet.relation(t.partition)
      WHERE t.pipeline = $1 AND t.release = $2 AND t.revision = $3 AND t.target = ANY ($4)
        AND NOT EXISTS (SELECT FROM pg_statistic s WHERE s.starelid = c.oid)
      """,
      [.text(pipeline), .text(base.identity.name), .integer(base.revision), .textArray(targets)]
    ).rows.map { try $0.value(0) }
  }

  /// The rows of the tables of a published revision, by target.
  package func rows(of base: PublishedRelease, targets: [String]) throws -> [String: Int] {
    try connection.query(
      "SELECT target, rows FROM rivulet.release_table WHERE release = $1 AND revision = $2 AND target = ANY ($3)",
      [.text(base.identity.name), .integer(base.revision), .textArray(targets)]
    ).rows.reduce(into: [:]) { $0[try $1.value(0)] = try $1.value(1) }
  }
}
