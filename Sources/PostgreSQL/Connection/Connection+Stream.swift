extension Connection {
  /// Runs a SELECT in a read-only transaction and hands its rows over in batches, so that memory stays flat
  /// however many there are. `body` is called at least once, with no rows where there are none.
  /// - Throws: what `body` throws, and ``PostgreSQLError`` of the server or the connection.
  public func stream(
    _ sql: String, _ parameters: [Parameter] = [], batch: Int = 2000, _ body: (ResultSet) throws -> Void
  ) throws {
    try transaction {
      try execute("SET TRANSACTION READ ONLY")
      let head = "DECLARE rivulet_stream NO SCROLL CURSOR FOR\n"
      do throws(PostgreSQLError) {
        try query(head + sql, parameters)
      } catch {
        guard case .server(let found) = error else { throw error }
        var shifted = found
        shifted.position = found.position.map { max(1, $0 - head.unicodeScalars.count) }
        shifted.statement = sql
        throw PostgreSQLError.server(shifted)
      }
      while true {
        let rows = try execute("FETCH \(batch) FROM rivulet_stream")
        try body(rows)
        if rows.count < batch { break }
      }
      try execute("CLOSE rivulet_stream")
    }
  }
}
