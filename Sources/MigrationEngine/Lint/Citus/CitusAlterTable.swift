/// Finds forms of ALTER TABLE that Citus refuses.
struct CitusAlterTable: LintRule {
  let name = "citus-alter-table"
  let severity = LintSeverity.error
  let isForCitus = true
  let reason =
    "Citus refuses RENAME CONSTRAINT and SET STATISTICS, and a CHECK that is added together with something else."
  let fix =
    "one ALTER TABLE for the CHECK and one for the rest; drop a constraint and add it again instead of renaming it"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    guard case .alterTable(let alter) = subject.meaning, subject.citusTable != nil else { return [] }
    return alter.actions.compactMap { action in
      switch action.kind {
      case .renameConstraint: LintRemark(action.place, "RENAME CONSTRAINT is refused")
      case .setStatistics: LintRemark(action.place, "SET STATISTICS is refused")
      case .addConstraint(let constraint) where constraint.kind == .check && alter.actions.count > 1:
        LintRemark(action.place, "the CHECK is in one command with other changes")
      case .addColumn(let column) where column.has(.check):
        LintRemark(action.place, "the CHECK is in one command with the column")
      default: nil
      }
    }
  }
}
