/// Finds foreign keys between tables that lie where Citus cannot follow them.
struct CitusForeignKey: LintRule {
  let name = "citus-foreign-key"
  let severity = LintSeverity.error
  let isForCitus = true
  let reason =
    "A foreign key from a reference table to a distributed one, or from a distributed table to a local one, is refused; "
    + "from a local table to a distributed one it is accepted and not enforced. Asked only where migrations or callbacks "
    + "say where tables lie."
  let fix =
    "leave the key out, or place the tables so that it goes from distributed to reference, or along the same key"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    let placement = subject.folder.placement
    guard placement.isKnown, let table = named(subject) else { return [] }
    let from = placement.place(of: subject.model.key(table))
    return constraints(subject).compactMap { constraint in
      guard let target = constraint.target else { return nil }
      let to = placement.place(of: subject.model.key(target))
      let isFollowed = from == to || to == .reference
      return isFollowed
        ? nil : LintRemark(constraint.place, "\(table) is \(from.rawValue), and \(target) is \(to.rawValue)")
    }
  }

  private func named(_ subject: LintSubject) -> SQLName? {
    switch subject.meaning {
    case .createTable(let table): table.name
    case .alterTable(let alter): alter.name
    default: nil
    }
  }

  private func constraints(_ subject: LintSubject) -> [ConstraintDefinition] {
    switch subject.meaning {
    case .createTable(let table): table.constraints + table.columns.flatMap(\.constraints)
    case .alterTable(let alter):
      alter.actions.flatMap { action -> [ConstraintDefinition] in
        switch action.kind {
        case .addConstraint(let constraint): [constraint]
        case .addColumn(let column): column.constraints
        default: []
        }
      }
    default: []
    }
  }
}
