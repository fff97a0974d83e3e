import Host
import PostgreSQL

/// What happens where others hold the tables of a release.
extension Publisher {
  /// Runs a change in a transaction that waits only briefly for tables: while it waits, new readers queue
  /// behind it, so that it is given up, rolled back and tried again after a pause.
  ///
  /// Throws ``ReleaseOperationError/blocked(pipeline:release:sessions:)`` at the end, of the release that is told then.
  func retryingLocks(_ release: () -> String?, _ change: () throws -> Void) throws {
    let deadline = Machine.seconds + max(5, lockWait)
    while true {
      do {
        try connection.transaction(settings: "SET LOCAL lock_timeout = '\(Publisher.patience)'", change)
        return
      } catch let error as PostgreSQLError where error.isLockTimeout {
        guard Machine.seconds < deadline else {
          throw ReleaseOperationError.blocked(
            pipeline: pipeline, release: release(), sessions: (try? sessionsInTheWay(of: release())) ?? [])
        }
        try Interruption.shared.sleep(seconds: .random(in: 0.2...0.6))
      }
    }
  }

  /// The sessions that hold locks on what a change of a release takes for itself: `process 123 (psql)`.
  private func sessionsInTheWay(of release: String?) throws -> [String] {
    // The tables that tell may be what is locked.
    try connection.transaction(settings: "SET LOCAL lock_timeout = '\(Publisher.patience)'") {
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
}
