/// A rule over whole staged tables: a query that must return no row, or a condition over each row of one.
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
  /// What harm would follow from publishing what it finds, or why it follows none; empty where that is not
  /// said.
  public var because = ""
  /// The source whose rows it is about; there is always one where rows are skipped, rejected or changed.
  public var source: String?
  /// The column that is left blank in the rows found (by `source_file_id`, `source_line`); nil where they stay
  /// as they are.
  public var blanks: String?
  /// The query, with `{schema.table}` where a staged table is read.
  public var template: SQLTemplate
  /// What each row must be, of which the query was made; nil where that is one of its own.
  public var condition: RowCondition?
  /// What must hold or what is found, in words; may be empty.
  public var summary: String
  /// The file of the query or the condition, for errors.
  public var file: String

  /// The tables that the query reads in their staged form.
  public var targets: [String] { template.names }
}

extension Check {
  /// A rule of the program's own, which takes rows of a source.
  /// - Parameters:
  ///   - rule: its name.
  ///   - severity: what follows from rows that it finds.
  ///   - source: the source's name.
  ///   - sql: the query, which names the staged tables themselves.
  ///   - about: what it finds, in words.
  public init(rule: String, severity: Severity, source: String, sql: String, about: String) {
    self.init(
      rule: rule, severity: severity, allowed: 0, source: source, template: SQLTemplate(verbatim: sql),
      summary: about, file: "")
  }

  /// Reads an item of `checks`, and the query of its own that it may have; the check is nil, with a mistake reported, where that is none.
  ///
  /// `sources`: the names that a source may have.
  static func read(
    _ node: YAMLNode, sources: [String], in folder: PipelineFolder
  ) -> (rule: Marked<String>?, blanks: Marked<String>?, check: Self?)? {
    let file = folder.file
    let keys = ["rule", "severity", "source", "allow", "because", "about", "blanks"] + RowCondition.keys
    guard let fields = Fields(node, of: "a check", keys: keys, in: file) else { return nil }
    let rule = fields.needText("rule")
    NameRule.kebab.check(rule, called: "a rule's name", in: file)
    fields.need("severity")
    let severity: Severity = fields.choice("severity", of: "severity") ?? .fail
    if fields.has("allow"), severity != .fail {
      file.report(
        "a check that \(severity == .warn ? "warns" : "\(severity.rawValue)s rows") refuses nothing, so that "
          + "'allow' has no meaning", at: fields.mark(of: "allow"),
        hint: "leave it out, or make the severity 'fail'")
    }
    let source = fields.text("source")
    if let source, !sources.contains(source.value) {
      file.report("unknown source '\(source.value)'", of: source, among: sources, called: "known")
    }
    if severity.takesRows, !fields.has("source") {
      file.report("a check that \(severity.rawValue)s rows needs the key 'source'", at: fields.mark)
    }
    if fields.has("blanks"), severity != .warn || !fields.has("source") {
      file.report(
        "a check that leaves a column blank has the severity 'warn', and the key 'source'",
        at: fields.mark(of: "blanks"))
    }
    let blanks = fields.text("blanks")
    let allowed = fields.count("allow") ?? 0
    let because = fields.text("because")?.value ?? ""
    let query = Query.read(fields, named: rule, in: folder)
    let check = rule.flatMap { rule in
      query.map {
        Check(
          rule: rule.value, severity: severity, allowed: allowed, because: because, source: source?.value,
          blanks: blanks?.value, template: $0.template, condition: $0.condition, summary: $0.summary,
          file: $0.file)
      }
    }
    return (rule, blanks, check)
  }

  /// What a check asks, and where that is written.
  private struct Query {
    let template: SQLTemplate
    let condition: RowCondition?
    let summary: String
    let file: String

    /// A condition of `pipeline.yaml`, else the query of the rule's own file.
    static func read(_ fields: Fields, named rule: Marked<String>?, in folder: PipelineFolder) -> Self? {
      let about = fields.text("about")
      if RowCondition.isThere(fields) {
        if let rule, folder.names(in: "checks", kind: "sql").contains(rule.value) {
          folder.file.report(
            "the check '\(rule.value)' has checks/\(rule.value).sql, and a condition here", at: fields.mark,
            hint: "leave out one of the two")
        }
        return RowCondition.read(fields, in: folder.file).map {
          Self(template: $0.query, condition: $0, summary: about?.value ?? "", file: folder.file.name)
        }
      }
      if let about {
        folder.file.report(
          "'about' belongs to 'row' or 'references'", at: about.mark,
          hint: "say it in the comment at the head of the query")
      }
      return rule.flatMap { folder.template($0, in: "checks") }.map {
        Self(template: $0.template, condition: nil, summary: $0.template.comment, file: $0.file)
      }
    }
  }
}
