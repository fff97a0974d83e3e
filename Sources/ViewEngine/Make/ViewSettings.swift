import PostgreSQL

/// The settings under which stored views are made and computed: what a SELECT means must not hang on whose session it is.
struct ViewSettings {
  private let connection: Connection
  private let before: [String?]

  /// An expression for the project's time zone.
  static let zone = "coalesce((SELECT value FROM rivulet.setting WHERE name = 'time_zone'), 'UTC')"

  /// Names without a schema are those of `public`, and of the server's own; days are the project's.
  static func statements(zone: String) -> String {
    "SET LOCAL search_path = public; SET LOCAL timezone = \(Quote.literal(zone));"
  }

  /// Sets them for the transaction at work. Where something fails, what takes it back takes them back too.
  init(on connection: Connection) throws {
    self.connection = connection
    let row = try connection.query(
      "SELECT current_setting('search_path'), current_setting('timezone'), \(Self.zone)")[0]
    before = [row[0], row[1]]
    try connection.execute(Self.statements(zone: row[2] ?? ""))
  }

  /// Sets again what was set before.
  func takeBack() throws {
    try connection.query(
      "SELECT set_config('search_path', $1, true), set_config('timezone', $2, true)",
      before.map { Parameter($0) })
  }
}
