/// A question that `rivulet query` asks: typed parameters and one SELECT.
public struct QueryDefinition: Sendable, Hashable {
  /// One parameter, which is also an option: `cf_class` is `--cf-class`.
  public struct Parameter: Sendable, Hashable {
    /// What a parameter's text must be.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      /// Any text.
      case text
      /// A day, `YYYY-MM-DD`.
      case date
      /// A whole number.
      case integer
      /// A decimal number.
      case numeric
      /// `true` or `false`.
      case boolean
    }

    /// The parameter's name in the query.
    public var name: String
    /// What its text must be; also the name of PostgreSQL's type.
    public var kind: Kind
    /// Whether it must be given; an absent one is NULL.
    public var isRequired: Bool
    /// What it means, in words.
    public var description: String?
    /// The parameter without which it means nothing; nil for none.
    public var needed: String?
    /// Whose first column has all values that there are, the likeliest first; nil where any will do.
    public var among: EmbeddedSQL?

    /// The option's name, without the two dashes.
    public var option: String { String(name.map { $0 == "_" ? "-" : $0 }) }
  }

  /// The release that a query answers from unless another is asked for.
  public struct Current: Sendable, Hashable {
    /// The placeholder for its name, which is passed as a value, so that the planner can estimate its rows.
    public static let placeholder = "current"
    /// The pipeline whose current release it is.
    public var pipeline: String
    /// The parameter by which another is named; nil where there is none.
    public var unless: String?
  }

  /// The query's name, which is also its file's.
  public var name: String
  /// What it says, in words.
  public var description: String
  /// The parameters, in the order of the definition.
  public var parameters: [Parameter]
  /// Parameters of which exactly one is given; empty for none such.
  public var alternatives: [String]
  /// The release that it answers from; nil where its parameters or its rows tell.
  public var current: Current?
  /// How its rows are shown to people; nil where they are a table.
  public var receipt: ReceiptTemplate?
  /// A command line that shows its use.
  public var example: String?
  /// The SELECT with its placeholders.
  public var template: SQLTemplate
  /// The query's file, for errors.
  public var file: String

  /// The names of the parameters in the order of their numbers: the first is `$1`.
  public var order: [String] { template.names }

  /// The SELECT with `$n::type` in the place of each parameter.
  public var sql: String {
    let order = order
    return template.filled { name in
      let number = (order.firstIndex(of: name) ?? 0) + 1
      return "$\(number)::\(parameter(named: name)?.kind.rawValue ?? "text")"
    }
  }

  /// The parameter of a name.
  public func parameter(named name: String) -> Parameter? { parameters.first { $0.name == name } }
}

extension QueryDefinition {
  init?(_ bytes: [UInt8], named name: String, in file: DefinitionFile) {
    NameRule.kebab.check(
      Marked(name, at: Mark(line: 1, column: 1)), called: "a query's name", in: file)
    guard let sql = SQLFile(bytes, kind: "query", in: file) else { return nil }
    let keys = ["description", "parameters", "exactly_one", "current", "receipt", "example"]
    guard let fields = Fields(sql.header, of: "a query", keys: keys, in: file) else { return nil }
    let entries = fields.mapping("parameters") ?? []
    let names = entries.map(\.key)
    let parameters = entries.compactMap { Parameter($0, beside: names, in: sql.headerText, of: file) }
    let current = fields.node("current").flatMap { Self.current($0, of: names, in: file) }
    let hasCurrent = fields.node("current") != nil
    let placeholders = names + (hasCurrent ? [Current.placeholder] : [])
    sql.body.report(unknownTo: placeholders, called: "parameter", listed: "the header has", in: file)
    for entry in entries where Self.ownOptions.contains(entry.key) {
      file.report(
        "'\(entry.key)' is an option of every query", at: entry.mark, hint: "give the parameter another name")
    }
    if hasCurrent { sql.body.reportSection(of: Current.placeholder, in: file) }
    for entry in entries where hasCurrent && entry.key == Current.placeholder {
      file.report(
        "'\(entry.key)' is the release that 'current' names", at: entry.mark,
        hint: "give the parameter another name")
    }
    for entry in entries where !sql.body.mentioned.contains(entry.key) {
      file.report("the parameter '\(entry.key)' is not used", at: entry.mark, hint: "write {\(entry.key)}")
    }
    self.init(
      name: name, description: fields.needText("description")?.value ?? "", parameters: parameters,
      alternatives: Self.alternatives(fields, of: parameters, in: file),
      current: current,
      receipt: fields.node("receipt").flatMap { ReceiptTemplate($0, in: file) },
      example: fields.text("example")?.value, template: sql.body, file: file.name)
  }

  /// Options that the command itself has, which a parameter of their name would hide.
  private static let ownOptions: Set<String> = ["as", "output", "where", "order", "limit"]

  private static func current(_ node: YAMLNode, of names: [String], in file: DefinitionFile) -> Current? {
    guard let fields = Fields(node, of: "current", keys: ["of", "unless"], in: file),
      let pipeline = fields.needText("of")
    else { return nil }
    let unless = fields.text("unless")
    if let unless, !names.contains(unless.value) {
      file.report("unknown parameter '\(unless.value)'", of: unless, among: names, called: "the header has")
    }
    return Current(pipeline: pipeline.value, unless: unless?.value)
  }

  private static func alternatives(
    _ fields: Fields, of parameters: [Parameter], in file: DefinitionFile
  ) -> [String] {
    let texts = fields.texts("exactly_one") ?? []
    let names = parameters.map(\.name)
    for text in texts where !names.contains(text.value) {
      file.report("unknown parameter '\(text.value)'", of: text, among: names, called: "the header has")
    }
    for text in texts where parameters.contains(where: { $0.name == text.value && $0.isRequired }) {
      file.report("'\(text.value)' is required: there is nothing to choose", at: text.mark)
    }
    return texts.map(\.value)
  }
}

extension QueryDefinition.Parameter {
  init?(_ entry: YAMLNode.Entry, beside names: [String], in text: String, of file: DefinitionFile) {
    NameRule.column.check(Marked(entry.key, at: entry.mark), called: "a parameter's name", in: file)
    let keys = ["type", "required", "needs", "among", "description"]
    guard let fields = Fields(entry.value, of: "a parameter", keys: keys, in: file) else { return nil }
    fields.need("type")
    let needed = fields.text("needs")
    if let needed, !names.contains(needed.value) || needed.value == entry.key {
      file.report(
        "unknown parameter '\(needed.value)'", at: needed.mark,
        hint: NearestName.hint(
          needed.value, among: names.filter { $0 != entry.key }, called: "the header has"))
    }
    self.init(
      name: entry.key, kind: fields.choice("type", of: "type of a parameter") ?? .text,
      isRequired: fields.flag("required"), description: fields.text("description")?.value,
      needed: needed?.value,
      among: fields.text("among").map { EmbeddedSQL($0, of: "among", in: text, of: file) })
  }
}
