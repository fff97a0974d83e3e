import Definitions
import PostgreSQL

/// The rules over all staged rows, between staging and publishing.
struct Gates {
  let pipeline: Pipeline
  let tables: [String: StagedTable]
  let connection: Connection

  /// Judges the staged tables; rows that a `skip` rule finds are taken out and counted in `outcomes`.
  func judge(_ outcomes: inout [SourceLoader.Outcome]) throws -> [GateReport] {
    var reports = rowCounts(outcomes) + uniqueKeys(outcomes)
    // A table without its keys is broken already, and queries over it may take forever.
    guard reports.allSatisfy(\.passed) else { return reports }
    for check in pipeline.checks where check.targets.allSatisfy({ tables[$0] != nil }) {
      do {
        reports.append(try apply(check, &outcomes))
      } catch let error as PostgreSQLError where !error.isCancellation {
        guard case .server(let server) = error else { throw error }
        throw RunError.checkFailed(rule: check.rule, file: check.file, reason: server.description)
      }
    }
    return reports
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

  private func apply(_ check: Check, _ outcomes: inout [SourceLoader.Outcome]) throws -> GateReport {
    let sql = check.sql { Quote.qualified(tables[$0]?.name ?? $0) }
    if check.severity == .skip,
      let index = outcomes.firstIndex(where: { $0.report.source == check.source }),
      let source = check.source.flatMap(pipeline.source(named:)), let table = tables[source.target]
    {
      let removed = try connection.query(
        "DELETE FROM \(Quote.qualified(table.name)) WHERE source_line IN (\(sql)\n)"
      ).affectedRows
      if removed > 0 {
        outcomes[index].report.skippedBy[check.rule, default: 0] += removed
        outcomes[index].report.loaded -= removed
        outcomes[index].report.targets[source.target, default: 0] -= removed
      }
      return GateReport(rule: check.rule, severity: .skip, passed: true, found: removed)
    }
    let found: Int = try connection.query("SELECT count(*) FROM (\(sql)\n) found")[0].value(0)
    return GateReport(
      rule: check.rule, severity: check.severity, passed: found == 0 || check.severity != .fail, found: found)
  }
}
