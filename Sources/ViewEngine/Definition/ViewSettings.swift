import PostgreSQL

/// The settings under which stored views are made and computed: what a SELECT means must not depend on whose
/// session it is.
struct ViewSettings {
  private let connection: Connection
  private let before: [String?]

  /// A statement that sets them for the transaction at work: names without a schema are those of `public`,
  /// and of the server's own; days are the project's.
  static let statement = """
    SELECT set_config('search_path', 'public', true), set_config('timezone',
      coalesce((SELECT value FROM rivulet.setting WHERE name = 'time_zone'), 'UTC'), true)
    """

  /// Sets them for the transaction at work. Where something fails, they are rolled back with it.
  init(on connection: Connection) throws {
    self.connection = connection
    let row = try connection.query("SELECT current_setting('search_path'), current_setting('timezone')")[0]
    before = [row[0], row[1]]
    try connection.execute(Self.statement)
  }

  /// Sets again what was set before.
  func restore() throws {
    try connection.query(
      "SELECT set_config('search_path', $1, true), set_config('timezone', $2, true)",
      before.map { Parameter($0) })
  }
}
