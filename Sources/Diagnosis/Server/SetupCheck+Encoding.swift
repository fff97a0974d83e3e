import PostgreSQL

extension SetupCheck {
  /// Whether the database holds every character that a file can have.
  static let encoding = SetupCheck(
    "encoding", .server, because: "text is sent as UTF-8, and other encodings lack some of its characters"
  ) { subject in
    try subject.reading { connection in
      let row = try connection.query("SELECT current_setting('server_encoding'), current_database()")[0]
      let encoding: String = try row.value(0)
      guard encoding != "UTF8" else { return [.ok("database and client have UTF8")] }
      let name = Quote.identifier(try row.value(1, String.self) + "_utf8")
      return [
        .error(
          "the database has \(encoding), the client \(connection.clientEncoding)",
          fix:
            "CREATE DATABASE \(name) ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0;"
        )
      ]
    }
  }
}
