import Definitions
import PipelineCore
import PostgreSQL

/// The records of a source that are one row with an earlier one of their key, where the layout folds them: what
/// they say more is in rows of child tables, which stay.
///
/// As of duplicates, nothing is looked for unless a key could not be built.
struct FoldedRecords {
  let source: Source
  /// The source's own table.
  let table: StagedTable

  /// Every record after the first of its key whose own row is the same.
  var check: Check {
    let row = "to_jsonb(t) - \(Self.array(["source_file_id", "source_line"]))"
    return Check(
      rule: source.foldedRule, severity: .skip, source: source.name,
      sql: """
        SELECT source_file_id, source_line FROM (
          SELECT source_file_id, source_line, row_number() OVER w AS place, \(row) AS own,
            first_value(\(row)) OVER w AS first
          FROM \(Quote.qualified(table.name)) t
          WINDOW w AS (PARTITION BY \(key) ORDER BY source_file_id, source_line)) numbered
        WHERE place > 1 AND own = first
        """,
      about: "The record is one row with an earlier one, and its rows of child tables are that row's")
  }

  /// Leaves of the same rows of a child table that come of several records the first one, and numbers the rows
  /// of each key in the order of their records.
  ///
  /// Gives how many rows went, by source file.
  func number(_ child: StagedTable, on connection: Connection) throws -> [Int: Int] {
    let name = Quote.qualified(child.name)
    let shared = "(\(key)) IN (SELECT \(key) FROM \(name) GROUP BY \(key), slot HAVING count(*) > 1)"
    let order = "ORDER BY source_file_id, source_line, slot"
    let content = "to_jsonb(r) - \(Self.array(["slot", "source_file_id", "source_line"]))"
    let gone = try connection.query(
      """
      WITH gone AS (
        DELETE FROM \(name) t USING (
          SELECT ctid AS place, row_number() OVER (PARTITION BY \(content) \(order)) AS copy
          FROM \(name) r WHERE \(shared)) c
        WHERE t.ctid = c.place AND c.copy > 1 RETURNING t.source_file_id)
      SELECT source_file_id, count(*) FROM gone GROUP BY source_file_id
      """)
    try connection.execute(
      """
      UPDATE \(name) t SET slot = n.number FROM (
        SELECT ctid AS place, row_number() OVER (PARTITION BY \(key) \(order)) AS number
        FROM \(name) WHERE \(shared)) n
      WHERE t.ctid = n.place AND t.slot <> n.number
      """)
    return Dictionary(
      try gone.rows.map { (try $0.value(0), try $0.value(1)) }, uniquingKeysWith: +)
  }

  private var key: String { source.key.map(Quote.identifier).joined(separator: ", ") }

  private static func array(_ names: [String]) -> String {
    "ARRAY[\(names.map(Quote.literal).joined(separator: ", "))]::text[]"
  }
}
