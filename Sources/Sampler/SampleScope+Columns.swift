import Definitions

extension SampleScope {
  /// Reads columns in their order.
  mutating func columns(_ entries: [YAMLNode.Entry]) -> [SampleTable.Column] {
    entries.compactMap { entry in
      NameRule.column.check(Marked(entry.key, at: entry.mark), called: "a column's name", in: file)
      guard let formula = value(entry.value) else { return nil }
      return SampleTable.Column(place: add(entry.key, formula.kind, at: entry.mark), formula: formula)
    }
  }

  /// A formula, or a weighted choice among texts: `{choose: {A: 3, B: 1}}`, or one for each text of a
  /// column: `{by: kind, choose: {x: {A: 3, B: 1}, y: {C: 1}}}`; with `choose_number` among whole numbers.
  private func value(_ node: YAMLNode) -> Formula? {
    if case .scalar(let text, _) = node.content { return formula(Marked(text, at: node.mark)) }
    guard let fields = Fields(node, of: "a value", keys: ["by", "choose", "choose_number"], in: file) else {
      return nil
    }
    let isNumber = fields.has("choose_number")
    if !isNumber { fields.need("choose") }
    let kind = isNumber ? ValueKind.number(scale: 0) : .text
    let entries = fields.mapping(isNumber ? "choose_number" : "choose") ?? []
    guard let by = fields.text("by") else {
      return choice(entries, kind, fields).map { Formula(kind: kind, value: $0) }
    }
    guard let column = place(of: by) else { return nil }
    var choices: [Int64: (inout Frame) -> Int64] = [:]
    for entry in entries {
      guard case .mapping(let weights) = entry.value.content else {
        file.report("'\(entry.key)' needs values with weights", at: entry.value.mark)
        continue
      }
      choices[pool.number(of: entry.key)] = choice(weights, kind, fields)
    }
    let otherwise = isNumber ? 0 : pool.number(of: "")
    return Formula(kind: kind) { choices[$0.values[column.place]]?(&$0) ?? otherwise }
  }

  /// A value drawn by weights.
  private func choice(
    _ entries: [YAMLNode.Entry], _ kind: ValueKind, _ fields: Fields
  ) -> ((inout Frame) -> Int64)? {
    var values: [Int64] = []
    /// For each value the weights up to its own.
    var ends: [UInt64] = []
    for entry in entries {
      guard let text = fields.text(entry.value, called: "'\(entry.key)'") else { continue }
      guard let weight = UInt64(text.value), (1...1_000_000).contains(weight) else {
        file.report("'\(text.value)' is no weight", at: text.mark, hint: "write a whole number from 1")
        continue
      }
      guard let value = kind == .text ? pool.number(of: entry.key) : Int64(entry.key) else {
        file.report("'\(entry.key)' is no whole number", at: entry.mark)
        continue
      }
      values.append(value)
      ends.append((ends.last ?? 0) + weight)
    }
    guard let total = ends.last else { return nil }
    return { [values, ends] frame in
      let drawn = frame.random.next(below: total)
      return values[ends.firstIndex { drawn < $0 } ?? 0]
    }
  }
}
