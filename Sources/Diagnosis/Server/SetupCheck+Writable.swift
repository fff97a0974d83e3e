import PostgreSQL

extension SetupCheck {
  /// Whether anything can be written.
  static let writable = SetupCheck(
    "writable", .server, because: "loading, migrating and refreshing write"
  ) { subject in
    try subject.reading { connection in
      let row = try connection.query(
        """
        SELECT pg_is_in_recovery(),
          (SELECT reset_val FROM pg_settings WHERE name = 'default_transaction_read_only'), current_user
        """)[0]
      if try row.value(0, Bool.self) {
        return [
          .error(
            "the server is a standby, which can only be read",
            fix: "psql -c 'SELECT sender_host, sender_port FROM pg_stat_wal_receiver'")
        ]
      }
      guard row[1] == "on" else { return [.ok("transactions may write")] }
      let role = Quote.identifier(try row.value(2))
      let off = "default_transaction_read_only = off;"
      return [
        .error(
          "default_transaction_read_only is on for the role, the database or the server",
          fix: "SET \(off) ALTER ROLE \(role) SET \(off)")
      ]
    }
  }
}
