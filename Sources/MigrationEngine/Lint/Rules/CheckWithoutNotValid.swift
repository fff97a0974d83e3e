/// Finds CHECK constraints that are checked under a lock.
struct CheckWithoutNotValid: LintRule {
  let name = "check-without-not-valid"
  let severity = LintSeverity.error
  let reason =
    "ADD CHECK reads the whole table under an ACCESS EXCLUSIVE lock: nobody reads or writes it until it is done. "
    + "A CHECK on a new column does so too."
  let fix =
    "ADD CONSTRAINT ... NOT VALID, and in a later migration VALIDATE CONSTRAINT, which lets all others go on"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    let added = subject.addedConstraints.filter { $0.constraint.kind == .check && !$0.constraint.isNotValid }
    let onColumns = subject.addedColumns.compactMap { table, column in
      column.first(.check).map { (table, $0) }
    }
    return (added.map { ($0.table, $0.constraint) } + onColumns).map { table, check in
      LintRemark(check.place, "readers and writers of \(table) wait until every row is checked")
    }
  }
}
