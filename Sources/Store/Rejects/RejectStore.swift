import PipelineCore
package import PostgreSQL

/// The statements that remove rejected records from schema `rivulet`.
///
/// Each throws `PostgreSQLError` where it fails.
package enum RejectStore {
  /// So many records of a source are kept once it is certain that the run has too many.
  package static let leastKept = 10_000

  /// Removes what a run that never ended has left: those of its sources that were whole.
  package static func clear(unfinished run: Int, on connection: Connection) throws {
    try connection.execute(
      deletion(
        of: """
          SELECT f.source_file_id FROM rivulet.source_file f JOIN rivulet.run u USING (run)
          WHERE u.run = \(run) AND u.state = 'running'
          """))
  }

  /// Removes what is beyond ``leastKept`` of a source of a run that is refused: with a share as the limit
  /// that is known only when all is read. Gives how many records are left.
  package static func cut(_ sources: [[Int]], on connection: Connection) throws -> Int {
    var left = 0
    for numbers in sources where !numbers.isEmpty {
      let kept: Int = try connection.query(
        """
        WITH gone AS (
          DELETE FROM rivulet.reject WHERE (source_file_id, line, reject) IN (
            SELECT source_file_id, line, reject FROM rivulet.reject WHERE source_file_id IN (\(list(numbers)))
            ORDER BY source_file_id, line, reject OFFSET \(leastKept))
          RETURNING 1)
        SELECT (SELECT count(*) FROM rivulet.reject WHERE source_file_id IN (\(list(numbers))))
          - (SELECT count(*) FROM gone)
        """)[0].value(0)
      left += kept
    }
    return left
  }

  /// `sources`: SQL that gives the numbers of sources.
  package static func deletion(of sources: String) -> String {
    ["reject", "reject_reason", "reject_header"].map { table in
      "DELETE FROM rivulet.\(table) WHERE source_file_id IN (\(sources))"
    }.joined(separator: ";")
  }

  package static func list(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ",") }
}
