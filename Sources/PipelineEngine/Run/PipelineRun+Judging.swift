import Definitions
import PostgreSQL

/// What must hold before anybody sees the rows.
extension PipelineRun {
  /// Lets the rows of amending sources do to the other tables what their definition says.
  func amend() throws {
    for (source, _) in found.bySource {
      guard let amendment = found.changing(source) else { continue }
      let statement = DefinedStatement(amendment, of: setting.pipeline, tables: tables)
      let connection = try connection
      try statement.explaining { try connection.transaction { _ = try connection.execute(statement.text) } }
    }
  }

  /// How many rows the staged tables have; where something was amended the server must count them.
  func rows(of target: String, in table: StagedTable) throws -> Int {
    guard amended != nil || found.bySource.contains(where: { $0.source.amendment != nil }) else {
      return report.sources.reduce(0) { $0 + ($1.targets[target] ?? 0) }
    }
    return try setting.connections.retry.attempt {
      try connection.query("SELECT count(*) FROM \(Quote.qualified(table.name))")[0].value(0)
    }
  }

  func judge(_ outcomes: inout [SourceLoader.Outcome]) throws {
    noteUnknownKinds(in: &outcomes)
    try requireFewRejects(outcomes)
    let duplicates = try setDuplicatesAside(&outcomes)
    // Tables without their keys are refused by the gates. What the bundle has is compared before it is amended.
    let haveKeys = outcomes.allSatisfy { $0.duplicateKeys.values.allSatisfy { $0 == 0 } }
    if request.crossChecks, haveKeys {
      let checker = CrossChecker(run: report.run, release: destination.release?.name, setting: setting)
      try begin("cross-check")
      report.crossChecks = try checker.compare(found, with: tables)
    }
    try begin("check")
    if haveKeys { try amend() }
    let gates = Gates(
      pipeline: setting.pipeline, destination: destination, tables: tables, connect: { try self.connection },
      workers: setting.workers,
      isAmended: amended != nil || found.bySource.contains { $0.source.amendment != nil },
      accepted: request.acceptedRules)
    let verdict = try gates.judge(&outcomes)
    report.gates = (CrossChecker.gates(report.crossChecks) + duplicates.reports + verdict.reports).map {
      $0.accepted(request.acceptedRules)
    }
    let rejected = duplicates.rejected + verdict.rejected
    try quarantine(rejected, &outcomes)
    report.sources = outcomes.flatMap(\.reports)
    try outcomes.forEach { try $0.requireSums() }
    if !rejected.isEmpty { try requireFewRejects(outcomes) }
    let failed = report.gates.filter(\.refuses)
    guard failed.isEmpty else { throw RunError.gatesFailed(failed) }
    // A download that has failed must not take the place of what is there.
    guard found.replay != nil || report.sources.contains(where: { $0.loaded + $0.rejected > 0 }) else {
      throw RunError.nothingLoaded
    }
  }

  /// Tells, once an entry, of records of kinds that no source of the pipeline wants.
  private func noteUnknownKinds(in outcomes: inout [SourceLoader.Outcome]) {
    let wanted = Set(
      setting.pipeline.layouts.values.flatMap(\.versions).flatMap { RecordKind($0)?.wanted ?? [] })
    var told: Set<String> = []
    for outcome in outcomes.indices {
      for report in outcomes[outcome].reports.indices {
        let found = outcomes[outcome].reports[report]
        let unknown = found.otherKinds.filter { !wanted.contains($0.key) }
        guard !unknown.isEmpty, told.insert(found.place).inserted else { continue }
        let kinds = unknown.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(8).map {
          "\($0.key.isEmpty ? "records that do not say what they are" : $0.key) (\($0.value))"
        }
        outcomes[outcome].reports[report].warnings.append(
          "\(unknown.values.reduce(0, +)) records of \(found.place) are of kinds that no source takes: "
            + kinds.joined(separator: ", ") + (unknown.count > 8 ? " and others" : ""))
      }
    }
    self.report.sources = outcomes.flatMap(\.reports)
  }

  /// How many records may be refused.
  var rejectLimit: RejectLimit { request.rejectLimit ?? setting.pipeline.rejects }

  func requireFewRejects(_ outcomes: [SourceLoader.Outcome]) throws {
    let (read, rejected) = report.sources.records
    guard rejectLimit.allows(rejected: rejected, of: read) else {
      let isTooMuch = outcomes.contains { $0.keptRejects > Quarantine.leastKept }
      throw RunError.tooManyRejects(
        rejected: rejected, read: read, limit: rejectLimit.description,
        kept: isTooMuch
          ? try Quarantine.cut(outcomes.map { $0.reports.map(\.sourceFileID) }, on: connection)
          : outcomes.reduce(0) { $0 + $1.keptRejects }, reasons: report.rejects)
    }
  }
}
