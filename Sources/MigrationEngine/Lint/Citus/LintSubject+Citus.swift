extension LintSubject {
  /// Whether a table may lie in Citus, as far as the folder says where tables lie.
  func mayLieInCitus(_ name: SQLName) -> Bool { folder.placement.mayHold(model.key(name)) }

  /// The table that the statement makes or alters, where it may lie in Citus.
  var citusTable: SQLName? {
    let name: SQLName? =
      switch meaning {
      case .createTable(let table) where !table.isTemporary: table.parent ?? table.name
      case .alterTable(let alter): alter.name
      default: nil
      }
    return name.flatMap { mayLieInCitus($0) ? $0 : nil }
  }

  /// The constraints that the statement gives a table which may lie in Citus, those of columns too.
  var citusConstraints: [(column: String?, constraint: ConstraintDefinition)] {
    guard citusTable != nil else { return [] }
    switch meaning {
    case .createTable(let table):
      return table.constraints.map { (nil, $0) } + table.columns.flatMap(LintSubject.constraints)
    case .alterTable(let alter):
      return alter.actions.flatMap { action -> [(column: String?, constraint: ConstraintDefinition)] in
        switch action.kind {
        case .addConstraint(let constraint): [(nil, constraint)]
        case .addColumn(let column): LintSubject.constraints(of: column)
        default: []
        }
      }
    default: return []
    }
  }

  private static func constraints(
    of column: ColumnDefinition
  ) -> [(column: String?, constraint: ConstraintDefinition)] {
    column.constraints.map { (column.name, $0) }
  }
}
