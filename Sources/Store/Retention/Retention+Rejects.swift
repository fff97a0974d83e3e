import Host
import PipelineCore
import PostgreSQL

extension Retention {
  /// Removes the refused records of runs that ended longer ago than a span. How many there were and why
  /// stays, with the examples that may be shown.
  /// - Throws: `PostgreSQLError` where a statement fails.
  public func removeRejects(olderThan span: Duration, _ report: (Removed) -> Void) throws {
    let sources = try connection.query(
      """
      SELECT f.source_file_id FROM rivulet.source_file f JOIN rivulet.run u USING (run)
      WHERE u.state <> 'running'
        AND coalesce(u.finished_at, u.started_at) < clock_timestamp() - make_interval(secs => $1)
        AND (EXISTS (SELECT FROM rivulet.reject j WHERE j.source_file_id = f.source_file_id)
          OR EXISTS (SELECT FROM rivulet.reject_header h WHERE h.source_file_id = f.source_file_id))
      ORDER BY 1
      """, [.seconds(span)])
    for row in sources.rows { try removeRejects(ofSource: try row.value(0), report) }
  }

  private func removeRejects(ofSource source: Int, _ report: (Removed) -> Void) throws {
    while true {
      try Interruption.shared.check()
      var removed = try remove(
        from: "reject",
        where: """
          (t.source_file_id, t.line, t.reject) IN (
            SELECT j.source_file_id, j.line, j.reject FROM rivulet.reject j WHERE j.source_file_id = $1
            ORDER BY j.line, j.reject LIMIT \(Retention.batch))
          """, [.integer(source)])
      guard removed.rows > 0 else { break }
      removed.count = removed.rows
      report(removed)
    }
    // A header is for writing records out again.
    report(try remove(from: "reject_header", where: "t.source_file_id = $1", [.integer(source)]))
  }
}
