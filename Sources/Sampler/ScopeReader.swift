import Definitions

/// Reads formulas over the columns of a finished table.
struct ScopeReader {
  let file: DefinitionFile
  let pool: TextPool
  let scope: FormulaParser.Scope

  /// A formula; nil, with a mistake reported, when it is none or not of the kind.
  func formula(_ text: Marked<String>, of kind: ValueKind? = nil) -> Formula? {
    do {
      let formula = try FormulaParser.formula(text.value, scope: scope, pool: pool)
      guard let kind, formula.kind != kind else { return formula }
      file.report("\(kind.name) is needed, not \(formula.kind.name)", at: text.mark)
      return nil
    } catch {
      file.report(error.message, at: text.mark, hint: error.hint)
      return nil
    }
  }
}
