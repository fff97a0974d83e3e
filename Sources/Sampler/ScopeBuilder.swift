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

  /// The place and kind of a column; nil, with a mistake noted, when there is none of the name.
  func place(of name: Marked<String>) -> (place: Int, kind: ValueKind)? {
    if let column = scope[name.value] { return column }
    file.report(
      "unknown column '\(name.value)'", at: name.mark,
      hint: NearestName.hint(name.value, among: scope.keys.sorted(), called: "known"))
    return nil
  }

  /// A formula; nil, with a mistake noted, when it is none or not of the kind.
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
  /// column: `{by: kind, choose: {x: {A: 3, B: 1}, y: {C: 1}}}`.
  private func value(_ node: YAMLNode) -> Formula? {
    if case .scalar(let text, _) = node.content { return formula(Marked(text, at: node.mark)) }
    guard let fields = Fields(node, of: "a value", keys: ["by", "choose"], in: file) else { return nil }
    fields.need("choose")
    let entries = fields.mapping("choose") ?? []
    guard let by = fields.text("by") else {
      return choice(entries, fields).map { choice in Formula(kind: .text) { choice.pick(&$0) } }
    }
    guard let column = place(of: by) else { return nil }
    var choices: [Int64: WeightedChoice] = [:]
    for entry in entries {
      guard case .mapping(let weights) = entry.value.content else {
        file.report("'\(entry.key)' needs texts with weights", at: entry.value.mark)
        continue
      }
      choices[pool.number(of: entry.key)] = choice(weights, fields)
    }
    let blank = pool.number(of: "")
    return Formula(kind: .text) { choices[$0.values[column.place]]?.pick(&$0) ?? blank }
  }

  private func choice(_ entries: [YAMLNode.Entry], _ fields: Fields) -> WeightedChoice? {
    var weights: [(text: Int64, weight: UInt64)] = []
    for entry in entries {
      guard let text = fields.text(entry.value, called: "'\(entry.key)'") else { continue }
      guard let weight = UInt64(text.value), (1...1_000_000).contains(weight) else {
        file.report("'\(text.value)' is no weight", at: text.mark, hint: "write a whole number from 1")
        continue
      }
      weights.append((pool.number(of: entry.key), weight))
    }
    return weights.isEmpty ? nil : WeightedChoice(weights: weights)
  }
}

/// A text drawn by weights.
struct WeightedChoice {
  private let weights: [(text: Int64, weight: UInt64)]
  private let total: UInt64

  init(weights: [(text: Int64, weight: UInt64)]) {
    self.weights = weights
    total = weights.reduce(0) { $0 + $1.weight }
  }

  func pick(_ frame: inout Frame) -> Int64 {
    var rest = frame.random.next(below: total)
    for (text, weight) in weights {
      if rest < weight { return text }
      rest -= weight
    }
    return weights[weights.count - 1].text
  }
}
