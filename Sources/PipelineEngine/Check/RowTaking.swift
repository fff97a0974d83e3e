import Definitions
import PostgreSQL

/// Takes the rows that a check finds out of the staged tables, those of the source's own and those of its children.
struct RowTaking {
  /// Records whose rows were taken out to be kept in the quarantine.
  struct Rejected: Sendable {
    let check: Check
    let sourceFileID: Int
    /// The lines of the records.
    let lines: [Int]
  }

  let check: Check
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

  /// Takes the rows out and counts their records as skipped, or as rejected, in the reports of the source's files.
  func take(from reports: inout [SourceReport]) throws -> (found: Int, rejected: [Rejected]) {
    var found = 0
    var rejected: [Rejected] = []
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
          Rejected(
            check: check, sourceFileID: taken.sourceFileID, lines: taken.lines))
      }
    }
    return (found, rejected)
  }

  /// Deletes from all tables in one statement, so that the query sees none of them without its rows.
  ///
  /// Only rows of this run: those that were copied from an earlier revision are none of its records.
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
    let statement = DefinedStatement(
      check, tables: tables,
      before: "WITH found AS MATERIALIZED (SELECT DISTINCT source_file_id, source_line FROM (",
      after: """

        ) found WHERE source_file_id IN (\(files.map(String.init).joined(separator: ", ")))),
        \(deletions.joined(separator: ",\n"))
        \(counts.joined(separator: "\nUNION ALL "))
        """)
    guard !present.isEmpty, !files.isEmpty else { return [] }
    return try statement.explaining { try connection.query(statement.text) }.rows.map { row in
      Taken(
        target: present[try row.value(0)], sourceFileID: try row.value(1), count: try row.value(2),
        lines: (row[3] ?? "").split(separator: ",").compactMap { Int($0) })
    }
  }
}
