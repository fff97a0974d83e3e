import SQLText

extension Migration {
  /// SQL of one section, with its place.
  public struct Section: Sendable, Equatable {
    /// The SQL as written, its placeholders in it.
    public var sql: String
    /// The path of the file that holds it.
    public var file: String
    /// The line of the file that holds the first line of `sql`, from 1.
    public var line: Int
    /// What its section line asks for.
    public var options: Options
    /// What its placeholders stand for; a database's history has no values.
    var values = PlaceholderValues()
    /// Where lines of `sql` come from that are another file's, in order.
    var inclusions: [Inclusion] = []
    /// Why it cannot be run as it is.
    var fault: MigrationError?

    /// A section.
    public init(sql: String, file: String, line: Int = 1, options: Options = Options()) {
      self.sql = sql
      self.file = file
      self.line = line
      self.options = options
    }

    /// Whether both say the same, in the same place.
    public static func == (left: Section, right: Section) -> Bool {
      (left.sql, left.file, left.line) == (right.sql, right.file, right.line) && left.options == right.options
    }
  }

  /// Lines of a section that are those of another file.
  struct Inclusion: Sendable {
    /// The first of them in the section, from 1.
    let line: Int
    let file: String
    /// The same line in that file, from 1.
    let fileLine: Int
  }

  /// What may follow a section's name: `-- rivulet:up transaction=off lock_timeout=2s`.
  public struct Options: Sendable, Equatable {
    /// False where the file asks to run outside a transaction; nil where the statements decide.
    public var transaction: Bool?
    /// The script's own BEGIN and COMMIT say what is a transaction.
    public var hasOwnTransactions = false
    /// How the text names its placeholders; nil where it has none.
    var placeholders: PlaceholderSyntax?
    /// The schema in which unqualified names are looked for.
    public var schema: String?
    /// The schema that it was run in as one of several; no file says so, but the history does.
    public var runIn: String?
    /// A repeatable migration runs in every `up`.
    public var isRunAlways = false
    /// `lock_timeout` as PostgreSQL takes it: `2s`.
    public var lockTimeout: String?
    /// `statement_timeout` as PostgreSQL takes it: `10min`.
    public var statementTimeout: String?

    /// No wishes.
    public init() {}

    /// As they are on a section line.
    var text: String {
      var words: [String] = []
      if hasOwnTransactions {
        words.append("transaction=own")
      } else if let transaction {
        words.append("transaction=" + (transaction ? "on" : "off"))
      }
      if let placeholders { words.append("placeholders=" + placeholders.rawValue) }
      if isRunAlways { words.append("run=always") }
      if let schema { words.append("schema=" + Options.encoded(schema)) }
      if let runIn { words.append("run_in=" + Options.encoded(runIn)) }
      if let lockTimeout { words.append("lock_timeout=" + lockTimeout) }
      if let statementTimeout { words.append("statement_timeout=" + statementTimeout) }
      return words.joined(separator: " ")
    }

    /// A name without the blanks that would end it.
    private static func encoded(_ name: String) -> String {
      name.replacing("%", with: "%25").replacing(" ", with: "%20")
    }

    /// The name behind ``encoded(_:)``.
    static func decoded(_ text: String) -> String {
      text.replacing("%20", with: " ").replacing("%25", with: "%")
    }
  }
}
