import Foundation
import PostgreSQL
import TestSupport
import Testing

/// What becomes of a visit that was changed on a device, by what became of it on the server meanwhile.
@Suite("Local changes of visits")
struct VisitSyncTests {
  /// A case: what both sides made of the first version, which has the date 2025-01-01, the notes `a` and was
  /// kept.
  private struct Case: Sendable {
    let name: String
    /// What the server did, as SQL; the time of its version is 2025-02-01.
    var server: String?
    /// What the device has otherwise.
    var local: [String: String] = [:]
    /// The version that the device began from.
    var base: String? = "2025-01-01T00:00:00Z"
    /// Date, notes, no-show, status, and whether it is deleted; nil where there is no row.
    let outcome: String?
  }

  private static let change = "updated_at = '2025-02-01T00:00:00Z'"
  private static let edited = "notes = 's', \(change)"

  private static let cases = [
    Case(
      name: "both, from a version that the device knows by the millisecond",
      server: "notes = 's', updated_at = '2025-02-01T00:00:00.602247Z'", local: ["visit_date": "2025-01-09"],
      base: "2025-02-01T00:00:00.602Z", outcome: "2025-01-09|a|f|synced|f"),
    Case(name: "only the device", local: ["notes": "l"], outcome: "2025-01-01|l|f|synced|f"),
    Case(
      name: "only the server", server: edited, outcome: "2025-01-01|s|f|synced|f"),
    Case(
      name: "both, different fields", server: edited, local: ["visit_date": "2025-01-09"],
      outcome: "2025-01-09|s|f|synced|f"),
    Case(
      name: "both, to the same", server: "notes = 'x', \(change)", local: ["notes": "x"],
      outcome: "2025-01-01|x|f|synced|f"),
    Case(
      name: "both, the same field", server: edited, local: ["notes": "l"],
      outcome: "2025-01-01|s|f|conflict|f"),
    Case(
      name: "both, one field alike and one not", server: edited,
      local: ["notes": "l", "visit_date": "2025-01-09"], outcome: "2025-01-09|s|f|conflict|f"),
    Case(
      name: "the device reverts", server: edited,
      local: ["deleted_at": "2025-02-02T00:00:00Z"],
      outcome: "2025-01-01|s|f|synced|t"),
    Case(
      name: "the server deletes, by a mark", server: "deleted_at = now(), \(change)", local: ["notes": "l"],
      outcome: "2025-01-01|a|f|synced|t"),
    Case(name: "the server deletes", server: "DELETE", local: ["notes": "l"], outcome: nil),
    Case(
      name: "from a version that nobody knows", server: edited, local: ["notes": "l"],
      base: "2024-12-01T00:00:00Z", outcome: "2025-01-01|s|f|conflict|f"),
    Case(
      name: "from no version, and the same", server: edited, local: ["notes": "s"],
      base: nil,
      outcome: "2025-01-01|s|f|synced|f"),
  ]

  private static func visit(_ number: Int) -> SystemExport.Record {
    [
      "id": People.id(100 + number), "user_id": People.ana, "visit_date": "2025-01-01", "notes": "a",
      "is_no_show": false, "sync_status": "synced", "updated_at": "2025-01-01T00:00:00Z",
      "created_at": "2025-01-01T00:00:00Z",
    ]
  }

  private static func procedure(_ number: Int) -> SystemExport.Record {
    [
      "id": People.id(300 + number), "visit_id": People.id(100 + number), "hcpcs": "99213", "work_rvu": 1,
      "quantity": 1, "updated_at": "2025-01-01T00:00:00Z",
    ]
  }

  private let database: SystemDatabase

  init() throws { database = try SystemDatabase() }

  @Test("are reapplied field by field on top of the server's version, or are a conflict")
  func table() throws {
    var export = SystemExport(
      "rvutrack", ["users": [["id": People.ana]], "visits": Self.cases.indices.map(Self.visit)])
    try database.load(export).succeeded()
    for (number, item) in Self.cases.enumerated() {
      switch item.server {
      case "DELETE": try database.execute("DELETE FROM rvutrack.visit WHERE id = #\(100 + number)")
      case let change?:
        try database.execute("UPDATE rvutrack.visit SET \(change) WHERE id = #\(100 + number)")
      case nil: break
      }
      try export.edit("visits", number) { visit in
        visit.merge(item.local) { $1 }
        visit["sync_status"] = "pending_sync"
        visit["base_updated_at"] = item.base ?? NSNull()
        visit["updated_at"] = "2025-03-01T00:00:00Z"
      }
    }
    export.files["procedures"] = Self.cases.indices.map(Self.procedure)
    try database.load(export, "--dry-run").succeeded()
    // Again and again, the outcome is the same.
    for _ in 0..<2 {
      try database.load(export).succeeded()
      for (number, item) in Self.cases.enumerated() {
        let found = try database.rows(
          """
          SELECT visit_date, notes, is_no_show, sync_status, deleted_at IS NOT NULL FROM rvutrack.visit
          WHERE id = #\(100 + number)
          """)
        #expect(found == [item.outcome].compactMap(\.self), "\(item.name)")
      }
      try database.expect(
        "SELECT count(*) FROM rvutrack.procedure p JOIN rvutrack.visit v ON v.id = visit_id", "10")
      try export.edit("users") { $0["name"] = "again" }
    }
    // What nobody had before is new, whatever version it says that it was made to.
    try export.edit("visits") { $0["id"] = People.id(200) }
    export.files["procedures"] = nil
    try database.load(export).succeeded()
    try database.expect("SELECT sync_status FROM rvutrack.visit WHERE id = #200", "synced")
  }

  @Test("are none where a record that is not pending is older than the server's version, which is reported")
  func older() throws {
    var export = SystemExport(
      "rvutrack",
      ["users": [["id": People.ana]], "visits": (0..<3).map(Self.visit), "procedures": [Self.procedure(0)]])
    try database.load(export).succeeded()
    try database.execute(
      """
      UPDATE rvutrack.visit SET notes = 's', updated_at = '2025-03-01T00:00:00.000900Z' WHERE id = #100;
      UPDATE rvutrack.visit SET deleted_at = '2025-03-01', updated_at = '2025-03-01' WHERE id = #101;
      UPDATE rvutrack.procedure SET quantity = 2, updated_at = '2025-03-01';
      """)
    let state = """
      SELECT v.notes, v.deleted_at IS NULL, p.quantity FROM rvutrack.visit v
      LEFT JOIN rvutrack.procedure p ON p.visit_id = v.id ORDER BY v.id
      """
    let run = try database.load(export, "--force").succeeded()
    for found in ["sync: 2 found", "sync-procedures: 1 found"] {
      #expect(run.errors.contains(found), "\(run.errors)")
    }
    try database.expect(state, "s|t|2", "a|f|-", "a|t|-")
    // As old as the server's to the millisecond it is taken.
    try export.edit("visits", 0) { visit in
      visit["updated_at"] = "2025-03-01T00:00:00.000Z"
      visit["notes"] = "d"
    }
    try database.load(export).succeeded()
    try database.expect(state, "d|t|2", "a|f|-", "a|t|-")
  }

  @Test("are lost where the server deletes, unless an export brings the visit back")
  func deletion() throws {
    var export = SystemExport("rvutrack", ["users": [["id": People.ana]], "visits": [Self.visit(0)]])
    try database.load(export).succeeded()
    try database.execute("DELETE FROM rvutrack.visit")
    try database.expect("SELECT notes, is_gone FROM rvutrack.visit_version", "-|t")
    try export.edit("visits") { $0["sync_status"] = "pending_sync" }
    // That they are lost is reported, and counted as what the rule reverts.
    let lost = try database.load(export).succeeded()
    #expect(lost.errors.contains("sync: 1 found"), "\(lost.errors)")
    try database.expect("SELECT count(*) FROM rvutrack.visit", "0")
    try database.expect(
      """
      SELECT records_read, records_loaded, records_skipped FROM rivulet.source_file
      WHERE source = 'visits' ORDER BY source_file_id DESC LIMIT 1
      """, "1|0|1")
    try export.edit("visits") { $0["sync_status"] = "synced" }
    try database.load(export).succeeded()
    try database.expect("SELECT count(*) FROM rvutrack.visit", "1")
  }
}
