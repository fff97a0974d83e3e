/// Finds CREATE INDEX CONCURRENTLY on a partitioned table, which PostgreSQL refuses.
struct ConcurrentlyOnPartitioned: LintRule {
  let name = "concurrently-on-partitioned"
  let severity = LintSeverity.error
  let reason = "PostgreSQL refuses CREATE INDEX CONCURRENTLY on a partitioned table."
  let fix =
    "CREATE INDEX ... ON ONLY the parent, then CREATE INDEX CONCURRENTLY on each partition and "
    + "ALTER INDEX ... ATTACH PARTITION"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    guard case .createIndex(let index) = subject.meaning, index.isConcurrent, !index.isOnly,
      subject.model.table(index.table)?.isPartitioned == true
    else { return [] }
    return [LintRemark(index.tablePlace, "\(index.table) is partitioned: this is refused")]
  }
}
