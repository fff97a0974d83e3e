import Foundation
import Host
import PostgreSQL
import TestSupport
import Testing

/// Views as other programs get them.
@Suite("A view in JSON, lines of JSON and CSV")
struct QueryFormTests {
  /// Names that a form could break on.
  private static let names = [
    "plain", "", " blank around ", "comma, and \"quotes\"", "\"", "line\nand\r\nlines\r",
    "tab\tand \\ back\\slash", "\\N", "NULL",
    "back\u{8} feed\u{c} escape\u{1b} unit\u{1f} delete\u{7f}", "Ünïcödé 語 🤱🏽 e\u{301}",
    "\u{2028}\u{2029}\u{85}\u{feff}",
    "{\"json\": [1]}", "'; --", "=1+1", "</script>", "t", "-0",
  ]

  @Test("has every text as it was, and null apart from what is empty")
  func escaping() throws {
    let (database, program) = try Loaded.migrated()
    let connection = try database.connect()
    try connection.execute("INSERT INTO doula.doula_profile (id) VALUES ('\(People.ana)')")
    for (number, name) in Self.names.enumerated() {
      try connection.query(
        "INSERT INTO doula.client (id, doula_id, name) VALUES ($1::uuid, '\(People.ana)', $2)",
        [.text(People.id(number)), .text(name)])
    }
    let expected = Dictionary(uniqueKeysWithValues: Self.names.enumerated().map { (People.id($0), $1) })
    let ask = { (form: String) in
      try program.run("query", "mart.client_list", "--as", form).succeeded().output
    }
    let check = { (rows: [[String: Any]], form: String) in
      #expect(rows.count == Self.names.count)
      for row in rows {
        let id = try #require(row["client_id"] as? String)
        #expect(
          (row["name"] as? String).map { Array($0.utf8) } == expected[id].map { Array($0.utf8) }, "\(form)")
        #expect(row["edd"] is NSNull && row["week"] is NSNull && row["place"] is Int, "\(form)")
      }
    }
    let document = try JSONSerialization.jsonObject(with: Data(try ask("json").utf8))
    try check(try #require(document as? [[String: Any]]), "json")
    // A line end is nothing but the end of a row: readers of lines need no JSON to find it.
    let lines = try ask("ndjson").utf8.split(separator: UInt8(ascii: "\n"))
    try check(
      try lines.map { try #require(try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any]) },
      "ndjson")

    let scratch = try Scratch()
    chmod(scratch.path, 0o755)
    let file = try scratch.write("list.csv", try ask("csv"))
    chmod(file, 0o644)
    // The server's own reader of CSV, into a table of the view's columns.
    let psql = try Subprocess([
      "psql", "-Xqd", database.url, "-v", "ON_ERROR_STOP=1",
      "-c", "CREATE TABLE list AS SELECT * FROM mart.client_list WHERE false",
      "-c", "\\copy list FROM '\(file)' WITH (FORMAT csv, HEADER true)",
    ]).run()
    try #require(psql.status == 0, "\(psql.output)")
    let differing = try connection.execute(
      "(TABLE list EXCEPT TABLE mart.client_list) UNION ALL (TABLE mart.client_list EXCEPT TABLE list)")
    #expect(differing.count == 0)
    #expect(try connection.execute("SELECT FROM list").count == Self.names.count)
  }

  @Test("has numbers with all their digits, and truth as such, also of a view that a migration made")
  func kinds() throws {
    let tracker = try SystemDatabase()
    func query(_ view: String, _ form: String) throws -> String {
      try tracker.program.run("query", view, "--as", form).succeeded().output
    }
    try tracker.execute(
      """
      INSERT INTO rvutrack.app_user (id, name) VALUES (@ana, 'A');
      INSERT INTO rvutrack.visit (id, user_id, visit_date, is_no_show) VALUES (#1, @ana, '2026-01-05', false);
      INSERT INTO rvutrack.procedure (id, visit_id, hcpcs, work_rvu, quantity) VALUES
        (#2, #1, '99213', 99999999.99, 2000000000);
      """)
    let line = try query("mart.visit_total", "ndjson")
    for value in [
      "\"is_no_show\":false", "\"total_rvu\":199999999980000000.00", "\"visit_date\":\"2026-01-05\"",
      "\"visit_time\":null",
    ] { #expect(line.contains(value), "\(line)") }
    #expect(try query("api.users", "csv").contains("\(People.ana),,A,"))
    try tracker.program.run("query", "rvutrack.app_user").failed(
      2, saying: "there is no query 'rvutrack.app_user'")
    // A view without rows is a document, too.
    try tracker.execute("DELETE FROM rvutrack.visit")
    #expect(try query("mart.visit_total", "json") == "[]\n")
    #expect(try query("mart.visit_total", "ndjson") == "")
    #expect(try query("mart.visit_total", "csv").hasPrefix("id,user_id,visit_date"))
  }

  @Test(
    "of a million rows is written in the memory that a thousand need",
    arguments: ["json", "ndjson", "csv"])
  func memory(form: String) throws {
    let program = try Self.many.get()
    let scratch = try Scratch()
    let peak = { (view: String, rows: Int) in
      let file = scratch.path + "/" + view
      let (outcome, peak) = try program.start(["query", view, "--as", form, "-o", file]).waitMeasuring()
      try outcome.succeeded()
      let written = try Data(contentsOf: URL(filePath: file), options: .mappedIfSafe)
      #expect(written.count { $0 == UInt8(ascii: "\n") } == rows + (form == "csv" ? 1 : 0))
      return peak
    }
    // So short a life may pass between two looks.
    let few = try (1...3).map { _ in try peak("mart.patient_recent_conversations", 1_000) }.max() ?? 0
    let many = try peak("mart.conversation_timeline", 1_000_000)
    #expect(few > 1 << 20)
    #expect(many < few + 16 << 20, "\(few >> 20) MB and \(many >> 20) MB")
  }

  /// A thousand conversations with a thousand messages each.
  private static let many = Result {
    let (database, program) = try Loaded.migrated()
    try database.connect().execute(
      People.identified(
        """
        INSERT INTO clara.patient (id, user_id) VALUES (#1, @ana);
        INSERT INTO clara.conversation (id, user_id, patient_id, title)
          SELECT md5('c' || n)::uuid, @ana, #1, 'title ' || n FROM generate_series(1, 1000) n;
        ALTER TABLE clara.follow_up_message DISABLE TRIGGER USER;
        INSERT INTO clara.follow_up_message (id, conversation_id, user_id, message_content, is_from_user, sent_at)
          SELECT md5('m' || n)::uuid, md5('c' || n % 1000 + 1)::uuid, @ana, 'message ' || n, true,
            timestamptz '2026-01-05' + n * interval '1 second'
          FROM generate_series(1, 1000000) n;
        ANALYZE clara.follow_up_message;
        """))
    return program
  }
}
