import Definitions

/// Gives the columns of a table their places and reads their formulas, each with the columns before it.
struct ScopeBuilder {
  let file: DefinitionFile
  let pool: TextPool
  private(set) var scope: FormulaParser.Scope = [:]
  private(set) var width = 0

  init(file: DefinitionFile, pool: TextPool) {
    self.file = file
    self.pool = pool
  }

  /// Adds a column.
  @discardableResult
  mutating func add(_ name: String, _ kind: ValueKind, at mark: Mark) -> Int {
    if scope[name] != nil { file.report("the column '\(name)' is already there", at: mark) }
    scope[name] = (width, kind)
    width += 1
    return width - 1
  }

  /// Puts another table's columns behind those that are there, under names with a prefix.
  mutating func take(_ table: SampleTable, prefix: String) {
    for (name, column) in table.scope { scope[prefix + name] = (width + column.place, column.kind) }
    width += table.width
  }

  /// Reads columns in their order.
  mutating func columns(_ entries: [YAMLNode.Entry]) -> [SampleTable.Column] {
    var columns: [SampleTable.Column] = []
    for entry in entries {
      NameRule.column.check(Marked(entry.key, at: entry.mark), called: "a column's name", in: file)
      guard let formula = value(entry.value) else { continue }
      let place = add(entry.key, formula.kind, at: entry.mark)
      columns.append(SampleTable.Column(place: place, formula: formula))
    }
    return columns
  }

  /// The place and kind of a column; nil, with a mistake reported, when there is none of the name.
  func place(of name: Marked<String>) -> (place: Int, kind: ValueKind)? {
    if let column = scope[name.value] { return column }
    file.report(
      "unknown column '\(name.value)'", at: name.mark,
      hint: NearestName.hint(name.value, among: scope.keys.sorted(), called: "known"))
    return nil
  }

  /// A formula; nil, with a mistake reported, when it is none or not of the kind.
  func formula(_ text: Marked<String>, of kind: ValueKind? = nil) -> Formula? {
    do {
      let formula = try FormulaParser.formula(text.value, scope: scope, pool: pool)
      if let kind, formula.kind != kind {
        file.report("\(kind.name) is needed, not \(formula.kind.name)", at: text.mark)
        return nil
      }
      return formula
    } catch {
      file.report(error.message, at: text.mark, hint: error.hint)
      return nil
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
      return choice(entries, kind, fields).map { choice in Formula(kind: kind) { choice.pick(&$0) } }
    }
    guard let column = place(of: by) else { return nil }
    var choices: [Int64: WeightedChoice] = [:]
    for entry in entries {
      guard case .mapping(let weights) = entry.value.content else {
        file.report("'\(entry.key)' needs values with weights", at: entry.value.mark)
        continue
      }
      choices[pool.number(of: entry.key)] = choice(weights, kind, fields)
    }
    let otherwise = isNumber ? 0 : pool.number(of: "")
    return Formula(kind: kind) { choices[$0.values[column.place]]?.pick(&$0) ?? otherwise }
  }

  private func choice(_ entries: [YAMLNode.Entry], _ kind: ValueKind, _ fields: Fields) -> WeightedChoice? {
    var weights: [(value: Int64, weight: UInt64)] = []
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
      weights.append((value, weight))
    }
    return weights.isEmpty ? nil : WeightedChoice(weights: weights)
  }
}

/// A value drawn by weights.
struct WeightedChoice {
  private let values: [Int64]
  /// For each value the weights up to its own.
  private let ends: [UInt64]

  init(weights: [(value: Int64, weight: UInt64)]) {
    values = weights.map(\.value)
    var end: UInt64 = 0
    ends = weights.map { _, weight in
      end += weight
      return end
    }
  }

  func pick(_ frame: inout Frame) -> Int64 {
    let drawn = frame.random.next(below: ends[ends.count - 1])
    var (low, high) = (0, ends.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if drawn < ends[middle] { high = middle } else { low = middle + 1 }
    }
    return values[low]
  }
}
