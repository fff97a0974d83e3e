/// Finds new columns that refuse NULL and have nothing else to hold.
struct NotNullColumn: LintRule {
  let name = "not-null-column-without-default"
  let severity = LintSeverity.error
  let reason = "ADD COLUMN ... NOT NULL without a default fails on a table that has rows."
  let fix =
    "give it a DEFAULT (a constant one does not rewrite the table), or add it without NOT NULL, fill it, and set "
    + "NOT NULL by way of a validated CHECK"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    subject.addedColumns.compactMap { table, column in
      let filled: [ConstraintDefinition.Kind] = [
        .defaultValue, .identity, .storedExpression, .virtualExpression,
      ]
      let isFilled = filled.contains { column.has($0) } || column.type?.isSerial == true
      guard column.has(.notNull) || column.has(.primaryKey), !isFilled else { return nil }
      return LintRemark(
        column.place, "this fails where \(table) has rows: \(column.name) would be NULL in them")
    }
  }
}
