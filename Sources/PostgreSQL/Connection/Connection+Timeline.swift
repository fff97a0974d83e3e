extension Connection {
  /// The server's timeline, which is another where a standby was promoted in its place, or a backup restored;
  /// a crash leaves it as it is. Nil where the server does not tell, as a standby does not.
  ///
  /// To be asked outside a transaction. Source: "Timelines" in the chapter on continuous archiving of
  /// PostgreSQL's manual; the first eight digits of the name of a file of the log are its number.
  public var timeline: String? {
    let name = try? query(
      "SELECT pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_insert_lsn())"
    ).first?.value(0, String.self)
    return name.map { String($0.prefix(8)) }
  }
}
