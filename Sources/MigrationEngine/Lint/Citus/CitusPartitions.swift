/// Finds partitions in a way that Citus does not know.
struct CitusPartitions: LintRule {
  let name = "citus-partitions"
  let severity = LintSeverity.error
  let isForCitus = true
  let reason =
    "Citus knows one level of partitions, none of a reference table, and no DETACH PARTITION CONCURRENTLY."
  let fix = "one level of partitions of a distributed table, and DETACH PARTITION without CONCURRENTLY"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    guard let name = subject.citusTable else { return [] }
    switch subject.meaning {
    case .createTable(let table) where table.isPartitioned && table.parent != nil:
      return [LintRemark(table.place, "\(table.name) is a partition that is partitioned again")]
    case .createTable(let table)
    where table.isPartitioned && subject.folder.placement.place(of: subject.model.key(name)) == .reference:
      return [LintRemark(table.place, "\(table.name) is a reference table and cannot be partitioned")]
    case .alterTable(let alter):
      return alter.actions.compactMap { action in
        switch action.kind {
        case .detachPartition(_, isConcurrent: true): LintRemark(action.place, "CONCURRENTLY is refused here")
        case .attachPartition(let part, _) where subject.model.table(part)?.isPartitioned == true:
          LintRemark(action.place, "\(part) is partitioned itself")
        default: nil
        }
      }
    default: return []
    }
  }
}
