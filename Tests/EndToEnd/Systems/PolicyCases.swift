/// The cases of all systems.
enum PolicyCases {
  static let all: [PolicyCase] =
    rvuTracker + clara + onCall + doula + ccc
    // Records that were refused are kept as they came.
    + hidden("rivulet.reject", "rivulet.reject_header")

  /// Of a table in which one row is Ana's and one is Ben's: all that Ana can do to hers, and nothing to his.
  ///
  /// `number`: her row's, the next one being his; nil where rows have no identifier.
  /// `column`: says whose a row is, by one of the `owners`, what is hers and what is not.
  /// `new`: the other columns of a new row, and their values.
  static func ownOnly(
    _ table: String, _ number: Int? = nil, by column: String, _ owners: (String, String) = ("@ana", "@ben"),
    new: (columns: String, values: String)? = nil
  ) -> [PolicyCase] {
    let mine = number.map { "id = #\($0)" } ?? "\(column) = \(owners.0)"
    let his = number.map { "id = #\($0 + 1)" } ?? "\(column) = \(owners.1)"
    let names = [number == nil ? nil : "id", new?.columns, column].compactMap(\.self)
    let insert: (String) -> String = { owner in
      let values = [number.map { "#\($0 / 10 * 10 + 9)" }, new?.values, owner].compactMap(\.self)
      return
        "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(values.joined(separator: ", ")))"
    }
    // Nobody gives away what is theirs.
    return PolicyCase.table(
      """
      ana 1 SELECT * FROM \(table)
      ana 1 SELECT * FROM \(table) WHERE \(mine)
      ana 0 SELECT * FROM \(table) WHERE \(his)
      ana 1 UPDATE \(table) SET updated_at = now() WHERE \(mine)
      ana 0 UPDATE \(table) SET updated_at = now() WHERE \(his)
      ana no UPDATE \(table) SET \(column) = \(owners.1) WHERE \(mine)
      ana 1 DELETE FROM \(table) WHERE \(mine)
      ana 0 DELETE FROM \(table) WHERE \(his)
      ana 1 \(insert(owners.0))
      ana no \(insert(owners.1))
      """)
  }

  /// A table of people themselves: Carol can add herself, and only herself.
  static func ownPerson(_ table: String) -> [PolicyCase] {
    PolicyCase.table(
      """
      ana 1 SELECT * FROM \(table)
      ana 0 SELECT * FROM \(table) WHERE id = @ben
      ana 1 UPDATE \(table) SET updated_at = now() WHERE id = @ana
      ana 0 UPDATE \(table) SET updated_at = now() WHERE id = @ben
      ana no UPDATE \(table) SET id = @carol WHERE id = @ana
      ana 1 DELETE FROM \(table) WHERE id = @ana
      ana 0 DELETE FROM \(table) WHERE id = @ben
      carol 1 INSERT INTO \(table) (id) VALUES (@carol)
      ana no INSERT INTO \(table) (id) VALUES (@carol)
      """)
  }

  /// Nobody who has signed in may write to a table.
  static func readOnly(_ table: String, setting column: String = "updated_at") -> [PolicyCase] {
    PolicyCase.table(
      """
      ana no INSERT INTO \(table) DEFAULT VALUES
      ana no UPDATE \(table) SET \(column) = \(column)
      ana no DELETE FROM \(table)
      """)
  }

  /// Nobody who has signed in may read these, which the owner does.
  static func hidden(_ tables: String...) -> [PolicyCase] {
    tables.flatMap { PolicyCase.table("carol no SELECT * FROM \($0)") }
  }

  /// RVU Tracker: everybody has what is their own.
  static let rvuTracker: [PolicyCase] =
    ownPerson("rvutrack.app_user")
    + ownOnly("rvutrack.visit", 11, by: "user_id", new: ("visit_date", "'2026-01-06'"))
    + ownOnly(
      "rvutrack.procedure", 21, by: "visit_id", ("#11", "#12"), new: ("hcpcs, work_rvu", "'99213', 1"))
    + ownOnly("rvutrack.favorite", by: "user_id", new: ("hcpcs, position", "'99215', 2"))
    // What visits were is kept for the sync alone.
    + readOnly("rvutrack.visit_version") + hidden("rvutrack.visit_version", "mart.visit_rvu_mismatch")
    + PolicyCase.table(
      """
      carol 0 SELECT * FROM rvutrack.visit
      ana 1 SELECT * FROM api.visits
      carol 0 SELECT * FROM api.visits
      ana no INSERT INTO api.visits (id, user_id, date) VALUES (#19, @ben, '2026-01-06')
      ana 1 SELECT * FROM mart.visit_total
      carol 0 SELECT * FROM mart.visit_total
      ana 4 SELECT * FROM mart.rvu_by_period
      ana 0 SELECT * FROM mart.rvu_by_period WHERE user_id = @ben
      carol 0 SELECT * FROM mart.rvu_by_period
      ana 1 SELECT * FROM mart.rvu_by_hcpcs
      ana 0 SELECT * FROM mart.rvu_by_hcpcs WHERE user_id = @ben
      ana no DELETE FROM mart.rvu_by_period
      ana no UPDATE mart.rvu_by_period SET total_rvu = 1
      ana 1 SELECT * FROM mart.rvu_summary(@ana, '2026-01-01', '2026-12-31') WHERE encounters = 1
      ana 1 SELECT * FROM mart.rvu_summary(@ben, '2026-01-01', '2026-12-31') WHERE encounters = 0
      """)

  /// Who's On Call: who has signed in reads, and nobody writes.
  static let onCall: [PolicyCase] =
    readOnly("oncall.schedule") + readOnly("oncall.directory") + readOnly("oncall.setting", setting: "value")
    + PolicyCase.table(
      """
      ana 1 SELECT * FROM oncall.schedule
      ana 1 SELECT * FROM oncall.directory
      ana 1 SELECT * FROM oncall.setting
      ana 1 SELECT * FROM mart.on_call_now('2026-01-05 12:00+00') WHERE phone_number = '+12125550100'
      ana 1 SELECT * FROM api.schedules
      ana 1 SELECT * FROM api.directory
      ana no DELETE FROM api.directory
      ana no UPDATE api.schedules SET provider = 'p'
      ana 1 SELECT * FROM oncall.shift
      ana 1 SELECT * FROM oncall.search_directory('a')
      ana 1 SELECT * FROM oncall.search_schedule('a')
      ana 2 SELECT * FROM mart.on_call_filter_values
      ana 1 SELECT * FROM mart.on_call_gap
      ana 0 SELECT * FROM mart.on_call_unmatched
      """)

  /// What a column's type allows, and no figure can be made of: it would stop the figures of everybody.
  static let bounds: [PolicyCase] =
    refused(
      ["infinity", "-infinity", "5874897-12-31"], not: "2026-01-05",
      """
      rvutrack.visit (id, user_id, visit_date) VALUES (#19, @ana, '%')
      doula.client (id, doula_id, name, edd) VALUES (#99, @ana, 'x', '%')
      """)
    // A call that ends before it begins is none.
    + refused(
      ["infinity", "-infinity", "2025-12-31"], not: "2026-01-05",
      "ccc.call (id, caller_id, callee_id, started_at, ended_at) VALUES (#169, @ana, @ben, '2026-01-01', '%')"
    )
    + refused(
      ["infinity", "-infinity"], not: "2026-01-05",
      """
      clara.provider_review_request (id, user_id, conversation_id, created_at) VALUES (#59, @ana, #41, '%')
      clara.provider_review_request (id, user_id, conversation_id, responded_at) VALUES (#59, @ana, #41, '%')
      clara.follow_up_message (id, user_id, conversation_id, is_from_user, sent_at) VALUES (#69, @ana, #41, true, '%')
      ccc.call (id, caller_id, callee_id, started_at) VALUES (#169, @ana, @ben, '%')
      ccc.emergency (id, reported_by, severity, status, opened_at) VALUES (#179, @ana, 'x', 'open', '%')
      """)
    + refused(
      ["NaN"], not: "1.3",
      "rvutrack.procedure (id, visit_id, hcpcs, work_rvu) VALUES (#29, #11, '99213', '%')")
    + refused(
      ["0", "-1"], not: "1",
      "rvutrack.procedure (id, visit_id, hcpcs, work_rvu, quantity) VALUES (#29, #11, '99213', 1, '%')")
    + refused(
      [#"{"patientId": 1}"#, #"{"medicalData": 1}"#], not: #"{"value": 1}"#,
      "ccc.analytics_event (id, name, at, properties) VALUES (#189, 'n', '2026-01-05', '%')")

  /// Rows, a line each, that nobody can insert with some values, and the owner can with another.
  private static func refused(_ values: [String], not other: String, _ rows: String) -> [PolicyCase] {
    rows.split(separator: "\n").flatMap { row in
      ([(other, "1")] + values.map { ($0, "23514") }).flatMap { value, outcome in
        PolicyCase.table("owner \(outcome) INSERT INTO \(row.replacing("%", with: value))")
      }
    }
  }
}
