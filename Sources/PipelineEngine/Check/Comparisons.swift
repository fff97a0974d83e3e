import Definitions
import PipelineCore
import PostgreSQL
import Store

/// What sources expect of the release before, asked in one statement a source at most; of a source whose
/// number of rows alone counts, the ledger knows it already.
struct Comparisons {
  private struct Subject {
    let source: Source
    let classes: [(column: String, all: String)]
    /// Nil where no release before it has the table.
    let previous: PreviousTable?
    let withholdsValues: Bool
    /// What is known without asking.
    let known: (now: TableProfile, before: TableProfile)?
  }

  private let subjects: [Subject]
  private let asked: StagingWorkers.Pending<(now: TableProfile, before: TableProfile)>

  /// Looks the releases up and starts to count.
  init(_ gates: Gates, _ outcomes: [LoadOutcome], _ counts: OngoingCounts) throws {
    // Changes of a period are no more than they are.
    let looking = outcomes.filter {
      $0.source.expectation.looksBack && gates.tables[$0.source.target] != nil
        && gates.destination.period == nil
    }
    let tables: PreviousTables? =
      if looking.isEmpty {
        nil
      } else if let release = gates.destination.release {
        try PreviousTables(
          before: release, of: gates.pipeline, isSynthetic: gates.isSynthetic, on: try gates.connect())
      } else {
        try PreviousTables(asTheyAre: looking.map(\.source.target), on: try gates.connect())
      }
    var subjects: [Subject] = []
    var tasks: [@Sendable (Connection) throws -> (now: TableProfile, before: TableProfile)] = []
    for outcome in looking {
      let source = outcome.source
      let classes = gates.pipeline.classes(of: source).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
      let query = Self.query(source.expectation, classes: classes.map(\.0))
      let previous = tables?[source.target]
      var known: (TableProfile, TableProfile)?
      if let previous, let staged = gates.tables[source.target] {
        if query.isCountOnly, !gates.isAmended {
          let rows = outcome.reports.reduce(0) { $0 + ($1.targets[source.target] ?? 0) }
          known = (TableProfile(rows: rows), TableProfile(rows: previous.rows))
        } else {
          let (now, before) = (staged.name, previous.partition)
          tasks.append { connection in try counts.run { try query.count(now, before, on: connection) } }
        }
      }
      subjects.append(
        Subject(
          source: source, classes: classes, previous: previous,
          withholdsValues: !gates.plan.showsValues(of: source, in: gates.pipeline), known: known))
    }
    self.subjects = subjects
    asked = gates.workers.start(tasks, first: true)
  }

  private static func query(_ expect: Expectation, classes: [String]) -> TableProfile.Query {
    let shares = expect.drifts.filter { $0.measure == .shareOf }
    return TableProfile.Query(
      classes: classes, shares: shares.map(\.column),
      sums: expect.drifts.filter { $0.measure == .sumOf }.map(\.column),
      leastShare: shares.map(\.limit.percent).min() ?? 0)
  }

  /// Waits for the counts and judges them.
  func judge() throws -> [GateReport] {
    var counted = asked.wait()[...]
    var reports: [GateReport] = []
    for subject in subjects {
      let expect = subject.source.expectation
      guard let previous = subject.previous else {
        reports += nothingBefore(subject.source)
        continue
      }
      guard let profiles = try subject.known ?? counted.popFirst()?.get() else { continue }
      let comparison = ReleaseComparison(
        source: subject.source, classes: subject.classes, previous: previous, now: profiles.now,
        before: profiles.before, withholdsValues: subject.withholdsValues)
      if let change = expect.rowChange { reports.append(comparison.judgeRows(change)) }
      reports += expect.drifts.map(comparison.judge)
    }
    return reports
  }

  private func nothingBefore(_ source: Source) -> [GateReport] {
    let change = source.expectation.rowChange.map {
      [ReleaseComparison.nothingBefore(source.rowChangeRule, $0.severity)]
    }
    return (change ?? [])
      + source.expectation.drifts.map {
        ReleaseComparison.nothingBefore(source.rule(for: $0), $0.limit.severity)
      }
  }
}
