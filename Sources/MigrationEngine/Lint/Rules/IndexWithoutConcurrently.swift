/// Finds CREATE INDEX that keeps writers from a live table.
struct IndexWithoutConcurrently: LintRule {
  let name = "index-without-concurrently"
  let severity = LintSeverity.error
  let reason =
    "CREATE INDEX takes a SHARE lock: nobody writes to the table until the index is built."
  let fix =
    "CREATE INDEX CONCURRENTLY in a migration of its own; it runs outside a transaction by itself"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    guard case .createIndex(let index) = subject.meaning, !index.isConcurrent,
      subject.model.isExisting(index.table)
    else { return [] }
    let message = "writers of \(index.table) wait until the index is built"
    guard subject.model.table(index.table)?.isPartitioned == true else { return [LintRemark(0, message)] }
    // On the parent alone there is nothing to read.
    if index.isOnly { return [] }
    return [
      LintRemark(
        0, message,
        fix: "CREATE INDEX ... ON ONLY \(index.table), then CREATE INDEX CONCURRENTLY on each partition and "
          + "ALTER INDEX ... ATTACH PARTITION")
    ]
  }
}
