/// Finds unique and primary keys whose index is built under a lock.
struct KeyWithoutIndex: LintRule {
  let name = "key-without-index"
  let severity = LintSeverity.error
  let reason =
    "ADD UNIQUE, ADD PRIMARY KEY and ADD EXCLUDE build an index under an ACCESS EXCLUSIVE lock: nobody reads or writes "
    + "the table until it is built."
  let fix =
    "CREATE UNIQUE INDEX CONCURRENTLY in a migration of its own, then ADD CONSTRAINT ... UNIQUE USING INDEX (for a "
    + "primary key the columns must be NOT NULL already)"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    let kinds: [ConstraintDefinition.Kind] = [.unique, .primaryKey, .exclude]
    let added = subject.addedConstraints.filter {
      kinds.contains($0.constraint.kind) && $0.constraint.index == nil
    }
    let onColumns = subject.addedColumns.flatMap { table, column in
      column.constraints.filter { kinds.contains($0.kind) }.map { (table, $0) }
    }
    return (added.map { ($0.table, $0.constraint) } + onColumns).map { table, key in
      LintRemark(
        key.place, "readers and writers of \(table) wait until the index is built",
        fix: fix(key, table, subject))
    }
  }

  private func fix(_ key: ConstraintDefinition, _ table: SQLName, _ subject: LintSubject) -> String? {
    if key.kind == .exclude {
      return "there is no other way: do it while nobody needs \(table), and say so in an allow"
    }
    guard subject.model.table(table)?.isPartitioned == true else { return nil }
    return
      "a partitioned table cannot take an index over: do it while nobody needs \(table), and say so in an allow"
  }
}
