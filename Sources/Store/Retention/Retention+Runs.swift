import Host
import PipelineCore
import PostgreSQL

extension Retention {
  /// So many runs go in one transaction.
  private static let runs = 500

  /// Removes runs that ended longer ago than a span and that nothing refers to, with their sources, stages
  /// and rules.
  ///
  /// What was loaded is kept for good, even where its release is gone: rows of other revisions may name its
  /// sources, the numbers of its revisions are not given again, and a file that still lies in a watched
  /// folder is known by it. So is a run whose refused records are kept, or were loaded, corrected, by a run
  /// that is kept.
  /// - Throws: `PostgreSQLError` where a statement fails.
  public func removeRuns(olderThan span: Duration, _ report: (Removed) -> Void) throws {
    while true {
      try Interruption.shared.check()
      let removed = try connection.transaction { try removeSomeRuns(span) }
      guard removed.count > 0 else { return }
      report(removed)
    }
  }

  private func removeSomeRuns(_ span: Duration) throws -> Removed {
    let runs: [Int] = try connection.query(
      """
      SELECT u.run FROM rivulet.run u
      WHERE u.state NOT IN ('running', 'published', 'staged', 'merged')
        AND coalesce(u.finished_at, u.started_at) < clock_timestamp() - make_interval(secs => $1)
        AND NOT EXISTS (SELECT FROM rivulet.release r WHERE r.run = u.run)
        AND NOT EXISTS (SELECT FROM rivulet.run l WHERE l.replays = u.run)
        AND NOT EXISTS (SELECT FROM rivulet.source_file f JOIN rivulet.source_file l ON l.replays = f.source_file_id
          WHERE f.run = u.run)
        AND NOT EXISTS (SELECT FROM rivulet.source_file f JOIN rivulet.reject j USING (source_file_id)
          WHERE f.run = u.run)
      ORDER BY u.run LIMIT \(Retention.runs) FOR UPDATE SKIP LOCKED
      """, [.seconds(span)]
    ).rows.map { try $0.value(0) }
    var removed = Removed()
    guard !runs.isEmpty else { return removed }
    let numbers = Parameter.text("{" + runs.map(String.init).joined(separator: ",") + "}")
    let ofSource =
      "t.source_file_id IN (SELECT f.source_file_id FROM rivulet.source_file f WHERE f.run = ANY ($1::bigint[]))"
    for table in ["reject_reason", "reject_header"] {
      removed += try remove(from: table, where: ofSource, [numbers])
    }
    for table in ["gate_result", "release_change", "run_stage", "source_file", "run"] {
      removed += try remove(from: table, where: "t.run = ANY ($1::bigint[])", [numbers])
    }
    removed.count = runs.count
    return removed
  }
}
