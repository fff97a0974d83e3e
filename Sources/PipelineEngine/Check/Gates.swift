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
    var reports = rowCounts(outcomes) + uniqueKeys(outcomes) + oddValues(outcomes)
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
    outcomes.compactMap { outcome in
      guard let least = outcome.source.leastRows else { return nil }
      return GateReport(
        rule: "rows-\(outcome.source.name)", severity: .fail, passed: outcome.loaded >= least,
        found: outcome.loaded, about: "There must be \(least) rows at least")
    }
  }

  /// Values that code lists lack, and those that were left blank: they are told of, and refuse nothing. The source's
  /// own warnings tell which columns and values.
  private func oddValues(_ outcomes: [SourceLoader.Outcome]) -> [GateReport] {
    outcomes.flatMap { outcome -> [GateReport] in
      let columns = pipeline.layout(of: outcome.source)?.versions.flatMap(\.everyColumn) ?? []
      var gates: [GateReport] = []
      func add(_ rule: String, _ found: [Int]) {
        gates.append(
          GateReport(
            rule: "\(rule)-\(outcome.source.name)", severity: .warn, passed: true, found: found.reduce(0, +)))
      }
      if columns.contains(where: { $0.list != nil }) {
        add("known-codes", outcome.reports.flatMap(\.unknownCodes.values))
      }
      if columns.contains(where: \.blanksInvalid) {
        add("blanked-values", outcome.reports.flatMap(\.blankedValues.values))
      }
      return gates
    }
  }

  private func uniqueKeys(_ outcomes: [SourceLoader.Outcome]) -> [GateReport] {
    outcomes.map { outcome in
      let found = outcome.duplicateKeys.values.reduce(0, +)
      return GateReport(
        rule: "unique-key-\(outcome.source.name)", severity: .fail, passed: found == 0, found: found,
        about: "Rows have a key that others have: \(outcome.source.key.joined(separator: ", "))")
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
        found: found, isOdd: found > 0, about: check.summary, lines: found > 0 ? try firstLines(check) : [])
    }
  }

  /// The first lines that a rule finds; none where it does not return `source_line`.
  private func firstLines(_ check: Check) throws -> [Int] {
    try explaining(check) {
      try connection.query(
        """
        SELECT DISTINCT line FROM (SELECT (to_jsonb(found) ->> 'source_line')::bigint AS line
        FROM (\(sql(check))
        ) found) lines
        WHERE line IS NOT NULL ORDER BY 1 LIMIT 3
        """
      ).rows.map { try $0.value(0) }
    }
  }

  /// Takes the rows that a `skip` rule finds out of the staged table.
  private func take(_ check: Check, from outcomes: inout [SourceLoader.Outcome]) throws -> GateReport {
    guard let index = outcomes.firstIndex(where: { $0.source.name == check.source }) else {
      return GateReport(rule: check.rule, severity: .skip, passed: true, found: 0)
    }
    let source = outcomes[index].source
    var removed = 0
    for target in pipeline.childTargets(of: source) + [source.target] {
      guard let table = tables[target] else { continue }
      let rows = try explaining(check) {
        try connection.query(
          """
          WITH gone AS (
            DELETE FROM \(Quote.qualified(table.name))
            WHERE (source_file_id, source_line) IN (\(sql(check))
          ) RETURNING source_file_id)
          SELECT source_file_id, count(*) FROM gone GROUP BY 1
          """)
      }
      for row in rows.rows {
        let (id, count): (Int, Int) = (try row.value(0), try row.value(1))
        guard let report = outcomes[index].reports.firstIndex(where: { $0.sourceFileID == id }) else {
          continue
        }
        outcomes[index].reports[report].targets[target, default: 0] -= count
        guard target == source.target else { continue }
        outcomes[index].reports[report].skippedBy[check.rule, default: 0] += count
        outcomes[index].reports[report].loaded -= count
        removed += count
      }
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
