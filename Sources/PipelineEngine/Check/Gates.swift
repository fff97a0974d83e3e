import Definitions
import PipelineCore
import PostgreSQL
import Progress

/// The rules over all staged rows, between staging and publishing.
struct Gates {
  let pipeline: Pipeline
  let plan: LoadPlan
  let destination: Destination
  let tables: [String: StagedTable]
  /// Gives the main connection, made again where it was lost meanwhile.
  let connect: () throws -> Connection
  let workers: StagingWorkers
  /// Rows were changed since they were loaded, or copied beside them, so that only the server can count them.
  let isAmended: Bool
  /// The files say that they are samples.
  let isSynthetic: Bool
  /// The rules whose findings the user takes on.
  var accepted: Set<String> = []
  /// Counts the rules that were asked.
  let progress: TaskProgress

  /// What came of judging.
  struct Verdict {
    var reports: [GateReport]
    /// The records that checks rejected, to be kept in the quarantine.
    var rejected: [RejectedRows] = []
  }

  /// Judges the staged tables; rows that a `skip` or `reject` rule finds are taken out and counted in
  /// `outcomes`.
  func judge(_ outcomes: inout [LoadOutcome]) throws -> Verdict {
    let keys = counted(outcomes).uniqueKeys
    // A table without its keys is broken already, and queries over it may take forever.
    guard keys.allSatisfy(\.passed) else {
      let counted = counted(outcomes)
      return Verdict(reports: counted.rowCounts + (try placed(keys, outcomes)) + counted.oddValues)
    }
    var verdict = Verdict(reports: [])
    verdict.reports += try takeOrphans(from: &outcomes, &verdict.rejected)
    let checks = pipeline.checks.filter { $0.targets.allSatisfy { tables[$0] != nil } }
    progress.step(StepState("rule", 1, of: checks.count))
    let changed = Set(checks.filter(changesRows).flatMap { targets(changedBy: $0, outcomes) })
    let counts = OngoingCounts()
    defer { counts.end() }
    // Rules on tables whose rows no rule takes or changes need not wait for any.
    let apart = start(
      checks.filter { !changesRows($0) && changed.isDisjoint(with: $0.targets) }, outcomes, counts)
    var reports: [Check: GateReport] = [:]
    var waiting: [Check] = []
    for check in checks where changesRows(check) || !changed.isDisjoint(with: check.targets) {
      guard changesRows(check) else {
        waiting.append(check)
        continue
      }
      // It changes what the rules after it see, so that those before it must have looked.
      try tell([start(waiting, outcomes, counts)], of: checks, outcomes, in: &reports)
      waiting = []
      reports[check] =
        try check.blanks.map { try leaveBlank($0, by: check, outcomes) }
        ?? take(check, from: &outcomes, &verdict.rejected)
    }
    let last = start(waiting, outcomes, counts)
    // What is left of the rows is held against the release before while the last checks look at them.
    let comparisons = try Comparisons(self, outcomes, counts)
    let replaced = try ReplacedKeys(self, outcomes, counts)
    try tell([last, apart], of: checks, outcomes, in: &reports)
    let counted = counted(outcomes)
    let own =
      counted.rowCounts + (try comparisons.judge()) + (try replaced.judge()) + keys + counted.oddValues
    verdict.reports = own + verdict.reports + checks.compactMap { reports[$0] }
    return verdict
  }

  private func counted(_ outcomes: [LoadOutcome]) -> CountedRules {
    CountedRules(pipeline, destination, outcomes, isSynthetic: isSynthetic)
  }

  /// Whether rows that the rule finds are taken out or changed; of one that is taken on they stay, and are
  /// reported as findings.
  private func changesRows(_ check: Check) -> Bool {
    (check.severity.takesRows || check.blanks != nil) && !accepted.contains(check.rule)
  }

  /// The tables that a rule takes or changes rows of.
  private func targets(changedBy check: Check, _ outcomes: [LoadOutcome]) -> [String] {
    outcomes.first { $0.source.name == check.source }.map { targets(of: $0.source) } ?? []
  }

  func targets(of source: Source) -> [String] { pipeline.childTargets(of: source) + [source.target] }

  /// Goes before a query in the same message, which is one transaction and one round trip: a rule must not
  /// change anything, as `setval` and functions of the database do that are called in a SELECT.
  static let onlyReading = "SET TRANSACTION READ ONLY; "

  /// Rules whose findings are being counted.
  private struct Counting {
    let scans: [RowScan]
    let findings: StagingWorkers.Pending<[Result<Int, any Error>]>
  }

  /// Begins to count what rules find, several at once: those first that have the most rows to look at, so
  /// that no connection is left with one of them at the end.
  private func start(
    _ checks: [Check], _ outcomes: [LoadOutcome], _ counts: OngoingCounts
  ) -> Counting {
    let rows = outcomes.flatMap(\.reports).reduce(into: [:]) { $0.merge($1.targets, uniquingKeysWith: +) }
    let scans = RowScan.all(of: checks, pipeline, tables, rows: isAmended ? [:] : rows)
    let sizes = scans.map { scan in
      scan.checks.flatMap(\.targets).reduce(0) { $0 + rows[$1, default: 0] }
    }
    let asked = scans.indices.sorted { (sizes[$1], $0) < (sizes[$0], $1) }.map { scans[$0] }
    let findings = workers.start(
      asked.map { scan in
        { [progress] connection in
          defer { for _ in scan.checks { progress.stepForward() } }
          return try counts.run { try scan.count(on: connection) }
        }
      }, first: true)
    return Counting(scans: asked, findings: findings)
  }

  /// Waits for what rules find, and tells it of each; of several that cannot be run, the error of the first
  /// in the pipeline.
  private func tell(
    _ countings: [Counting], of checks: [Check], _ outcomes: [LoadOutcome],
    in reports: inout [Check: GateReport]
  ) throws {
    var found: [Check: (statement: DefinedStatement, result: Result<Int, any Error>)] = [:]
    for counting in countings {
      for (scan, findings) in zip(counting.scans, counting.findings.wait()) {
        for (index, check) in scan.checks.enumerated() {
          found[check] = (scan.statements[index], findings.flatMap { $0[index] })
        }
      }
    }
    for check in checks {
      guard let (statement, result) = found[check] else { continue }
      let found = try statement.explaining { try result.get() }
      reports[check] = GateReport(
        rule: check.rule, severity: check.severity,
        passed: found <= check.allowed
          || check.severity != .fail && check.severity != .reject && check.blanks == nil,
        found: found, isOdd: found > 0, about: check.summary,
        places: found > 0 ? try firstPlaces(check, outcomes) : [], file: check.file)
    }
  }

  /// Takes the rows that a rule finds out of the staged tables.
  func take(
    _ check: Check, from outcomes: inout [LoadOutcome], _ rejected: inout [RejectedRows]
  ) throws -> GateReport {
    var found = 0
    var places: [GateReport.Place] = []
    defer { progress.stepForward() }
    if let index = outcomes.firstIndex(where: { $0.source.name == check.source }) {
      let source = outcomes[index].source
      let taking = RowTaking(
        check: check, pipeline: pipeline, tables: tables,
        targets: targets(of: source),
        connection: try connect(), holdsCopies: outcomes[index].copied > 0)
      let taken = try taking.take(from: &outcomes[index].reports)
      found = taken.found
      rejected += taken.rejected
      if let first = taken.rejected.first {
        let report = outcomes[index].reports.first { $0.sourceFileID == first.sourceFileID }
        places = first.lines.sorted().prefix(Self.mostPlaces).map { .init(file: report?.place, line: $0) }
      }
    }
    return GateReport(
      rule: check.rule, severity: check.severity, passed: true, found: found, about: check.summary,
      places: places, file: check.file)
  }
}
