import Host
import PostgreSQL

/// Keeps batches from running ahead of standbys: what these have not replayed yet is read there late, and lost
/// where one of them takes over.
struct StandbyLag {
  let connection: Connection
  let limit: TimeSpan
  /// Takes a sentence on what makes the user wait.
  let tell: (String) -> Void
  private var isHiddenReported = false

  /// The pause before it is looked again, in seconds.
  private static let pause = 0.5

  init(_ connection: Connection, limit: TimeSpan, tell: @escaping (String) -> Void) {
    (self.connection, self.limit, self.tell) = (connection, limit, tell)
  }

  /// Waits, with nothing locked, until no standby is further behind than the limit.
  ///
  /// - Throws: `PostgreSQLError`, and `Interrupted` as soon as the program is asked to end.
  mutating func wait() throws {
    var isReported = false
    while let seconds = try worst(), seconds > limit.seconds {
      if !isReported {
        let tenths = (seconds * 10).rounded() / 10
        tell(
          "a standby replays \(tenths) s late: the next batch waits until it is \(limit.seconds) s at most")
        isReported = true
      }
      try Interruption.shared.sleep(seconds: Self.pause)
    }
  }

  /// How late the slowest one replays, in seconds; nil where none does, or nobody may know.
  private mutating func worst() throws -> Double? {
    let row = try connection.query(
      """
      SELECT extract(epoch FROM max(replay_lag))::float8, count(*) > count(state)
      FROM pg_catalog.pg_stat_replication
      """)[0]
    if try row.value(1), !isHiddenReported {
      tell(
        "batches do not wait for standbys, since the role may not see how late they are: GRANT pg_read_all_stats"
      )
      isHiddenReported = true
    }
    return try row.optional(0)
  }
}
