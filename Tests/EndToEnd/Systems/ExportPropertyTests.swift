import Foundation
import PostgreSQL
import TestSupport
import Testing

/// What exports have more or less than the tables, as lists and as JSON.
@Suite("Properties of the systems' exports")
struct ExportPropertyTests {
  private let database: SystemDatabase

  init() throws { database = try SystemDatabase() }

  /// Loads one file of a system as it is written.
  private func load(_ system: String, _ file: String, _ text: String, _ options: String...) throws
    -> Program.Outcome
  {
    let folder = UUID().uuidString
    try database.scratch.write("\(folder)/\(file)", text)
    return try database.program.run(
      ["run", system, database.scratch.path + "/" + folder, "--no-refresh"] + options)
  }

  @Test(
    "are found once where no column knows them, and never with what they hold",
    arguments: ["patients.json", "patients.ndjson", "patients.jsonl"])
  func unknown(file: String) throws {
    let lines = [
      #"{"id":"\#(People.id(1))","userId":"\#(People.ana)","petName":"CANARY","notes":"n"}"#,
      #"{"id":"\#(People.id(2))","userId":"\#(People.ana)","petName":"CANARY","allergys":["CANARY"]}"#,
    ]
    let text = file.hasSuffix(".json") ? "[\(lines.joined(separator: ","))]" : lines.joined(separator: "\n")
    let run = try load("clara", file, text, "--format", "json", "--dry-run")
    #expect(run.status == 0, "\(run.errors)")
    let found = "properties that the layout does not know were left out: 'petName', 'allergys'"
    #expect(run.errors.components(separatedBy: found).count == 2, "\(run.errors)")
    let sources = try #require(try run.object()["sources"] as? [[String: Any]])
    #expect(sources.compactMap { $0["warnings"] as? [String] } == [[found]])
    #expect(!run.errors.contains("CANARY") && !run.output.contains("CANARY"))
  }

  @Test("are found of nested records too, but not those that have a file of their own")
  func unknownWithin() throws {
    let procedure =
      #"{"id":"\#(People.id(3))","code":"99213","workRVU":1,"quantity":1,"colour":"red"}"#
    let visit =
      #"{"id":"\#(People.id(2))","userId":"\#(People.ana)","date":"2025-01-05","Procedures":[\#(procedure)]}"#
    try database.database.connect().execute(
      "INSERT INTO rvutrack.app_user (id) VALUES ('\(People.ana)')")
    let run = try load("rvutrack", "visits.ndjson", visit)
    #expect(run.status == 0 && run.errors.contains("left out: 'procedures.colour'"), "\(run.errors)")
    #expect(
      try database.rows("SELECT hcpcs, visit_id FROM rvutrack.procedure") == ["99213 | \(People.id(2))"])
    let folder = database.scratch.path + "/both"
    try database.scratch.write("both/visits.ndjson", visit.replacing("2025-01-05", with: "2025-01-06"))
    try database.scratch.write(
      "both/procedures.csv",
      "id,visitId,code,workRVU,quantity\n\(People.id(4)),\(People.id(2)),99214,2,1\n")
    let both = try database.program.run("run", "rvutrack", folder, "--no-refresh")
    #expect(both.status == 0 && both.errors.contains("rvutrack.procedure within them"), "\(both.errors)")
    #expect(!both.errors.contains("does not know"), "\(both.errors)")
  }

  @Test("are found in any letter case, as columns of a header are")
  func letterCase() throws {
    let csv = try load(
      "clara", "patients.csv", "ID,User_ID,CHILDDOB\n\(People.id(1)),\(People.ana),2020-01-02\n")
    #expect(csv.status == 0, "\(csv.errors)")
    let json = try load(
      "clara", "patients.json",
      #"[{"ID":"\#(People.id(2))","User_ID":"\#(People.ana)","CHILDDOB":"2020-01-02"}]"#)
    #expect(json.status == 0 && !json.errors.contains("does not know"), "\(json.errors)")
    #expect(
      try database.rows("SELECT count(*), min(date_of_birth), max(date_of_birth) FROM clara.patient") == [
        "2 | 2020-01-02 | 2020-01-02"
      ])
  }

  @Test("change no column that none of them has", arguments: ["json", "ndjson"])
  func lacking(format: String) throws {
    try database.database.connect().execute(
      """
      INSERT INTO clara.patient (id, user_id, child_name, gender, allergies, notes, deleted_at) VALUES
        ('\(People.id(1))', '\(People.ana)', 'A', 'f', '{nuts}', 'n', '2026-01-01'),
        ('\(People.id(4))', '\(People.ana)', 'A', 'f', '{nuts}', 'n', NULL);
      INSERT INTO rvutrack.app_user (id) VALUES ('\(People.ana)');
      INSERT INTO rvutrack.visit (id, user_id, visit_date, notes, is_no_show, deleted_at) VALUES
        ('\(People.id(2))', '\(People.ana)', '2026-01-05', 'n', true, '2026-01-06'),
        ('\(People.id(6))', '\(People.ana)', '2026-01-05', 'n', false, NULL);
      INSERT INTO rvutrack.procedure (id, visit_id, hcpcs, description, status_code, work_rvu, quantity) VALUES
        ('\(People.id(5))', '\(People.id(6))', '99213', 'd', 'A', 1, 1)
      """)
    func load(_ system: String, _ file: String, _ lines: String...) throws {
      let text = format == "json" ? "[\(lines.joined(separator: ","))]" : lines.joined(separator: "\n")
      let run = try self.load(system, "\(file).\(format)", text)
      #expect(run.status == 0, "\(run.errors)")
    }
    // Who lacks what another has says that there is nothing.
    try load(
      "clara", "patients", #"{"id":"\#(People.id(1))","user_id":"\#(People.ana)","child_name":"B"}"#,
      #"{"id":"\#(People.id(4))","user_id":"\#(People.ana)","child_name":"C","gender":"m","notes":null}"#)
    #expect(
      try database.rows(
        "SELECT child_name, gender, allergies, notes, deleted_at IS NULL FROM clara.patient ORDER BY id") == [
          "B | - | {nuts} | - | f", "C | m | {nuts} | - | t",
        ])
    // SQL of the source sees what is published.
    let new = People.id(3)
    let procedure = #"{"id":"\#(People.id(5))","hcpcs":"99214","work_rvu":2,"quantity":1}"#
    try load(
      "rvutrack", "visits",
      #"{"id":"\#(People.id(2))","userId":"\#(People.ana)","date":"2026-01-07"}"#,
      #"{"id":"\#(People.id(6))","userId":"\#(People.ana)","date":"2026-01-07","procedures":[\#(procedure)]}"#,
      #"{"id":"\#(new)","userId":"\#(People.ana)","date":"2026-01-08"}"#)
    #expect(
      try database.rows(
        "SELECT visit_date, notes, is_no_show, sync_status, deleted_at IS NULL FROM rvutrack.visit ORDER BY id"
      )
        == [
          "2026-01-07 | n | t | synced | f", "2026-01-08 | - | f | synced | t",
          "2026-01-07 | n | f | synced | t",
        ])
    #expect(
      try database.rows("SELECT hcpcs, description, status_code, work_rvu FROM rvutrack.procedure") == [
        "99214 | d | A | 2.00"
      ])
    try load("clara", "patients", #"{"id":"\#(People.id(1))","user_id":"\#(People.ana)","notes":"m"}"#)
    #expect(try database.rows("SELECT notes, child_name FROM clara.patient ORDER BY id LIMIT 1") == ["m | B"])
  }

  @Test("may hold nested records as a text of JSON, which a list cannot")
  func nestedText() throws {
    try database.database.connect().execute(
      "INSERT INTO rvutrack.app_user (id) VALUES ('\(People.ana)')")
    let procedure =
      #"[{\"id\":\"\#(People.id(3))\",\"code\":\"99213\",\"workRVU\":1.5,\"quantity\":2,\"description\":\"say \\\"x\\\"\"}]"#
    func visit(_ procedures: String) -> String {
      #"{"id":"\#(People.id(2))","userId":"\#(People.ana)","date":"2025-01-05","procedures":"\#(procedures)"}"#
    }
    let run = try load("rvutrack", "visits.ndjson", visit(procedure))
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      try database.rows("SELECT hcpcs, work_rvu, quantity, description FROM rvutrack.procedure") == [
        "99213 | 1.50 | 2 | say \"x\""
      ])
    let refused = try load("rvutrack", "visits.json", "[" + visit("CANARY") + "]")
    #expect(refused.status == 3 && refused.errors.contains("text-for-records"), "\(refused.errors)")
    #expect(!refused.errors.contains("CANARY"), "\(refused.errors)")

    let list = "id,userId,date,Procedures\n\(People.id(2)),\(People.ana),2025-01-05,[]\n"
    let csv = try load("rvutrack", "visits.csv", list)
    #expect(csv.status == 3, "\(csv.errors)")
    #expect(
      csv.errors.contains("the column 'PROCEDURES' holds records of rvutrack.procedure")
        && csv.errors.contains(".ndjson"), "\(csv.errors)")
  }

  @Test("are in files of which none is left alone without a word")
  func untaken() throws {
    let folder = database.scratch.path + "/export"
    for (name, text) in [
      ("patients.jsonl", #"{"id":"\#(People.id(1))","user_id":"\#(People.ana)"}"#),
      ("old-patients.csv", "id,user_id\n"), ("convrsations.json", "[]"), ("review.xlsx", "x"),
      ("follow-ups.xml", "<x/>"), ("notes.txt", "x"), ("README.md", "x"), ("photo.png", "x"),
      (".DS_Store", "x"), ("ReadMe.txt", "x"), (".git/config", "x"),
    ] { try database.scratch.write("export/" + name, text) }
    for dry in [["--dry-run"], []] {
      let run = try database.program.run(
        ["run", "clara", folder, "--no-refresh", "--format", "json"] + dry)
      #expect(run.status == 0, "\(run.errors)")
      let warnings = try #require(try run.object()["warnings"] as? [String])
      #expect(
        warnings == [
          "files that no source takes were left alone: 'convrsations.json' (did you mean 'conversations.json'?), "
            + "'follow-ups.xml' (follow-ups are read from json, ndjson, csv), 'notes.txt', 'review.xlsx'",
          "files of another format than the one that is read, ndjson, were left alone: 'old-patients.csv'; "
            + "load them by themselves",
        ])
      #expect(warnings.allSatisfy { run.errors.contains($0) }, "\(run.errors)")
    }
    #expect(try database.rows("SELECT count(*) FROM clara.patient") == ["1"])
    for number in 0..<20 { try database.scratch.write("export/other\(number).csv", "x") }
    let many = try database.program.run("run", "clara", folder, "--no-refresh")
    #expect(
      !many.errors.contains("'review.xlsx'") && many.errors.contains("'other12.csv' and 16 more"),
      "\(many.errors)")
  }
}
