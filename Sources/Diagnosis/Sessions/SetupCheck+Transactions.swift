import PostgreSQL

extension SetupCheck {
  /// Whether transactions stay open, or wait for each other.
  static let transactions = SetupCheck(
    "transactions", .sessions,
    because: "an open transaction holds its locks, and keeps every table from being vacuumed"
  ) { subject in
    try subject.reading { connection in
      let row = try connection.query(
        """
        SELECT count(*), current_user FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type IS NULL
        """)[0]
      let hidden: Int = try row.value(0)
      var findings = try open(on: connection).compactMap(finding) + prepared(on: connection)
      if hidden > 0 {
        findings.append(
          .unseen(
            "\(hidden) sessions of other roles",
            fix: "GRANT pg_read_all_stats TO \(Quote.identifier(try row.value(1)));"))
      }
      return findings.isEmpty ? [.ok("none is open for long, and none waits")] : findings
    }
  }

  private static func open(on connection: Connection) throws -> [OpenTransaction] {
    try connection.query(
      """
      SELECT pid, usename, application_name, state LIKE 'idle in transaction%',
        extract(epoch FROM clock_timestamp() - xact_start)::float8,
        extract(epoch FROM clock_timestamp() - state_change)::float8,
        CASE wait_event_type WHEN 'Lock' THEN (pg_blocking_pids(pid))[1] END
      FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
        AND backend_type = 'client backend' ORDER BY xact_start
      """
    ).rows.map { row in
      OpenTransaction(
        session: SessionName(process: try row.value(0), user: row[1], program: row[2]),
        isIdle: try row.value(3), seconds: try row.value(4), secondsInState: try row.optional(5) ?? 0,
        blocker: try row.optional(6))
    }
  }

  private static func prepared(on connection: Connection) throws -> [Finding] {
    try connection.query(
      """
      SELECT gid, owner, extract(epoch FROM clock_timestamp() - prepared)::float8 FROM pg_prepared_xacts
      WHERE database = current_database() ORDER BY prepared
      """
    ).rows.map { row in
      let (gid, minutes) = (try row.value(0, String.self), Int(try row.value(2, Double.self) / 60))
      return .warning(
        "the prepared transaction '\(gid)' of \(try row.value(1, String.self)) is open for \(minutes) min",
        fix: "ROLLBACK PREPARED \(Quote.literal(gid));")
    }
  }

  /// What an open transaction means; nil where it is brief.
  static func finding(_ open: OpenTransaction) -> Finding? {
    let end = "SELECT pg_terminate_backend(\(open.session.process));"
    if let blocker = open.blocker {
      let found = "\(open.session) waits for a lock of session \(blocker)"
      let fix = "SELECT pg_terminate_backend(\(blocker));"
      return open.secondsInState >= 10
        ? .warning("\(found) for \(Int(open.secondsInState)) s", fix: fix) : .note(found, fix: fix)
    }
    if open.isIdle {
      let found = "\(open.session) has a transaction open and asks nothing"
      return open.secondsInState >= 300
        ? .warning("\(found) for \(Int(open.secondsInState / 60)) min", fix: end) : .note(found, fix: end)
    }
    guard open.seconds >= 300 else { return nil }
    let found = "\(open.session) is in one transaction for \(Int(open.seconds / 60)) min"
    return open.seconds >= 3600 ? .warning(found, fix: end) : .note(found, fix: end)
  }
}

/// A transaction of another session.
struct OpenTransaction {
  /// Whose it is.
  let session: SessionName
  /// Nothing is asked of it at the moment.
  let isIdle: Bool
  /// How long it is open.
  let seconds: Double
  /// How long it is idle, or at its statement.
  let secondsInState: Double
  /// The server's process that has the lock it waits for.
  let blocker: Int?
}
