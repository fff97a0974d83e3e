import PipelineCore
import PipelineEngine
import Reporting
import Store
import Values
import ViewEngine

extension NightlySummary {
  /// The summary for people: what was done, then what is not as it should be.
  var text: String {
    var lines = fetched.compactMap { release in
      switch release.state {
      case .fetched: "fetched \(release.pipeline) \(release.release): \(release.file ?? "")"
      case .unchanged: nil
      case .notPublished: "\(release.pipeline) \(release.release) is not yet published"
      }
    }
    lines += runs.map(runSummary)
    lines += waiting.map { "\($0.file) waits: \($0.reason)" }
    lines += views.filter { $0.outcome != .unchanged }.map(RefreshAnswer.line)
    lines += retentionLines
    lines += freshness.compactMap { dataset in
      guard let release = dataset.release, let age = dataset.ageInDays else { return nil }
      return "\(dataset.dataset) \(release): \(age) of \(dataset.limitInDays) days old"
    }
    if problems.isEmpty && !isCutShort { lines.append("all is well") }
    for problem in problems {
      lines.append("\(problem.step.rawValue) (\(problem.code)): \(problem.message)")
    }
    if isCutShort { lines.append("interrupted; what was not begun by then is not done") }
    return lines.joined(separator: "\n") + "\n\(JSON.seconds(seconds).text) s\n"
  }

  private var retentionLines: [String] {
    var lines: [String] = []
    if removedRuns.count > 0 { lines.append("removed \(removedRuns.count.grouped) runs of the ledger") }
    if removedRejects.count > 0 {
      lines.append("removed \(removedRejects.count.grouped) refused records")
    }
    for expired in revisions {
      let name = "\(expired.pipeline) \(expired.release) revision \(expired.revision)"
      lines.append(
        expired.leftBecause.map { "left \(name): \($0)" }
          ?? "dropped \(name): \(expired.removed.rows.grouped) rows, \(expired.removed.bytes.grouped) bytes")
    }
    return lines
  }
}
