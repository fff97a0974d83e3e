import Definitions
import PipelineCore
import PostgreSQL
import Progress

/// Rules whose findings cost a value and not its record.
extension Gates {
  /// Leaves a column blank in the rows that a rule finds, of those of this run; what was copied from an earlier
  /// revision was judged there.
  func leaveBlank(_ column: String, by check: Check, _ outcomes: [LoadOutcome]) throws -> GateReport {
    defer { progress.stepForward() }
    var found = 0
    let places = try firstPlaces(check, outcomes)
    if !places.isEmpty, let outcome = outcomes.first(where: { $0.source.name == check.source }),
      let table = tables[outcome.source.target]
    {
      let files = outcome.reports.map { "\($0.sourceFileID)" }.joined(separator: ", ")
      let statement = DefinedStatement(
        check, of: pipeline, tables: tables,
        before: "WITH found AS MATERIALIZED (SELECT DISTINCT source_file_id, source_line FROM (",
        after: """

          ) returned WHERE source_file_id IN (\(files))), blanked AS (
          UPDATE \(Quote.qualified(table.name)) t SET \(Quote.identifier(column)) = NULL FROM found f
          WHERE t.source_file_id = f.source_file_id AND t.source_line = f.source_line RETURNING 1)
          SELECT count(*) FROM blanked
          """, lacking: "it must return source_file_id and source_line")
      found = try statement.explaining { try connect().query(statement.text) }.rows.first?.value(0) ?? 0
    }
    return GateReport(
      rule: check.rule, severity: check.severity, passed: true, found: found, isOdd: found > 0,
      about: check.summary, places: found > 0 ? places : [], file: check.file)
  }
}
