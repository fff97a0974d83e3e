import PostgreSQL

/// The settings of a database that decide what the text of a migration means, for its shadow.
enum ShadowSettings {
  static func of(_ place: ShadowPlace) throws -> [String: String] {
    guard case .beside(let connection) = place else { return [:] }
    return try of(connection)
  }

  /// Where unqualified names lead, and how times without a zone are read, in sessions of the connection's
  /// role.
  static func of(_ connection: Connection) throws -> [String: String] {
    let rows = try connection.query(
      """
      SELECT name, replace(reset_val, '"$user"', quote_ident(current_user)) FROM pg_settings
      WHERE name IN ('search_path', 'TimeZone')
      """)
    return Dictionary(
      try rows.rows.map { (try $0.value(0, String.self), try $0.value(1, String.self)) },
      uniquingKeysWith: { $1 })
  }
}
