extension SkipRule {
  private static let conditions = ["when", "starts_with", "no_digit_in", "column"]

  /// Reads a rule.
  ///
  /// `columns`: those that it may look at.
  init?(_ node: YAMLNode, columns: [LayoutColumn], in file: DefinitionFile) {
    let keys = ["rule", "one_of", "none_of"] + Self.conditions
    guard let fields = Fields(node, of: "a skip rule", keys: keys, in: file) else { return nil }
    let rule = Self.name(fields, in: file)
    guard Self.conditions.filter(fields.has).count == 1 else {
      file.report(
        "a skip rule needs one of the keys "
          + Self.conditions.map { "'\($0)'" }.joined(separator: ", "), at: fields.mark)
      return nil
    }
    guard let rule, let condition = Self.condition(fields, columns, in: file) else { return nil }
    self.init(rule: rule, condition: condition)
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
    file.report(
      "'\(text.value)' is no column with a field", at: text.mark,
      hint: NearestName.hint(text.value, among: names, called: "there are"))
    return nil
  }
}
