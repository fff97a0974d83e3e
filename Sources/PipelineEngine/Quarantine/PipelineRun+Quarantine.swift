import Definitions
import Records

extension PipelineRun {
  /// Keeps the records that checks rejected. Their rows alone were staged, so that the records are read again from
  /// their source, by the lines that the rows carry.
  func quarantine(_ rejected: [RowTaking.Rejected], _ outcomes: inout [SourceLoader.Outcome]) throws {
    for taken in rejected {
      guard
        let index = outcomes.firstIndex(where: { outcome in
          outcome.reports.contains { $0.sourceFileID == taken.sourceFileID }
        }),
        let report = outcomes[index].reports.first(where: { $0.sourceFileID == taken.sourceFileID }),
        let entry = found.entries.first(where: {
          $0.source.name == report.source && $0.entry.entry.path == report.file
            && $0.entry.entry.entry == report.entry
        })
      else { continue }
      let about = taken.check.summary.isEmpty ? "" : ": \(taken.check.summary)"
      let reason = try LineQuarantine(target: setting.target).keep(
        Set(taken.lines), of: entry, report: report, rule: taken.check.rule,
        explanation: "the record breaks the rule '\(taken.check.rule)'\(about)")
      outcomes[index].reasons.append(reason)
      outcomes[index].keptRejects += reason.records
    }
    report.rejects = RejectReason.ordered(outcomes.flatMap(\.reasons))
  }
}
