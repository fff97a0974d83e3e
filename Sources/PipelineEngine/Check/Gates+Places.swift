import Definitions
import PipelineCore
import PostgreSQL

/// Where the rows are that rules find.
extension Gates {
  /// So many are shown of a rule.
  static let mostPlaces = 3

  /// The first places of what a rule finds; none where it does not return `source_line`. The file is known
  /// where it returns `source_file_id` too, or reads no other.
  func firstPlaces(_ check: Check, _ outcomes: [LoadOutcome]) throws -> [GateReport.Place] {
    let statement = DefinedStatement(
      check, of: pipeline, tables: tables,
      // Materialized, since on several servers a row loses the names of its columns.
      before: Self.onlyReading + "WITH found AS MATERIALIZED (",
      after: """

        ) SELECT DISTINCT file, line FROM (SELECT (to_jsonb(found) ->> 'source_file_id')::bigint AS file,
          (to_jsonb(found) ->> 'source_line')::bigint AS line FROM found) lines
        WHERE line IS NOT NULL ORDER BY 1, 2 LIMIT \(Self.mostPlaces)
        """)
    let rows = try statement.explaining { try connect().execute(statement.text) }
    let read = outcomes.filter { check.targets.contains($0.source.target) }.flatMap(\.reports)
    return try places(rows, outcomes, only: read.count == 1 ? read[0].place : nil)
  }

  /// The rules that no two rows share a key, with the first rows that share one, both of them.
  func placed(_ keys: [GateReport], _ outcomes: [LoadOutcome]) throws -> [GateReport] {
    try zip(keys, outcomes).map { report, outcome in
      var report = report
      guard !report.passed,
        let target = targets(of: outcome.source).last(where: { outcome.duplicateKeys[$0, default: 0] > 0 }),
        let table = tables[target]
      else { return report }
      let key = table.keyColumns(pipeline.key(of: target, in: outcome.source))
      report.places = try places(
        try connect().execute(
          """
          SELECT source_file_id, source_line FROM (
            SELECT source_file_id, source_line, count(*) OVER w AS rows, first_value(source_file_id) OVER w AS file,
              first_value(source_line) OVER w AS line
            FROM \(Quote.qualified(table.name))
            WINDOW w AS (PARTITION BY \(key.map(Quote.identifier).joined(separator: ", "))
              ORDER BY source_file_id, source_line ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)) keyed
          WHERE rows > 1 ORDER BY file, line, 1, 2 LIMIT 2
          """), outcomes)
      return report
    }
  }

  /// Places of rows that begin with the number of the file and the line.
  private func places(
    _ rows: ResultSet, _ outcomes: [LoadOutcome], only: String? = nil
  ) throws -> [GateReport.Place] {
    let reports = outcomes.flatMap(\.reports)
    return try rows.rows.map { row in
      let number: Int? = try row.optional(0)
      return GateReport.Place(
        file: number.flatMap { number in reports.first { $0.sourceFileID == number }?.place } ?? only,
        line: try row.value(1))
    }
  }
}
