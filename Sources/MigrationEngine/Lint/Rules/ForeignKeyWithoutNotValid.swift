/// Finds foreign keys that are checked under a lock on both tables.
struct ForeignKeyWithoutNotValid: LintRule {
  let name = "foreign-key-without-not-valid"
  let severity = LintSeverity.error
  let reason =
    "ADD FOREIGN KEY reads the whole table under SHARE ROW EXCLUSIVE locks on both tables: nobody writes to either "
    + "until it is done."
  let fix =
    "ADD CONSTRAINT ... NOT VALID, and in a later migration VALIDATE CONSTRAINT, which lets writers go on"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    let added = subject.addedConstraints.filter {
      $0.constraint.kind == .foreignKey && !$0.constraint.isNotValid
    }
    let onTables = added.map { table, constraint in
      remark(constraint, table, isPartitioned: subject.model.table(table)?.isPartitioned == true)
    }
    // A new column without a default holds nothing but NULL and is not read; with DEFAULT NULL it is.
    let onColumns = subject.addedColumns.compactMap { table, column -> LintRemark? in
      guard let key = column.first(.foreignKey), column.has(.defaultValue) else { return nil }
      return remark(key, table, isPartitioned: false)
    }
    return onTables + onColumns
  }

  private func remark(_ key: ConstraintDefinition, _ table: SQLName, isPartitioned: Bool) -> LintRemark {
    let target = key.target.map { " and \($0)" } ?? ""
    return LintRemark(
      key.place, "writers of \(table)\(target) wait until every row is checked",
      fix: isPartitioned
        ? "before PostgreSQL 18 a partitioned table knows no NOT VALID foreign key: add the key to each partition with "
          + "NOT VALID, validate it there, and then add it to the parent, which takes those over" : nil)
  }
}
