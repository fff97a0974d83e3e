import MigrationEngine
import Reporting
import ViewEngine

extension SetupCheck {
  /// Whether stored views show what their sources hold.
  static let views = SetupCheck(
    "views", .data, because: "readers of a stale view see what was so before"
  ) { subject in
    let engine = try subject.viewEngine()
    let isComplete = try subject.migrations().allSatisfy(\.status.isInStep)
    return try subject.readingLedger { connection in
      let views = try engine.status(on: connection)
      let findings = views.filter { !$0.behind.isEmpty }.map { view -> Finding in
        let found = "\(view.name) is behind: \(view.behind.joined(separator: ", "))"
        // One that is not made has nothing to be refreshed.
        guard view.strategy != "live", view.refreshedAt != nil || !view.indexes.isEmpty || view.rows != nil
        else {
          return isComplete
            ? .warning(found, fix: "rivulet migrate up") : .note(found, fix: "rivulet migrate up")
        }
        let fix = "rivulet refresh \(view.name)"
        return view.isStale ? .warning(found, fix: fix) : .note(found, fix: fix)
      }
      return findings.isEmpty ? [.ok("\(views.count.grouped) views are exact")] : findings
    }
  }
}
