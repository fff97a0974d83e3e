import PostgreSQL

extension SetupCheck {
  /// Whether the server ends statements that take long.
  static let timeouts = SetupCheck(
    "timeouts", .server,
    because: "loading a large file, making an index or a view is one statement that takes long"
  ) { subject in
    try subject.reading { connection in
      let found = try connection.query(
        """
        SELECT name, reset_val || coalesce(unit, ''), current_user FROM pg_settings
        WHERE name IN ('statement_timeout', 'transaction_timeout') AND reset_val <> '0' ORDER BY name
        """)
      guard found.count > 0 else { return [.ok("no statement is ended for taking long")] }
      return try found.rows.map { row in
        let (name, role) = (try row.value(0, String.self), Quote.identifier(try row.value(2)))
        return .warning(
          "\(name) is \(try row.value(1, String.self)) for this role",
          fix: "ALTER ROLE \(role) SET \(name) = 0;")
      }
    }
  }
}
