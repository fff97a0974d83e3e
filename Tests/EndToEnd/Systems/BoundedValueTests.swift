import PostgreSQL
import TestSupport
import Testing

/// A client may write what a column's type allows; what figures cannot be made of would stop those of
/// everybody.
@Suite("Values that figures are made of")
struct BoundedValueTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let table: String
    let columns: String
    /// What is put in place of `?` in them.
    let values: String
    var bad = ["infinity", "-infinity"]

    var testDescription: String { table }
  }

  static let cases = [
    Case(
      table: "rvutrack.visit", columns: "id, user_id, visit_date",
      values: "gen_random_uuid(), '\(People.ana)', ?", bad: ["infinity", "-infinity", "5874897-12-31"]),
    Case(
      table: "rvutrack.procedure", columns: "id, visit_id, hcpcs, work_rvu",
      values: "gen_random_uuid(), '\(People.id(1))', '99213', ?", bad: ["NaN"]),
    Case(
      table: "clara.provider_review_request", columns: "id, user_id, conversation_id, created_at",
      values: "gen_random_uuid(), '\(People.ana)', '\(People.id(2))', ?"),
    Case(
      table: "clara.provider_review_request", columns: "id, user_id, conversation_id, responded_at",
      values: "gen_random_uuid(), '\(People.ana)', '\(People.id(2))', ?"),
    Case(
      table: "clara.follow_up_message", columns: "id, user_id, conversation_id, is_from_user, sent_at",
      values: "gen_random_uuid(), '\(People.ana)', '\(People.id(2))', true, ?"),
    Case(
      table: "doula.client", columns: "id, doula_id, name, edd",
      values: "gen_random_uuid(), '\(People.ana)', 'x', ?", bad: ["infinity", "-infinity", "5874897-12-31"]),
    Case(
      table: "ccc.call", columns: "id, caller_id, callee_id, started_at",
      values: "gen_random_uuid(), '\(People.ana)', '\(People.ben)', ?"),
    Case(
      table: "ccc.call", columns: "id, caller_id, callee_id, started_at, ended_at",
      values: "gen_random_uuid(), '\(People.ana)', '\(People.ben)', '2026-01-01', ?"),
    Case(
      table: "ccc.emergency", columns: "id, reported_by, severity, status, opened_at",
      values: "gen_random_uuid(), '\(People.ana)', 'x', 'open', ?"),
  ]

  @Test("are refused where nobody can reckon with them")
  func refused() throws {
    let (database, _) = try Loaded.migrated()
    let connection = try database.connect()
    try connection.execute(
      """
      INSERT INTO rvutrack.app_user (id) VALUES ('\(People.ana)');
      INSERT INTO rvutrack.visit (id, user_id, visit_date) VALUES ('\(People.id(1))', '\(People.ana)', '2026-01-05');
      INSERT INTO clara.conversation (id, user_id) VALUES ('\(People.id(2))', '\(People.ana)');
      INSERT INTO doula.doula_profile (id) VALUES ('\(People.ana)');
      INSERT INTO ccc.app_user (id) VALUES ('\(People.ana)'), ('\(People.ben)')
      """)
    for item in Self.cases {
      let insert = { (value: String) in
        "INSERT INTO \(item.table) (\(item.columns)) VALUES (\(item.values.replacing("?", with: Quote.literal(value))))"
      }
      for value in item.bad {
        do throws(PostgreSQLError) {
          try connection.execute(insert(value))
          Issue.record("\(item.table) has taken \(value)")
        } catch {
          #expect(error.sqlState == "23514", "\(item.table): \(error)")
        }
      }
      try connection.execute(insert(item.table == "rvutrack.procedure" ? "1.3" : "2026-01-05"))
    }
  }
}
