import PostgreSQL

extension SetupCheck {
  /// Whether texts are still ordered as they were when their indexes were made.
  static let collation = SetupCheck(
    "collation", .server,
    because: "an index over texts finds rows no more when the system's library orders them otherwise"
  ) { subject in
    try subject.reading { connection in
      let row = try connection.query(
        """
        SELECT current_database(), datcollversion, pg_database_collation_actual_version(oid)
        FROM pg_database WHERE datname = current_database()
        """)[0]
      guard let made = row[1], let actual = row[2], made != actual else {
        return [.ok("the database's order of texts is that of its system")]
      }
      let name = Quote.identifier(try row.value(0))
      return [
        .warning(
          "texts were ordered by version \(made), and are by \(actual) now",
          fix: "REINDEX DATABASE \(name); ALTER DATABASE \(name) REFRESH COLLATION VERSION;")
      ]
    }
  }
}
