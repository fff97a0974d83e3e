import Foundation
import PostgreSQL
import TestSupport

/// The published rows of tables, for comparison.
enum Published {
  /// By table and key the values of each row, but for those that tell where it comes from.
  typealias Rows = [String: [String: String]]

  /// The tables of cms-rvu, as a pattern of their names.
  static let feeSchedule = "rvu|gpci|locality_county|anesthesia_cf|opps_cap"
  /// Those of cms-hcpcs without corrections.
  static let codes = "hcpcs_(code|modifier).*"

  /// The rows of a release in tables; of all where none is named.
  static func rows(_ tables: String, of database: TestDatabase, release: String? = nil) throws -> Rows {
    let connection = try database.connect()
    let keys = try connection.query(
      """
      SELECT c.relname, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum)
      FROM pg_class c JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey) AND a.attname <> 'release'
      WHERE c.relnamespace = 'cms'::regnamespace AND c.relkind = 'p' AND c.relname ~ '^(\(tables))$' GROUP BY 1
      """)
    var rows: Rows = [:]
    for table in keys.rows {
      let (name, key) = (table[0] ?? "", table[1] ?? "")
      let found = try connection.query(
        """
        SELECT concat_ws(' ', \(key)), to_jsonb(t) - '{source_file_id,source_line}'::text[]
        FROM cms.\(name) t \(release.map { "WHERE release = '\($0)'" } ?? "")
        """)
      for row in found.rows {
        let object = try JSONSerialization.jsonObject(with: Data((row[1] ?? "").utf8)) as? [String: Any]
        rows["\(name) \(row[0] ?? "")"] = object?.mapValues { "\($0)" }
      }
    }
    return rows
  }

  /// How many values differ, by table and column; rows that one lacks as `table`.
  static func differences(_ one: Rows, _ other: Rows) -> [String: Int] {
    var differences: [String: Int] = [:]
    for key in Set(one.keys).union(other.keys) {
      let table = String(key.prefix { $0 != " " })
      guard let row = one[key], let expected = other[key] else {
        differences[table, default: 0] += 1
        continue
      }
      for (column, value) in row where expected[column] != value {
        differences["\(table).\(column)", default: 0] += 1
      }
    }
    return differences
  }

  /// The same of a release in two databases, neither of which may be empty.
  static func differences(
    _ tables: String, of one: TestDatabase, and other: TestDatabase, release: String
  ) throws -> [String: Int] {
    let (rows, expected) = (
      try rows(tables, of: one, release: release), try self.rows(tables, of: other, release: release)
    )
    return rows.isEmpty || expected.isEmpty ? ["nothing is loaded": 1] : differences(rows, expected)
  }
}
