import Foundation
import PostgreSQL
import TestSupport
import Testing

@Suite("Exports of the systems")
struct SystemLoadTests {
  @Test("hold the same in each format, in both spellings of names", arguments: SystemExport.systems)
  func formats(system: String) throws {
    let export = try SystemExport(system)
    #expect(export.files.values.joined().allSatisfy { $0.keys.allSatisfy { $0.contains(/^[a-z_0-9]+$/) } })
    let one = try SystemDatabase()
    try one.require(export)
    let content = try one.content(of: system)
    #expect(content.values.map(\.count).max() ?? 0 > 40)

    let other = try SystemDatabase()
    try other.require(export.camelCased, as: "json")
    #expect(try other.content(of: system) == content)
    // What is there already stays as it is, whatever the format.
    let csv = try Samples.make(system, formats: ["csv"], rows: 60, name: "export.zip")
    let again = try other.program.run("run", system, csv, "--no-refresh")
    #expect(again.status == 0, "\(again.errors)")
    #expect(try other.content(of: system) == content)
    let counts =
      "SELECT sum(inserted + updated + deleted), sum(unchanged) > 0 FROM rivulet.merge WHERE run = 2"
    #expect(try other.rows(counts) == ["0 | t"])
  }

  @Test("are compared format by format where somebody asks", arguments: ["rvutrack", "doula"])
  func crossCheck(system: String) throws {
    let database = try SystemDatabase()
    let folder = database.scratch.path + "/both"
    let made = try Program().run(
      "sample", system, "-o", folder + "/", "--rows", "60", "--formats", "json,csv")
    #expect(made.status == 0, "\(made.errors)")
    let run = try database.program.run("run", system, folder, "--no-refresh", "--cross-check", "--dry-run")
    #expect(run.status == 0, "\(run.errors)")
    let file = folder + (system == "doula" ? "/clients.csv" : "/visits.csv")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let other =
      system == "doula" ? text.replacing("onboarding", with: "preparing") : text.replacing(",0,", with: ",1,")
    try #require(other != text)
    try other.write(toFile: file, atomically: true, encoding: .utf8)
    let differs = try database.program.run(
      "run", system, folder, "--no-refresh", "--cross-check", "--dry-run")
    #expect(differs.output.contains(system == "doula" ? "status" : "is_no_show"), "\(differs.output)")
    #expect(!differs.output.contains("CANARY") && !differs.output.contains("preparing"), "\(differs.output)")
  }

  @Test("may have the procedures of a visit within it, unless they have a file of their own")
  func nested() throws {
    var export = try SystemExport("rvutrack")
    let own = try SystemDatabase()
    try own.require(export)
    let content = try own.content(of: "rvutrack")

    let procedures = Dictionary(grouping: export.files["procedures"] ?? []) { $0["visit_id"] as? String }
    export.files["procedures"] = nil
    for index in (export.files["visits"] ?? []).indices {
      try export.edit("visits", index) { visit in
        visit["procedures"] = procedures[visit["id"] as? String]?.map { procedure in
          procedure.filter { $0.key != "visit_id" }
        }
      }
    }
    let database = try SystemDatabase()
    try database.require(export, as: "json")
    #expect(try database.content(of: "rvutrack") == content)
    #expect(content["procedure"]?.isEmpty == false)

    // Without them a visit keeps what it has, and one that is not as it must be takes its visit with it.
    try export.edit("visits") { $0["procedures"] = nil }
    try database.require(export)
    #expect(try database.content(of: "rvutrack") == content)
    let first = try #require((export.files["visits"] ?? []).firstIndex { $0["procedures"] is [Any] })
    try export.edit("visits", first) { visit in
      var nested = visit["procedures"] as? [SystemExport.Record] ?? []
      nested[0]["quantity"] = 0
      visit["procedures"] = nested
    }
    let refused = try database.load(export)
    #expect(
      refused.status == 3 && refused.errors.contains("1 range in quantity of visits"), "\(refused.errors)")

    export.files["procedures"] = [try #require(procedures.values.first?.first)]
    let both = try database.load(export)
    #expect(both.status == 0, "\(both.errors)")
    #expect(both.errors.contains("rvutrack.procedure within them"), "\(both.errors)")
  }

  @Test("leave a malformed value blank where it may be, and refuse the record where it may not")
  func malformed() throws {
    var export = try SystemExport("clara")
    try export.edit("patients") {
      $0["date_of_birth"] = "soon"
      $0["allergies"] = "nuts"
      $0["created_at"] = 5
    }
    try export.edit("provider_review_requests") { $0["conversation_messages"] = ["content": "a"] }
    try export.edit("provider_review_requests", 1) { $0["triage_outcome"] = "unheard of" }
    let database = try SystemDatabase()
    let run = try database.load(export)
    #expect(run.status == 0, "\(run.errors)")
    for column in ["date_of_birth", "allergies", "created_at", "conversation_messages", "triage_outcome"] {
      #expect(run.errors.contains("\(column): 1 values were left blank"), "\(run.errors)")
    }
    let blank = """
      SELECT date_of_birth, allergies, created_at > now() - interval '1 hour' FROM clara.patient ORDER BY id LIMIT 1
      """
    #expect(try database.rows(blank) == ["- | {} | t"])
    try export.edit("patients", 2) { $0["user_id"] = "nobody" }
    let refused = try database.load(export)
    #expect(refused.status == 3 && refused.errors.contains("1 not-a-uuid in user_id"), "\(refused.errors)")
    #expect(try database.rows("SELECT max(run) FROM rivulet.merge") == ["1"])
    // Whose patient was refused refers to one that is there.
    #expect(try database.load(export, "--max-rejects", "1").status == 0)
  }

  @Test("are understood by the names that the apps have for things")
  func aliases() throws {
    let database = try SystemDatabase()
    var tracker = try SystemExport("rvutrack").only("users")
    tracker.files["visits"] = [
      [
        "id": People.id(11), "userId": tracker.files["users"]?[0]["id"] ?? "", "date": "2025-03-04",
        "time": "9:30 PM", "pendingSync": true,
      ],
      [
        "id": People.id(12), "userId": tracker.files["users"]?[0]["id"] ?? "", "date": "2025-03-05",
        "pendingSync": false, "syncStatus": NSNull(),
      ],
    ]
    tracker.files["procedures"] = [
      ["id": People.id(13), "visitId": People.id(11), "code": "99213", "workRVU": 1.3, "quantity": 2]
    ]
    try database.require(tracker)
    #expect(
      try database.rows("SELECT visit_date, visit_time, sync_status FROM rvutrack.visit ORDER BY id") == [
        "2025-03-04 | 21:30:00 | synced", "2025-03-05 | - | synced",
      ])
    #expect(try database.rows("SELECT work_rvu, modifier FROM rvutrack.procedure") == ["1.30 | "])

    var clara = try SystemExport("clara")
    try clara.edit("provider_review_requests") { $0["childDOB"] = $0.removeValue(forKey: "child_dob") }
    try clara.edit("follow_up_messages") { $0["timestamp"] = $0.removeValue(forKey: "sent_at") }
    try database.require(clara)
    #expect(
      try database.rows("SELECT count(*) FROM clara.provider_review_request WHERE child_dob IS NULL") == ["0"]
    )

    var doula = try SystemExport("doula")
    try doula.edit("doula_profiles") { $0["photoURL"] = $0.removeValue(forKey: "photo_url") }
    try database.require(doula)
    #expect(try database.rows("SELECT count(*) FROM doula.doula_profile WHERE photo_url IS NULL") == ["0"])

    var oncall = try SystemExport("oncall")
    try oncall.edit("schedules") { $0["date"] = $0.removeValue(forKey: "starts_at") }
    try database.require(oncall)
    #expect(
      try database.rows("SELECT DISTINCT phone_number ~ '^[+]18605551[0-9]{3}$' FROM oncall.directory") == [
        "t"
      ])
  }

  @Test("bring deletions, and remove what refers to nothing")
  func deletions() throws {
    var export = try SystemExport("doula")
    let database = try SystemDatabase()
    try database.require(export)
    try export.edit("clients") { $0["deleted_at"] = "2025-09-01T00:00:00Z" }
    try database.require(export.only("clients", 3))
    #expect(try database.rows("SELECT count(*) FROM doula.client WHERE deleted_at IS NOT NULL") == ["1"])

    try export.edit("clients", 1) { $0["doula_id"] = People.ana }
    try export.edit("clients", 1) { $0["id"] = People.id(7) }
    try export.edit("birth_plans") { $0["client_id"] = People.id(7) }
    export.files["templates"] = nil
    let refused = try database.load(export)
    #expect(refused.status == 3, "\(refused.errors)")
    #expect(refused.errors.contains("1 orphans-clients of clients"), "\(refused.errors)")
    #expect(refused.errors.contains("1 orphans-birth-plans of birth-plans"), "\(refused.errors)")
    #expect(!refused.errors.contains(People.ana) && !refused.errors.contains("DETAIL"))
    let rest = try database.load(export, "--max-rejects", "2")
    #expect(rest.status == 0, "\(rest.errors)")
    #expect(try database.rows("SELECT count(*) FROM doula.client WHERE id = '\(People.id(7))'") == ["0"])
  }

  @Test("change no column that their header lacks")
  func lackingColumns() throws {
    let database = try SystemDatabase()
    let connection = try database.database.connect()
    try connection.execute(
      """
      INSERT INTO clara.patient (id, user_id, child_name, allergies, notes, deleted_at) VALUES
        ('\(People.id(1))', '\(People.ana)', 'A', '{nuts}', 'n', '2026-01-01');
      INSERT INTO rvutrack.app_user (id) VALUES ('\(People.ana)');
      INSERT INTO rvutrack.visit (id, user_id, visit_date, notes, is_no_show, deleted_at) VALUES
        ('\(People.id(2))', '\(People.ana)', '2026-01-05', 'n', true, '2026-01-06')
      """)
    func load(_ system: String, _ file: String, _ text: String) throws {
      try database.scratch.write("\(system)/\(file)", text)
      let run = try database.program.run("run", system, database.scratch.path + "/" + system, "--no-refresh")
      #expect(run.status == 0, "\(run.errors)")
    }
    try load("clara", "patients.csv", "id,user_id,child_name\n\(People.id(1)),\(People.ana),B\n")
    #expect(
      try database.rows("SELECT child_name, allergies, notes, deleted_at IS NULL FROM clara.patient") == [
        "B | {nuts} | n | f"
      ])
    let new = People.id(3)
    try load(
      "rvutrack", "visits.csv",
      "id,userId,date\n\(People.id(2)),\(People.ana),2026-01-07\n\(new),\(People.ana),2026-01-08\n")
    #expect(
      try database.rows(
        """
        SELECT visit_date, notes, is_no_show, sync_status, deleted_at IS NULL FROM rvutrack.visit ORDER BY id
        """) == ["2026-01-07 | n | t | synced | f", "2026-01-08 | - | f | synced | t"])
  }

  @Test("take away what they say is deleted where a table keeps nothing of that kind")
  func gone() throws {
    let database = try SystemDatabase()
    let connection = try database.database.connect()
    try connection.execute(
      """
      INSERT INTO oncall.schedule (id, starts_at, specialty, provider) VALUES
        ('\(People.id(1))', now(), 'c', 'p'), ('\(People.id(2))', now(), 'c', 'q');
      INSERT INTO rvutrack.app_user (id) VALUES ('\(People.ana)');
      INSERT INTO rvutrack.favorite (user_id, hcpcs, position) VALUES ('\(People.ana)', '99213', 1), ('\(People.ana)', '99214', 2);
      """)
    func load(_ system: String, _ file: String, _ text: String) throws {
      try database.scratch.write("\(system)/\(file)", text)
      let run = try database.program.run("run", system, database.scratch.path + "/" + system, "--no-refresh")
      #expect(run.status == 0, "\(run.errors)")
    }
    try load(
      "oncall", "schedules.ndjson",
      #"""
      {"id":"\#(People.id(1))","date":"2026-01-05T08:00:00Z","specialty":"c","provider":"p","deletedAt":"2026-01-06T08:00:00Z"}
      {"id":"\#(People.id(2))","date":"2026-01-05T08:00:00Z","specialty":"c","provider":"r","deletedAt":null}

      """#)
    #expect(try database.rows("SELECT provider FROM oncall.schedule") == ["r"])
    try load(
      "rvutrack", "favorites.csv",
      "user_id,hcpcs,position,deleted_at\n\(People.ana),99213,1,2026-01-05\n\(People.ana),99214,3,\n")
    #expect(try database.rows("SELECT hcpcs, position FROM rvutrack.favorite") == ["99214 | 3"])
  }

  @Test("are beside the templates that come with the program")
  func templates() throws {
    let database = try SystemDatabase()
    for _ in 0..<2 {
      let run = try database.program.run(
        "run", "doula", SharedData.project + "/Data/templates", "--no-refresh")
      #expect(run.status == 0, "\(run.errors)")
      try database.require(try SystemExport("doula"))
    }
    #expect(
      try database.rows(
        "SELECT kind, count(*) FROM doula.template WHERE doula_id IS NULL GROUP BY 1 ORDER BY 1") == [
          "birth_plan | 2", "recommendation | 3",
        ])
  }

  @Test("leave nothing behind that must not be known")
  func secrets() throws {
    let database = try SystemDatabase()
    var export = try SystemExport("doula")
    let token = try #require(export.files["public_links"]?[0]["token_sha256"] as? String)
    try export.edit("public_links") { $0["token"] = $0.removeValue(forKey: "token_sha256") }
    try export.edit("clients") { $0["pregnancyWeek"] = 44 }
    let run = try database.load(export)
    #expect(run.status == 0 && run.errors.contains("pregnancy-week"), "\(run.errors)")
    #expect(
      try database.rows(
        "SELECT count(*) FROM doula.public_link WHERE token_sha256 = sha256('\(token)'::bytea)") == ["1"])
    #expect(try database.content(of: "doula").values.joined().allSatisfy { !$0.contains(token) })

    try database.require(try SystemExport("ccc"))
    let properties = "SELECT DISTINCT k FROM ccc.analytics_event, jsonb_object_keys(properties) k"
    #expect(try database.rows(properties) == ["value"])
  }
}
