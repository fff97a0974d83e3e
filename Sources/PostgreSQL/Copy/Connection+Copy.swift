import CLibPQ

extension Connection {
  /// Loads rows through COPY: `body` builds them; its return ends the COPY, its throw fails it, and then the
  /// table holds none of them.
  ///
  /// `table` is a name as ``Quote/qualified(_:)`` takes it. `freeze` needs the table to have been made or
  /// emptied in the same transaction. `isOfSeveral` is for one of several at once, none of which is to wait
  /// for another: a thread of its own sends the rows. Gives the number of rows that the server says it took.
  /// - Throws: what `body` throws, and ``PostgreSQLError`` where the server refuses rows, or the connection
  ///   is lost.
  @discardableResult
  public func copy(
    into table: String, columns: [String], freeze: Bool = false,
    isOfSeveral: Bool = false, _ body: (inout CopyBuffer) throws -> Void
  ) throws -> Int {
    let writer = try CopyWriter(
      self, into: table, columns: columns, freeze: freeze, isOfSeveral: isOfSeveral)
    return try writer.write(body)
  }

  func openCopy(_ sql: String) throws(PostgreSQLError) {
    let answer = PQexec(handle, sql)
    guard PQresultStatus(answer) == PGRES_COPY_IN else {
      try checked(answer, statement: sql)
      throw .unexpectedAnswer("COPY did not begin")
    }
    PQclear(answer)
  }
}
