/// Poolers such as PgBouncer that give a client another server process for every transaction, so that a
/// session's locks and settings are anybody's.
public enum TransactionPooler {
  /// Whether there is one between a connection and its server; to be asked outside a transaction.
  ///
  /// Directly connected, the server's process has said the same number, asked for it first of all, as it has
  /// given the client before. Behind a pooler a second connection is made: where two clients are ever served
  /// by the same process, or one client by two, processes belong to transactions.
  /// - Throws: ``PostgreSQLError`` of one of the connections.
  public static func isBehind(_ connection: Connection) throws -> Bool {
    if connection.process == connection.backendID { return false }
    let other = try connection.another()
    var mine: Set<Int> = [connection.process]
    var others: Set<Int> = [other.process]
    for _ in 0..<4 {
      others.insert(try process(of: other))
      mine.insert(try process(of: connection))
      mine.insert(try process(of: connection))
    }
    return mine.count > 1 || others.count > 1 || !mine.isDisjoint(with: others)
  }

  private static func process(of connection: Connection) throws -> Int {
    try connection.query("SELECT pg_backend_pid()")[0].value(0)
  }
}
