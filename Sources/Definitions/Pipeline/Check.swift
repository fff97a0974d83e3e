/// A rule over whole staged tables: a query that must return no row.
public struct Check: Sendable, Hashable {
  /// What becomes of a run whose check finds something.
  public enum Severity: String, Sendable, Hashable, CaseIterable {
    /// Nothing is published.
    case fail
    /// It is reported.
    case warn
    /// The rows found (by `source_file_id`, `source_line`) are taken out of the staged table and counted as
    /// skipped.
    case skip
    /// The rows found (by `source_file_id`, `source_line`) are taken out of the staged table and go to the
    /// quarantine: their records count as rejected.
    case reject

    /// The rows found are taken out.
    public var takesRows: Bool { self == .skip || self == .reject }
  }

  /// The rule's name, which is also its file's.
  public var rule: String
  /// What becomes of a run that breaks it.
  public var severity: Severity
  /// How many findings a `fail` rule puts up with, telling of them.
  public var allowed: Int
  /// The source whose rows it is about; there is always one where rows are skipped or rejected.
  public var source: String?
  /// The query, with `{schema.table}` where a staged table is read.
  public var template: SQLTemplate
  /// The query's file, for errors.
  public var file: String

  /// What must hold, in words: the comment at the head of the query; may be empty.
  public var summary: String { template.comment }

  /// A rule of the program's own, which takes rows of a source.
  /// - Parameters:
  ///   - rule: its name.
  ///   - severity: what follows from rows that it finds.
  ///   - source: the source's name.
  ///   - sql: the query, which names the staged tables themselves.
  ///   - about: what it finds, in words.
  public init(rule: String, severity: Severity, source: String, sql: String, about: String) {
    self.init(
      rule: rule, severity: severity, allowed: 0, source: source,
      template: SQLTemplate(verbatim: "-- \(about)\n\(sql)"), file: "")
  }

  init(
    rule: String, severity: Severity, allowed: Int, source: String?, template: SQLTemplate, file: String
  ) {
    self.rule = rule
    self.severity = severity
    self.allowed = allowed
    self.source = source
    self.template = template
    self.file = file
  }

  /// The tables that the query reads in their staged form.
  public var targets: [String] { template.names }

  /// The place in its file of a character of the query, counted from 1, as it was sent.
  public func place(of character: Int, _ table: (String) -> String) -> Mark {
    template.place(of: character, table)
  }

  /// The query with its placeholders filled.
  /// - Parameter table: the quoted name to write for a target.
  /// - Returns: SQL for the server.
  public func sql(_ table: (String) -> String) -> String { template.filled(table) }
}
