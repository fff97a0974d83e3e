import Definitions
import PostgreSQL

/// The rules over all staged rows, between staging and publishing.
struct Gates {
  let pipeline: Pipeline
  let tables: [String: StagedTable]
  let connection: Connection
  let workers: StagingWorkers

  /// Judges the staged tables; rows that a `skip` rule finds are taken out and counted in `outcomes`.
  func judge(_ outcomes: inout [SourceLoader.Outcome]) throws -> [GateReport] {
    var reports = rowCounts(outcomes) + uniqueKeys(outcomes)
    // A table without its keys is broken already, and queries over it may take forever.
    guard reports.allSatisfy(\.passed) else { return reports }
    var waiting: [Check] = []
    for check in pipeline.checks where check.targets.allSatisfy({ tables[$0] != nil }) {
      if check.severity == .skip {
        // It changes what the rules after it see, so that those before it must have looked.
        reports += try count(waiting)
        waiting = []
        reports.append(try take(check, from: &outcomes))
      } else {
        waiting.append(check)
      }
    }
    return reports + (try count(waiting))
  }

  private func rowCounts(_ outcomes: [SourceLoader.Outcome]) -> [GateReport] {
    pipeline.sources.compactMap { source in
      guard let least = source.leastRows,
        let outcome = outcomes.first(where: { $0.report.source == source.name })
      else { return nil }
      let rows = outcome.report.loaded
      return GateReport(rule: "rows-\(source.name)", severity: .fail, passed: rows >= least, found: rows)
    }
  }

  private func uniqueKeys(_ outcomes: [SourceLoader.Outcome]) -> [GateReport] {
    outcomes.map { outcome in
      GateReport(
        rule: "unique-key-\(outcome.report.source)", severity: .fail, passed: outcome.duplicateKeys == 0,
        found: outcome.duplicateKeys)
    }
  }

  /// Counts what rules find, several at once.
  private func count(_ checks: [Check]) throws -> [GateReport] {
    let queries = checks.map { "SELECT count(*) FROM (\(sql($0))\n) found" }
    let results = workers.start(
      queries.map { query in { connection in try connection.query(query)[0].value(0, Int.self) } },
      first: true
    ).wait()
    return try zip(checks, results).map { check, result in
      let found = try explaining(check) { try result.get() }
      return GateReport(
        rule: check.rule, severity: check.severity, passed: found <= check.allowed || check.severity != .fail,
        found: found, isOdd: found > 0)
    }
  }

  /// Takes the rows that a `skip` rule finds out of the staged table.
  private func take(_ check: Check, from outcomes: inout [SourceLoader.Outcome]) throws -> GateReport {
    guard let index = outcomes.firstIndex(where: { $0.report.source == check.source }),
      let source = check.source.flatMap(pipeline.source(named:)), let table = tables[source.target]
    else { return GateReport(rule: check.rule, severity: .skip, passed: true, found: 0) }
    let removed = try explaining(check) {
      try connection.query(
        "DELETE FROM \(Quote.qualified(table.name)) WHERE source_line IN (\(sql(check))\n)"
      ).affectedRows
    }
    if removed > 0 {
      outcomes[index].report.skippedBy[check.rule, default: 0] += removed
      outcomes[index].report.loaded -= removed
      outcomes[index].report.targets[source.target, default: 0] -= removed
    }
    return GateReport(rule: check.rule, severity: .skip, passed: true, found: removed)
  }

  private func sql(_ check: Check) -> String {
    check.sql { Quote.qualified(tables[$0]?.name ?? $0) }
  }

  /// Says which rule it was whose SQL the server refused.
  private func explaining<Value>(_ check: Check, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as PostgreSQLError where !error.isCancellation {
      guard case .server(let server) = error else { throw error }
      throw RunError.checkFailed(rule: check.rule, file: check.file, reason: server.discreetMessage)
    }
  }
}
