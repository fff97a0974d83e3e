import Foundation
import PostgreSQL
import TestSupport

/// The published rows of tables, for comparison.
enum Published {
  /// By table and key the values of each row, but for those that tell where it comes from.
  typealias Rows = [String: [String: String]]

  /// The tables of cms-rvu with what tells their rows apart.
  static let feeSchedule = [
    "rvu": "cf_class, hcpcs, modifier", "gpci": "mac, locality", "locality_county": "row",
    "anesthesia_cf": "cf_class, mac, locality", "opps_cap": "hcpcs, modifier, mac, locality",
  ]

  /// The same of cms-hcpcs, without corrections.
  static let codes = [
    "hcpcs_code": "hcpcs", "hcpcs_code_pricing": "hcpcs, slot", "hcpcs_code_coverage_issue": "hcpcs, slot",
    "hcpcs_code_carrier_manual": "hcpcs, slot", "hcpcs_code_lab_certification": "hcpcs, slot",
    "hcpcs_code_cross_reference": "hcpcs, slot", "hcpcs_code_type_of_service": "hcpcs, slot",
    "hcpcs_modifier": "modifier", "hcpcs_modifier_coverage_issue": "modifier, slot",
    "hcpcs_modifier_carrier_manual": "modifier, slot", "hcpcs_modifier_cross_reference": "modifier, slot",
  ]

  /// The rows of a release; of all where none is named.
  static func rows(
    _ tables: [String: String], of database: TestDatabase, release: String? = nil
  ) throws -> Rows {
    let wanted = release.map { "WHERE release = '\($0)'" } ?? ""
    let connection = try database.connect()
    var rows: Rows = [:]
    for (table, key) in tables {
      let found = try connection.query(
        """
        SELECT concat_ws(' ', \(key)), to_jsonb(t) - '{source_file_id,source_line}'::text[]
        FROM cms.\(table) t \(wanted)
        """)
      for row in found.rows {
        let object = try JSONSerialization.jsonObject(with: Data((row[1] ?? "").utf8)) as? [String: Any]
        rows["\(table) \(row[0] ?? "")"] = object?.mapValues { "\($0)" }
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
    _ tables: [String: String], of one: TestDatabase, and other: TestDatabase, release: String
  ) throws -> [String: Int] {
    let (rows, expected) = (
      try rows(tables, of: one, release: release), try self.rows(tables, of: other, release: release)
    )
    return rows.isEmpty || expected.isEmpty ? ["nothing is loaded": 1] : differences(rows, expected)
  }
}
