import Definitions

/// The columns that formulas may name, each with its place in a row and its kind, and the reading of formulas
/// over them. A table gives them their places one by one, so that each may name those before it.
struct SampleScope {
  let file: DefinitionFile
  let pool: TextPool
  private(set) var columns: FormulaParser.Scope = [:]
  /// How many values a row has.
  private(set) var width = 0

  init(file: DefinitionFile, pool: TextPool) {
    self.file = file
    self.pool = pool
  }

  /// Adds a column.
  @discardableResult
  mutating func add(_ name: String, _ kind: ValueKind, at mark: Mark) -> Int {
    if columns[name] != nil { file.report("the column '\(name)' is already there", at: mark) }
    columns[name] = (width, kind)
    width += 1
    return width - 1
  }

  /// Puts another table's columns behind those that are there, under names with a prefix.
  mutating func take(_ table: SampleTable, prefix: String) {
    for (name, column) in table.scope.columns { columns[prefix + name] = (width + column.place, column.kind) }
    width += table.scope.width
  }

  /// The place and kind of a column; nil, with a mistake reported, when there is none of the name.
  func place(of name: Marked<String>) -> (place: Int, kind: ValueKind)? {
    if let column = columns[name.value] { return column }
    file.reportUnknown("column", name, among: columns.keys.sorted())
    return nil
  }

  /// A formula; nil, with a mistake reported, when it is none or not of the kind.
  func formula(_ text: Marked<String>, of kind: ValueKind? = nil) -> Formula? {
    do {
      let formula = try FormulaParser.formula(text.value, scope: columns, pool: pool)
      guard let kind, formula.kind != kind else { return formula }
      file.report("\(kind.name) is needed, not \(formula.kind.name)", at: text.mark)
    } catch {
      file.report(error.message, at: text.mark, hint: error.hint)
    }
    return nil
  }

  /// A formula that must be a condition.
  func condition(_ text: Marked<String>?) -> Formula? { text.flatMap { formula($0, of: .flag) } }
}

extension DefinitionFile {
  /// Reports a name that is none of those known, which the hint lists or chooses from.
  func reportUnknown(
    _ what: String, _ name: Marked<String>, among known: [String], called: String = "known"
  ) {
    report(
      "unknown \(what) '\(name.value)'", at: name.mark,
      hint: NearestName.hint(name.value, among: known, called: called))
  }
}
