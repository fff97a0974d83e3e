import Host

extension Connection {
  /// Takes a session advisory lock named by text, polling so that nobody ever queues behind a waiting
  /// session (`CREATE INDEX CONCURRENTLY` would wait for one). False when it was not to be had in time.
  ///
  /// The server drops the lock with the connection, however that ends.
  public func acquireLock(_ name: String, waiting seconds: Double = 0) throws -> Bool {
    let deadline = Machine.seconds + seconds
    while true {
      let answer = try query("SELECT pg_try_advisory_lock(hashtextextended($1, 7711))", [.text(name)])
      if try answer[0].value(0, Bool.self) { return true }
      let left = deadline - Machine.seconds
      if left <= 0 { return false }
      try Interruption.shared.check()
      Machine.sleep(seconds: min(left, 0.05 + 0.05 * Double.random(in: 0...1)))
    }
  }

  /// Gives the lock back.
  public func releaseLock(_ name: String) throws(PostgreSQLError) {
    try query("SELECT pg_advisory_unlock(hashtextextended($1, 7711))", [.text(name)])
  }
}
