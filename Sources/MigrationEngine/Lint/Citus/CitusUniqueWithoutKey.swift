/// Finds unique constraints and indexes of a distributed table that leave its key out.
struct CitusUniqueWithoutKey: LintRule {
  let name = "citus-unique-without-key"
  let severity = LintSeverity.error
  let isForCitus = true
  let reason =
    "A PRIMARY KEY, UNIQUE or EXCLUDE of a distributed table must contain the distribution column; reference tables are "
    + "free. Asked of keys and unique indexes, not of EXCLUDE, and only of tables that a migration or callback "
    + "distributes by create_distributed_table."
  let fix = "put the distribution column into the key, or make it a reference table"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    if case .createIndex(let index) = subject.meaning, index.isUnique {
      return remark(index.tablePlace, index.table, index.columns, subject).map { [$0] } ?? []
    }
    guard let table = subject.citusTable else { return [] }
    return subject.citusConstraints.compactMap { column, constraint in
      guard [.unique, .primaryKey].contains(constraint.kind), constraint.index == nil else { return nil }
      return remark(constraint.place, table, column.map { [$0] } ?? constraint.columns, subject)
    }
  }

  private func remark(_ place: Int, _ table: SQLName, _ columns: [String], _ subject: LintSubject)
    -> LintRemark?
  {
    guard let key = subject.folder.placement.distributed[subject.model.key(table)], !columns.contains(key)
    else {
      return nil
    }
    return LintRemark(
      place, "\(table) is distributed by \(key), which is not in (\(columns.joined(separator: ", ")))")
  }
}
