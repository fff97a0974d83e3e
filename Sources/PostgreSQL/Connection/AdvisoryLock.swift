import Host

/// A session that has an advisory lock, or waits for it.
public struct LockHolder: Sendable {
  /// The lock's name.
  public let lock: String
  /// It is not granted yet.
  public let isWaiting: Bool
  /// The server's process.
  public let process: Int
  /// The role of the session.
  public let user: String?
  /// The name that its program gave.
  public let program: String?
  /// `active`, `idle` and the like; nil where this role may not see it.
  public let state: String?
  /// How long it has been in that state.
  public let seconds: Double?
  /// When the session began, ISO 8601 in UTC; nil where this role may not see it.
  public let since: String?
}

extension Connection {
  /// So long a lock that somebody holds is waited for in any case, in seconds: the server releases that of a
  /// program that was killed within half a second, and later where the machine is busy.
  public static let leastLockWait = 5.0

  /// Takes a session advisory lock named by text, polling so that nobody ever queues behind a waiting
  /// session (`CREATE INDEX CONCURRENTLY` would wait for one). False when it was not to be had in time.
  ///
  /// The server drops the lock with the connection, however that ends.
  /// - Throws: ``PostgreSQLError`` of the server or the connection; `Interrupted`.
  public func acquireLock(_ name: String, waiting seconds: Double = 0) throws -> Bool {
    let deadline = Machine.seconds + seconds
    while true {
      let answer = try query(
        "SELECT pg_catalog.pg_try_advisory_lock(pg_catalog.hashtextextended($1, 7711::bigint))", [.text(name)]
      )
      if try answer[0].value(0, Bool.self) { return true }
      let left = deadline - Machine.seconds
      if left <= 0 { return false }
      try Interruption.shared.check()
      Machine.sleep(seconds: min(left, 0.05 + 0.05 * Double.random(in: 0...1)))
    }
  }

  /// Whether this session has the lock: a script may have released all of them.
  /// - Throws: ``PostgreSQLError`` of the server, or of a connection that is lost.
  public func holdsLock(_ name: String) throws(PostgreSQLError) -> Bool {
    // Asked after each migration: of the function behind pg_locks, as to plan the view takes longer than to read it.
    let found = try query(
      "SELECT FROM pg_catalog.pg_lock_status() l WHERE l.pid OPERATOR(pg_catalog.=) pg_catalog.pg_backend_pid() "
        + "AND \(Connection.isLockNamed)", [.text(name)])
    return found.count > 0
  }

  /// Ends the session of a server's process where it is that which has the lock; nothing where it is another.
  /// - Throws: ``PostgreSQLError`` of the server, or of a connection that is lost.
  public func endHolder(of name: String, process: Int) throws(PostgreSQLError) {
    try query(
      "SELECT pg_catalog.pg_terminate_backend(l.pid) FROM pg_catalog.pg_locks l "
        + "WHERE l.pid OPERATOR(pg_catalog.=) $2::int AND \(Connection.isLockNamed)",
      [.text(name), .integer(process)])
  }

  /// The sessions that have one of these locks in this database, or wait for it, in the order of the names.
  /// - Throws: ``PostgreSQLError`` of the server, or of a connection that is lost.
  public func holders(ofLocks names: [String]) throws(PostgreSQLError) -> [LockHolder] {
    let found = try query(
      """
      SELECT n.name, l.granted, l.pid, a.usename, a.application_name, a.state,
        extract(epoch FROM pg_catalog.clock_timestamp() - a.state_change)::pg_catalog.float8,
        pg_catalog.to_char(a.backend_start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
      FROM pg_catalog.unnest($1::pg_catalog.text[]) n (name)
      JOIN pg_catalog.pg_locks l ON l.locktype = 'advisory'
        AND l.database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database())
        AND (l.classid::bigint << 32 | l.objid::bigint) = pg_catalog.hashtextextended(n.name, 7711::bigint)
      LEFT JOIN pg_catalog.pg_stat_activity a ON a.pid = l.pid
      ORDER BY n.name, l.granted DESC, l.pid
      """, [.textArray(names)])
    var holders: [LockHolder] = []
    for row in found.rows {
      holders.append(
        LockHolder(
          lock: try row.value(0), isWaiting: try !row.value(1, Bool.self), process: try row.value(2),
          user: row[3], program: row[4], state: row[5], seconds: try row.optional(6),
          since: row[7]))
    }
    return holders
  }

  /// A condition on a row `l` of `pg_locks`: it is the lock named by `$1`, which the server shows as its
  /// number's halves.
  private static let isLockNamed = """
    l.locktype OPERATOR(pg_catalog.=) 'advisory'::pg_catalog.text AND l.granted
      AND ((l.classid::bigint OPERATOR(pg_catalog.<<) 32) OPERATOR(pg_catalog.|) l.objid::bigint)
        OPERATOR(pg_catalog.=) pg_catalog.hashtextextended($1, 7711::bigint)
    """

  /// Gives the lock back.
  /// - Throws: ``PostgreSQLError`` of the server, or of a connection that is lost.
  public func releaseLock(_ name: String) throws(PostgreSQLError) {
    try query(
      "SELECT pg_catalog.pg_advisory_unlock(pg_catalog.hashtextextended($1, 7711::bigint))", [.text(name)])
  }
}
