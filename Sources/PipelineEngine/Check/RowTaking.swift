import Definitions
import PipelineCore
import PostgreSQL

/// Takes the rows that a check finds out of the staged tables, those of the source's own and those of its
/// children.
struct RowTaking {
  let check: Check
  let pipeline: Pipeline
  let tables: [String: StagedTable]
  /// The tables of the source, its own last.
  let targets: [String]
  let connection: Connection

  /// What was taken of one table and one source file.
  private struct Taken {
    let target: String
    let sourceFileID: Int
    let count: Int
    let lines: [Int]
  }

  /// The table began with rows of the release that is amended or corrected.
  let holdsCopies: Bool

  /// What a check that takes rows out must return.
  private static let returning = "it must return source_file_id and source_line"

  /// Takes the rows out and counts their records as skipped, or as rejected, in the reports of the source's
  /// files.
  func take(from reports: inout [SourceReport]) throws -> (found: Int, rejected: [RejectedRows]) {
    var found = 0
    var rejected: [RejectedRows] = []
    for taken in try delete(reports.map(\.sourceFileID)) {
      guard let index = reports.firstIndex(where: { $0.sourceFileID == taken.sourceFileID }) else { continue }
      reports[index].targets[taken.target, default: 0] -= taken.count
      guard taken.target == targets.last else { continue }
      found += taken.count
      reports[index].loaded -= taken.count
      if check.severity == .skip {
        reports[index].skippedBy[check.rule, default: 0] += taken.count
      } else {
        reports[index].rejected += taken.count
        rejected.append(
          RejectedRows(
            check: check, sourceFileID: taken.sourceFileID, lines: taken.lines))
      }
    }
    return (found, rejected)
  }

  /// Deletes from all tables in one statement, so that the query sees none of them without its rows.
  ///
  /// Only rows of this run: those that were copied from an earlier revision are none of its records, and
  /// stay. Whatever else the query returns has no record that could be taken out, so that the check is wrong:
  /// it would find something, and nothing would come of it.
  private func delete(_ files: [Int]) throws -> [Taken] {
    let present = targets.filter { tables[$0] != nil }
    let deletions = present.enumerated().map { index, target in
      """
      gone\(index) AS (
        DELETE FROM \(Quote.qualified(tables[target]?.name ?? target)) t USING found f
        WHERE t.source_file_id = f.source_file_id AND t.source_line = f.source_line
        RETURNING t.source_file_id, t.source_line)
      """
    }
    let counts = present.indices.map { index in
      let lines =
        check.severity == .reject && index == present.count - 1
        ? "string_agg(source_line::text, ',')" : "''"
      return "SELECT \(index), source_file_id, count(*), \(lines) FROM gone\(index) GROUP BY source_file_id"
    }
    let list = files.map(String.init).joined(separator: ", ")
    let copies =
      holdsCopies
      ? """
       AND (r.source_file_id IS NULL OR r.source_file_id IN (\(list)) OR NOT EXISTS (
          SELECT FROM \(Quote.qualified(tables[targets.last ?? ""]?.name ?? "")) t
          WHERE t.source_file_id = r.source_file_id AND t.source_line = r.source_line))
      """ : ""
    // Of tables without statistics the planner expects a row to be found, and would look each one up in all of
    // the table. It expects more of an array, and EXCEPT is hashed whatever it expects.
    let statement = DefinedStatement(
      check, of: pipeline, tables: tables,
      before: "WITH returned AS MATERIALIZED (SELECT DISTINCT source_file_id, source_line FROM (",
      after: """

        ) returned), found AS MATERIALIZED (
        SELECT unnest(array_agg(source_file_id)) AS source_file_id, unnest(array_agg(source_line)) AS source_line
        FROM returned WHERE source_file_id IN (\(list))),
        \(deletions.joined(separator: ",\n"))
        SELECT -1, NULL::bigint, count(*), '' FROM (
          SELECT * FROM returned EXCEPT SELECT source_file_id, source_line FROM gone\(present.count - 1)) r
        WHERE true\(copies)
        UNION ALL \(counts.joined(separator: "\nUNION ALL "))
        """, lacking: Self.returning)
    guard !present.isEmpty, !files.isEmpty else { return [] }
    let rows = try statement.explaining { try connection.query(statement.text) }.rows
    if let strays: Int = try rows.first(where: { $0[0] == "-1" })?.value(2), strays > 0 {
      throw statement.wrong(
        "\(strays) of the rows that it returns are no records of \(check.source ?? ""): \(Self.returning) of rows of "
          + (targets.last ?? ""))
    }
    return try rows.filter { $0[0] != "-1" }.map { row in
      Taken(
        target: present[try row.value(0)], sourceFileID: try row.value(1), count: try row.value(2),
        lines: (row[3] ?? "").split(separator: ",").compactMap { Int($0) })
    }
  }
}
