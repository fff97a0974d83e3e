import SQLText

extension Migration {
  /// SQL of one section, with its place.
  public struct Section: Sendable, Equatable {
    /// The SQL as written.
    public var sql: String
    /// The path of the file that holds it.
    public var file: String
    /// The line of the file that holds the first line of `sql`, from 1.
    public var line: Int
    /// What its section line asks for.
    public var options: Options

    /// A section.
    public init(sql: String, file: String, line: Int = 1, options: Options = Options()) {
      self.sql = sql
      self.file = file
      self.line = line
      self.options = options
    }

    /// Its statements, their places counted in the file.
    ///
    /// Throws ``MigrationError/malformed(file:line:column:message:hint:)``.
    func script() throws(MigrationError) -> SQLScript {
      do throws(SQLScriptError) {
        return try SQLScript(sql, firstLine: line)
      } catch {
        throw .malformed(
          file: file, line: error.place.line, column: error.place.column, message: error.message,
          hint: error.hint)
      }
    }
  }

  /// What may follow a section's name: `-- rivulet:up transaction=off lock_timeout=2s`.
  public struct Options: Sendable, Equatable {
    /// False where the file asks to run outside a transaction; nil where the statements decide.
    public var transaction: Bool?
    /// `lock_timeout` as PostgreSQL takes it: `2s`.
    public var lockTimeout: String?
    /// `statement_timeout` as PostgreSQL takes it: `10min`.
    public var statementTimeout: String?

    /// No wishes.
    public init() {}
  }
}
