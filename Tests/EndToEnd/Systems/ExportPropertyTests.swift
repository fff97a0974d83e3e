import Foundation
import TestSupport
import Testing

/// What exports have more or less than the tables, as lists and as JSON.
@Suite("Properties of the systems' exports")
struct ExportPropertyTests {
  private let database: SystemDatabase

  init() throws { database = try SystemDatabase() }

  @Test(
    "are found once where no column knows them, and never with what they hold",
    arguments: ["patients.json", "patients.ndjson", "patients.jsonl"])
  func unknown(file: String) throws {
    let lines = [
      #"{"id":"{1}","userId":"{1}","petName":"CANARY","notes":"n"}"#,
      #"{"id":"{2}","userId":"{1}","petName":"CANARY","allergys":["CANARY"]}"#,
    ]
    let text = file.hasSuffix(".json") ? "[\(lines.joined(separator: ","))]" : lines.joined(separator: "\n")
    let run = try database.load("clara", file, text, "--format", "json", "--dry-run").succeeded()
    let found = "properties that the layout does not know were left out: 'petName' (2), 'allergys' (1)"
    #expect(run.errors.components(separatedBy: found).count == 2, "\(run.errors)")
    let sources = try #require(try run.object()["sources"] as? [[String: Any]])
    #expect(sources.compactMap { $0["warnings"] as? [String] } == [[found]])
  }

  @Test("are found of nested records too, but not those that have a file of their own")
  func unknownWithin() throws {
    let visit =
      #"{"id":"{2}","userId":"{1}","date":"2025-01-05","Procedures":[{"id":"{3}","code":"99213","workRVU":1,"quantity":1,"colour":"red"}]}"#
    try database.execute("INSERT INTO rvutrack.app_user (id) VALUES (@ana)")
    let run = try database.load("rvutrack", "visits.ndjson", visit).succeeded()
    #expect(run.errors.contains("left out: 'procedures.colour'"), "\(run.errors)")
    try database.expect("SELECT hcpcs, visit_id = #2 FROM rvutrack.procedure", "99213|t")
    try database.scratch.write(
      "both/procedures.csv",
      People.identified("id,visitId,code,workRVU,quantity\n{4},{2},99214,2,1\n"))
    let both = try database.load(
      "rvutrack", "visits.ndjson", visit.replacing("2025-01-05", with: "2025-01-06"), into: "both"
    ).succeeded()
    #expect(both.errors.contains("rvutrack.procedure within them"), "\(both.errors)")
    #expect(!both.errors.contains("does not know"), "\(both.errors)")
  }

  @Test("are found in any letter case, as columns of a header are")
  func letterCase() throws {
    try database.load("clara", "patients.csv", "ID,User_ID,CHILDDOB\n{1},{1},2020-01-02\n").succeeded()
    let json = try database.load(
      "clara", "patients.json", #"[{"ID":"{2}","User_ID":"{1}","CHILDDOB":"2020-01-02"}]"#
    ).succeeded()
    #expect(!json.errors.contains("does not know"), "\(json.errors)")
    try database.expect("SELECT date_of_birth FROM clara.patient", "2020-01-02", "2020-01-02")
  }

  @Test("change no column that none of them has", arguments: ["csv", "json", "ndjson"])
  func lacking(format: String) throws {
    try database.execute(
      """
      INSERT INTO clara.patient (id, user_id, child_name, gender, allergies, notes, deleted_at) VALUES
        (#1, @ana, 'A', 'f', '{nuts}', 'n', '2026-01-01'), (#4, @ana, 'A', 'f', '{nuts}', 'n', NULL);
      INSERT INTO rvutrack.app_user (id) VALUES (@ana);
      INSERT INTO rvutrack.visit (id, user_id, visit_date, notes, is_no_show, deleted_at) VALUES
        (#2, @ana, '2026-01-05', 'n', true, '2026-01-06'), (#6, @ana, '2026-01-05', 'n', false, NULL);
      INSERT INTO rvutrack.procedure (id, visit_id, hcpcs, description, status_code, work_rvu, quantity) VALUES
        (#5, #6, '99213', 'd', 'A', 1, 1)
      """)
    func load(
      _ system: String, _ file: String, _ records: [SystemExport.Record], _ more: [SystemExport.Record] = []
    )
      throws
    {
      var export = SystemExport(system, [file: records])
      if !more.isEmpty { export.files["procedures"] = more }
      try database.load(export, as: format).succeeded()
    }
    // Who lacks what another has says that there is nothing.
    try load(
      "clara", "patients",
      [
        ["id": People.id(1), "user_id": People.ana, "child_name": "B"],
        ["id": People.id(4), "user_id": People.ana, "child_name": "C", "gender": "m", "notes": NSNull()],
      ])
    try database.expect(
      "SELECT child_name, gender, allergies, notes, deleted_at IS NULL FROM clara.patient ORDER BY id",
      "B|-|{nuts}|-|f", "C|m|{nuts}|-|t")
    // SQL of the source sees what is published. A list has procedures in a file of their own.
    var procedure: SystemExport.Record = [
      "id": People.id(5), "hcpcs": "99214", "work_rvu": "2", "quantity": "1",
    ]
    var visits: [SystemExport.Record] = [
      ["id": People.id(2), "userId": People.ana, "date": "2026-01-07"],
      ["id": People.id(6), "userId": People.ana, "date": "2026-01-07"],
      ["id": People.id(3), "userId": People.ana, "date": "2026-01-08"],
    ]
    if format == "csv" {
      procedure["visit_id"] = People.id(6)
    } else {
      visits[1]["procedures"] = [procedure]
    }
    try load("rvutrack", "visits", visits, format == "csv" ? [procedure] : [])
    try database.expect(
      "SELECT visit_date, notes, is_no_show, sync_status, deleted_at IS NULL FROM rvutrack.visit ORDER BY id",
      "2026-01-07|n|t|synced|f", "2026-01-08|-|f|synced|t", "2026-01-07|n|f|synced|t")
    try database.expect(
      "SELECT hcpcs, description, status_code, work_rvu FROM rvutrack.procedure", "99214|d|A|2.00")
    try load("clara", "patients", [["id": People.id(1), "user_id": People.ana, "notes": "m"]])
    try database.expect("SELECT notes, child_name FROM clara.patient ORDER BY id LIMIT 1", "m|B")
  }

  @Test("may hold nested records as a text of JSON, which a list cannot")
  func nestedText() throws {
    try database.execute("INSERT INTO rvutrack.app_user (id) VALUES (@ana)")
    let procedure =
      #"[{\"id\":\"{3}\",\"code\":\"99213\",\"workRVU\":1.5,\"quantity\":2,\"description\":\"say \\\"x\\\"\"}]"#
    func visit(_ procedures: String) -> String {
      #"{"id":"{2}","userId":"{1}","date":"2025-01-05","procedures":"\#(procedures)"}"#
    }
    try database.load("rvutrack", "visits.ndjson", visit(procedure)).succeeded()
    try database.expect(
      "SELECT hcpcs, work_rvu, quantity, description FROM rvutrack.procedure", "99213|1.50|2|say \"x\"")
    try database.load("rvutrack", "visits.json", "[" + visit("CANARY") + "]").failed(
      3, saying: "text-for-records")
    try database.load("rvutrack", "visits.csv", "id,userId,date,Procedures\n{2},{1},2025-01-05,[]\n").failed(
      3, saying: "the column 'PROCEDURES' holds records of rvutrack.procedure", ".ndjson")
  }

  @Test("are in files of which none is left alone without a word")
  func untaken() throws {
    for name in [
      "old-patients.csv", "convrsations.json", "review.xlsx", "follow-ups.xml", "notes.txt", "README.md",
      "photo.png", ".DS_Store", "ReadMe.txt", ".git/config",
    ] { try database.scratch.write("export/" + name, name.hasSuffix("csv") ? "id,user_id\n" : "[]") }
    let patient = #"{"id":"{1}","user_id":"{1}"}"#
    for dry in ["--dry-run", "-v"] {
      let run = try database.load(
        "clara", "patients.jsonl", patient, into: "export", "--format", "json", dry
      ).succeeded()
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
    try database.expect("SELECT count(*) FROM clara.patient", "1")
    for number in 0..<20 { try database.scratch.write("export/other\(number).csv", "x") }
    let many = try database.load("clara", "patients.jsonl", patient, into: "export")
    #expect(
      !many.errors.contains("'review.xlsx'") && many.errors.contains("'other12.csv' and 16 more"),
      "\(many.errors)")
  }
}
