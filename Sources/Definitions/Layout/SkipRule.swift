/// A named reason to leave a record out; the record counts as skipped.
public struct SkipRule: Sendable, Hashable {
  /// What makes a record no data.
  public enum Condition: Sendable, Hashable {
    /// Only the first field of the record holds text: a footnote of a delimited file.
    case singleField
    /// The record begins with a text: a banner of a fixed-width file.
    case startsWith(String)
    /// The field of a column holds text and no digit: a heading or footnote of a fixed-width file, above or
    /// below a column of codes or numbers.
    case noDigit(column: String)
    /// The field of a column holds one of some values: a record of another kind.
    case value(column: String, oneOf: [String])
    /// The field of a column holds none of some values: a record of another kind, where those wanted are
    /// known.
    case otherValue(column: String, noneOf: [String])
  }

  /// The rule's name, by which skipped records are counted.
  public var rule: String
  /// What makes a record no data.
  public var condition: Condition
  /// Why such a record is refused and not left out; nil where it is left out.
  public var refusal: String?
}

/// Which records are no rows of their own but go on with the text of the record before them.
public struct Continuation: Sendable, Hashable {
  /// The rule's name, by which such records are counted.
  public var rule: String
  /// The column whose value marks them.
  public var column: String
  /// The values that do.
  public var values: [String]
  /// The columns whose text goes on.
  public var joined: [String]
}

extension SkipRule {
  private static let conditions = ["when", "starts_with", "no_digit_in", "column"]

  /// Reads a rule.
  ///
  /// `columns`: those that it may look at.
  init?(_ node: YAMLNode, columns: [LayoutColumn], in file: DefinitionFile) {
    let keys = ["rule", "one_of", "none_of", "refused"] + Self.conditions
    guard let fields = Fields(node, of: "a skip rule", keys: keys, in: file) else { return nil }
    let rule = Self.name(fields, in: file)
    guard Self.conditions.filter(fields.has).count == 1 else {
      file.report(
        "a skip rule needs one of the keys "
          + Self.conditions.map { "'\($0)'" }.joined(separator: ", "), at: fields.mark)
      return nil
    }
    guard let rule, let condition = Self.condition(fields, columns, in: file) else { return nil }
    self.init(rule: rule, condition: condition, refusal: fields.text("refused")?.value)
  }

  private static func condition(
    _ fields: Fields, _ columns: [LayoutColumn], in file: DefinitionFile
  ) -> Condition? {
    if fields.has("when") {
      let when: SingleField? = fields.choice("when", of: "condition")
      return when.map { _ in .singleField }
    }
    if let text = fields.text("starts_with") { return .startsWith(text.value) }
    if fields.has("no_digit_in") {
      return fields.column("no_digit_in", among: columns, in: file).map { .noDigit(column: $0) }
    }
    if !fields.has("none_of") { fields.need("one_of") }
    guard let column = fields.column("column", among: columns, in: file),
      let values = fields.texts("none_of") ?? fields.texts("one_of")
    else { return nil }
    return fields.has("none_of")
      ? .otherValue(column: column, noneOf: values.map(\.value))
      : .value(column: column, oneOf: values.map(\.value))
  }

  /// Reads the name by which records are counted.
  static func name(_ fields: Fields, in file: DefinitionFile) -> String? {
    let rule = fields.needText("rule")
    NameRule.kebab.check(rule, called: "a rule's name", in: file)
    return rule?.value
  }

  private enum SingleField: String, CaseIterable {
    case singleField = "single-field"
  }
}

extension Continuation {
  /// Reads the key `continuation` of a version.
  init?(_ node: YAMLNode, columns: [LayoutColumn], in file: DefinitionFile) {
    let keys = ["rule", "column", "one_of", "joins"]
    guard let fields = Fields(node, of: "a continuation", keys: keys, in: file) else { return nil }
    keys.dropFirst().forEach(fields.need)
    let rule = SkipRule.name(fields, in: file)
    let joined = (fields.texts("joins") ?? []).compactMap { fields.column($0, among: columns, in: file) }
    guard let rule, let column = fields.column("column", among: columns, in: file),
      let values = fields.texts("one_of")
    else { return nil }
    self.init(rule: rule, column: column, values: values.map(\.value), joined: joined)
  }
}

extension Fields {
  /// The column that a key names.
  fileprivate func column(_ key: String, among columns: [LayoutColumn], in file: DefinitionFile) -> String? {
    text(key).flatMap { column($0, among: columns, in: file) }
  }

  /// The column that a text names; nil, with a mistake reported, where no field of that name is.
  fileprivate func column(
    _ text: Marked<String>, among columns: [LayoutColumn], in file: DefinitionFile
  ) -> String? {
    let names = columns.filter { $0.place != nil }.map(\.name)
    if names.contains(text.value) { return text.value }
    file.report("'\(text.value)' is no column with a field", of: text, among: names, called: "there are")
    return nil
  }
}
