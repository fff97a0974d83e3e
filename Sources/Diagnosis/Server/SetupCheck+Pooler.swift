import PostgreSQL

extension SetupCheck {
  /// Whether a pooler gives each transaction another session.
  static let pooler = SetupCheck(
    "pooler", .server,
    because:
      "in transaction mode a session's lock is anybody's: runs, migrations and refreshes refuse to work"
  ) { subject in
    guard try TransactionPooler.isBehind(try subject.connection()) else {
      return [.ok("each session is one of the server's")]
    }
    return [
      .error(
        "a pooler gives each transaction another session of the server",
        fix: try subject.reading { try directly($0) })
    ]
  }

  /// The variable that leads to the server itself, as far as it says where it is.
  private static func directly(_ connection: Connection) throws -> String {
    let row = try connection.query(
      """
      SELECT coalesce(host(inet_server_addr()),
          (SELECT split_part(setting, ',', 1) FROM pg_settings WHERE name = 'unix_socket_directories'),
          'HOST'),
        current_setting('port'), current_user, current_database()
      """)[0]
    let words = try ["host", "port", "user", "dbname"].enumerated().map { place, word in
      "\(word)=\(try row.value(place, String.self))"
    }
    return "export RIVULET_DATABASE_URL=\(words.joined(separator: " ").shellWord)"
  }
}
