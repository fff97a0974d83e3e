import PostgreSQL

/// One refresh of a view at a time, and none while it is made again.
enum ViewLock {
  static func name(_ view: String) -> String { "rivulet view \(view)" }

  /// Takes the locks of views until the end of the transaction at work.
  static func take(_ views: [String], on connection: Connection) throws {
    guard !views.isEmpty else { return }
    try connection.query(
      "SELECT pg_advisory_xact_lock(hashtextextended(n, 7711::bigint)) FROM unnest($1::text[]) n",
      [.textArray(views.sorted().map(name))])
  }

  /// Takes the locks of those of some views that nobody has, until the end of the transaction at work; gives
  /// these views.
  static func tryTaking(_ views: [String], on connection: Connection) throws -> [String] {
    let taken = try connection.query(
      """
      SELECT pg_try_advisory_xact_lock(hashtextextended(n, 7711::bigint))
        FROM unnest($1::text[]) WITH ORDINALITY a(n, place)
      ORDER BY place
      """, [.textArray(views.map(name))])
    return try zip(views, taken.rows).filter { try $1.value(0) }.map(\.0)
  }
}
