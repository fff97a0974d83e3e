/// Finds SET NOT NULL that has to read the table.
struct NotNullWithoutCheck: LintRule {
  let name = "not-null-without-check"
  let severity = LintSeverity.error
  let reason =
    "SET NOT NULL, and ADD PRIMARY KEY USING INDEX on a column that is not yet NOT NULL, reads the whole table under an ACCESS EXCLUSIVE lock, unless a valid CHECK says already that the "
    + "column is not null."
  let fix =
    "ADD CONSTRAINT ... CHECK (column IS NOT NULL) NOT VALID; in a later migration VALIDATE CONSTRAINT, and in one "
    + "after that SET NOT NULL and DROP CONSTRAINT"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    guard let alter = subject.existingAlter else { return [] }
    let table = subject.model.table(alter.name)
    return alter.actions.flatMap { action in
      columns(madeNotNull: action.kind, of: alter.name, subject.model).filter { column in
        table?.columns[column]?.isNotNull != true && table?.provesNotNull(column) != true
      }.map {
        LintRemark(
          action.place,
          "readers and writers of \(alter.name) wait until every row is read for a NULL in \($0)")
      }
    }
  }

  private func columns(madeNotNull action: AlterTable.Kind, of table: SQLName, _ model: SchemaModel)
    -> [String]
  {
    switch action {
    case .setNotNull(let column): return [column]
    case .addConstraint(let constraint) where constraint.kind == .notNull && !constraint.isNotValid:
      return constraint.columns
    case .addConstraint(let constraint) where constraint.kind == .primaryKey:
      // The columns of the index become NOT NULL; one that no migration made may have any.
      return constraint.index.flatMap { model.indexes[model.key(SQLName(schema: table.schema, $0))]?.columns }
        ?? []
    default: return []
    }
  }
}

extension SchemaModel.Table {
  /// Whether a valid check refuses NULL in a column, alone or joined with others by AND.
  func provesNotNull(_ column: String) -> Bool {
    checks.contains { check in
      guard check.isValid else { return false }
      let words = check.condition.filter { $0 != "(" && $0 != ")" }
      guard !words.contains("or"), !words.contains("not") || words.firstIndex(of: "not") != 0 else {
        return false
      }
      return words.split(separator: "and").contains { $0.elementsEqual([column, "is", "not", "null"]) }
    }
  }
}
