import Host

extension Connection {
  /// Runs `body` in a transaction on each of some connections, and then `ending` and the COMMIT on each of
  /// them, side by side; a throw rolls back all that are not committed yet.
  ///
  /// What a large table needs last, its keys and the wait for the disk, is done for several tables at once
  /// so.
  /// - Parameters:
  ///   - connections: those that the transactions are on.
  ///   - body: what is done in all of them.
  ///   - ending: what is done at the end of one of them, given its place among `connections`.
  /// - Returns: what `ending` gave, in the order of `connections`.
  /// - Throws: what `body` or `ending` throws, and ``PostgreSQLError`` where a COMMIT fails.
  public static func transactions<Value: Sendable>(
    on connections: [Connection], _ body: () throws -> Void,
    ending: @escaping @Sendable (_ place: Int, Connection) throws -> Value
  ) throws -> [Value] {
    let levels = connections.map(\.depth)
    defer { for (connection, level) in zip(connections, levels) { connection.depth = level } }
    do {
      for (connection, level) in zip(connections, levels) { try connection.begin(level) }
      try body()
      return try end(connections, levels, ending)
    } catch {
      // The first error is the one to tell.
      for (connection, level) in zip(connections, levels) where connection.isInTransaction {
        connection.rollBack(level)
      }
      throw error
    }
  }

  private static func end<Value: Sendable>(
    _ connections: [Connection], _ levels: [Int],
    _ ending: @escaping @Sendable (_ place: Int, Connection) throws -> Value
  ) throws -> [Value] {
    let answers = Mailbox<(place: Int, value: Result<Value, any Error>)>()
    for place in connections.indices.reversed() {
      // Nobody else uses it until the answer is there.
      nonisolated(unsafe) let connection = connections[place]
      let level = levels[place]
      let work: @Sendable () -> Void = {
        let value = Result {
          let value = try ending(place, connection)
          try connection.commit(level)
          return value
        }
        answers.put((place, value))
      }
      // The first one's is done here, when all others are under way.
      if place == 0 || !BackgroundThread.start(work) { work() }
    }
    return try connections.map { _ in answers.take() }.sorted { $0.place < $1.place }.map {
      try $0.value.get()
    }
  }
}
