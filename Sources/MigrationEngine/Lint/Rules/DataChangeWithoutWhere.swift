/// Finds changes of all rows of a live table.
struct DataChangeWithoutWhere: LintRule {
  let name = "data-change-without-where"
  let severity = LintSeverity.notice
  let reason =
    "UPDATE or DELETE without WHERE, and TRUNCATE, touch every row of a table that is in use: long locks on rows, much to "
    + "vacuum, and nothing that brings the rows back."
  let fix = "say which rows with WHERE, in batches where they are many"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    guard case .change(let change) = subject.meaning, change.verb != "INSERT", !change.hasWhere,
      subject.model.isExisting(change.table)
    else { return [] }
    return [LintRemark(0, "\(change.verb) touches every row of \(change.table)")]
  }
}
