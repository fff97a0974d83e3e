/// Finds constraints that are added without a name.
struct UnnamedConstraint: LintRule {
  let name = "unnamed-constraint"
  let severity = LintSeverity.notice
  let reason =
    "The server chooses a name for a constraint that ALTER TABLE ... ADD gives none, and takes another one where that "
    + "is taken: the way back and later migrations cannot be sure of it."
  let fix = "give it a name: ADD CONSTRAINT name, and then the constraint"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    guard case .alterTable(let alter) = subject.meaning else { return [] }
    return alter.actions.compactMap { action in
      guard case .addConstraint(let constraint) = action.kind, constraint.name == nil,
        constraint.kind != .notNull
      else { return nil }
      return LintRemark(action.place, "the constraint has no name of its own")
    }
  }
}
