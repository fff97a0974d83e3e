import PostgreSQL

/// One refresh of a view at a time, and none while it is made anew.
enum ViewLock {
  static func name(_ view: String) -> String { "rivulet view \(view)" }

  /// Takes the locks of views until the end of the transaction at work.
  static func take(_ views: [String], on connection: Connection) throws {
    guard !views.isEmpty else { return }
    try connection.query(
      "SELECT pg_advisory_xact_lock(hashtextextended(n, 7711::bigint)) FROM unnest($1::text[]) n",
      [.textArray(views.sorted().map(name))])
  }
}
