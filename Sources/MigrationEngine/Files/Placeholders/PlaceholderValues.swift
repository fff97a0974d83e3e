import Host
import PostgreSQL
import Synchronization

/// What the placeholders of a folder's files stand for, shared by the folder and all its sections.
///
/// Values may be secrets: they are put into a text when it is sent to the server, and are in no history,
/// checksum, report or error.
public final class PlaceholderValues: Sendable, Equatable {
  private let values: Mutex<[String: String]>
  /// What was asked for, and so may be in what the server says.
  private let used = Mutex<[String: String]>([:])
  /// By names in small letters.
  private let ignoringCase: [String: String]
  /// Where to look for what is not here.
  private let others: PlaceholderValues?

  /// Values by the names of their placeholders; those `ignoringCase`, whose names are in small letters, where
  /// there is none of exactly that name.
  public init(_ values: [String: String] = [:], ignoringCase: [String: String] = [:]) {
    self.values = Mutex(values)
    self.ignoringCase = ignoringCase
    others = nil
  }

  private init(_ values: [String: String], behind others: PlaceholderValues) {
    self.values = Mutex(values)
    ignoringCase = [:]
    self.others = others
  }

  /// These values for one schema of several.
  func with(defaultSchema schema: String) -> PlaceholderValues {
    PlaceholderValues([PlaceholderValues.ownPrefix + "defaultSchema": schema], behind: self)
  }

  subscript(name: String) -> String? {
    let value = self.value(name)
    if let value { used.withLock { $0[name] = value } }
    return value
  }

  /// A sentence without the values that were put into texts: each is its placeholder's name.
  public func discreet(_ sentence: String) -> String {
    let known = used.withLock { $0 }.sorted { ($0.value.count, $0.key) > ($1.value.count, $1.key) }
    return known.reduce(others?.discreet(sentence) ?? sentence) { sentence, one in
      HiddenValue(value: one.value, name: "${\(one.key)}").hidden(in: sentence)
    }
  }

  private func value(_ name: String) -> String? {
    values.withLock { $0[name] } ?? ignoringCase[name.lowercased()] ?? others?[name]
  }

  /// The first of the names that have a value of their own.
  var firstName: String? { values.withLock { $0.keys.min() } }

  /// Takes a value for a name that has none yet.
  func add(_ name: String, _ value: String) { values.withLock { $0[name] = $0[name] ?? value } }

  /// The same, and for a name that has no value the variable of the environment that is called so.
  func fromEnvironment() -> PlaceholderValues {
    for (name, value) in Machine.environment(prefix: "") { add(name, value) }
    return self
  }

  /// Adds what Flyway and psql know by themselves of the database and of the run.
  ///
  /// - Throws: `PostgreSQLError`.
  func addDefaults(of connection: Connection) throws {
    // Sections of one schema of several share nothing but what is behind their values.
    if let others { return try others.addDefaults(of: connection) }
    let row = try connection.query(
      """
      SELECT current_database(), current_user, coalesce(current_schema(), 'public'),
        to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')
      """)[0]
    for (name, column) in [("database", 0), ("user", 1), ("defaultSchema", 2), ("timestamp", 3)] {
      add(PlaceholderValues.ownPrefix + name, try row.value(column))
    }
    add(PlaceholderValues.ownPrefix + "workingDirectory", Path.current)
    add(PlaceholderValues.ownPrefix + "environment", "default")
    add("DBNAME", try row.value(0))
    add("USER", try row.value(1))
  }

  /// How the names begin that Flyway gives values itself.
  static let ownPrefix = "flyway:"
  /// Flyway's placeholder for when the run began, as it is written.
  static let ownTimestamp = "${\(ownPrefix)timestamp}"
  /// Flyway's placeholder for the name of the file that it is in, as it is written.
  static let ownFileName = "${\(ownPrefix)filename}"

  /// Whether both are one and the same.
  public static func == (left: PlaceholderValues, right: PlaceholderValues) -> Bool { left === right }
}

/// How a text names its placeholders.
enum PlaceholderSyntax: String, Sendable {
  /// `${name}`, wherever it is: also in strings, in bodies of functions and in comments. Each needs a value.
  case braces = "on"
  /// psql's `:name`, `:'name'` as a string and `:"name"` as a name, outside quotes and comments; one without
  /// a value is no placeholder.
  case psql
}
