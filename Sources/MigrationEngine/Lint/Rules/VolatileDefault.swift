/// Finds new columns whose value has to be written into every row.
struct VolatileDefault: LintRule {
  let name = "volatile-default"
  let severity = LintSeverity.error
  let reason =
    "ADD COLUMN with a default that differs from row to row (random(), clock_timestamp(), gen_random_uuid(), nextval()), "
    + "with serial, identity or GENERATED ... STORED rewrites the whole table and its indexes under an ACCESS EXCLUSIVE "
    + "lock. now() and constants do not."
  let fix =
    "add the column without a default, then SET DEFAULT for new rows, and fill the old ones in batches of a migration "
    + "of their own"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    subject.addedColumns.flatMap { table, column -> [LintRemark] in
      column.constraints.compactMap { remark($0, column, table, subject) } + type(of: column, table, subject)
    }
  }

  private func remark(
    _ constraint: ConstraintDefinition, _ column: ColumnDefinition, _ table: SQLName, _ subject: LintSubject
  ) -> LintRemark? {
    switch constraint.kind {
    case .identity: return rewrite(constraint.place, column, table, "identity")
    case .storedExpression: return rewrite(constraint.place, column, table, "a stored expression")
    case .defaultValue:
      guard let expression = constraint.expression else { return nil }
      switch Volatility.of(subject.statement, expression, declared: subject.model.functions) {
      case .steady: return nil
      case .volatile(let function):
        return rewrite(constraint.place, column, table, "\(function)(), which gives each row another value")
      case .unknown(let function):
        return LintRemark(
          constraint.place,
          "\(table) is rewritten unless \(function)() is declared STABLE or IMMUTABLE, which the file does not show"
        )
      }
    default: return nil
    }
  }

  private func type(of column: ColumnDefinition, _ table: SQLName, _ subject: LintSubject) -> [LintRemark] {
    guard let type = column.type else { return [] }
    if type.isSerial { return [rewrite(column.place, column, table, type.name)] }
    guard subject.model.checkedDomains.contains(type.name) else { return [] }
    return [
      rewrite(column.place, column, table, "the domain \(type.name), whose checks are tried on every row")
    ]
  }

  private func rewrite(_ place: Int, _ column: ColumnDefinition, _ table: SQLName, _ cause: String)
    -> LintRemark
  {
    LintRemark(
      place, "readers and writers of \(table) wait while it is rewritten: \(column.name) has \(cause)")
  }
}
