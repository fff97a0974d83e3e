import Foundation
import TestSupport
import Testing

@Suite("Exports of the systems")
struct SystemLoadTests {
  @Test("hold the same in each format, in both spellings of names", arguments: SystemExport.systems)
  func formats(system: String) throws {
    let export = try SystemExport(system)
    #expect(export.files.values.joined().allSatisfy { $0.keys.allSatisfy { $0.contains(/^[a-z_0-9]+$/) } })
    let one = try SystemDatabase()
    try one.load(export).succeeded()
    let content = try one.content(of: system)
    #expect(content.values.map(\.count).max() ?? 0 > 40)

    let other = try SystemDatabase()
    try other.load(export.camelCased, as: "json").succeeded()
    #expect(try other.content(of: system) == content)
    // What is there already stays as it is, whatever the format.
    let csv = try Samples.make(system, formats: ["csv"], rows: 60, name: "export.zip")
    try other.program.run("run", system, csv, "--no-refresh").succeeded()
    #expect(try other.content(of: system) == content)
    try other.expect(
      "SELECT sum(inserted + updated + deleted), sum(unchanged) > 0 FROM rivulet.merge WHERE run = 2", "0|t")
  }

  @Test("are compared format by format where somebody asks", arguments: ["rvutrack", "doula"])
  func crossCheck(system: String) throws {
    let database = try SystemDatabase()
    let folder = database.scratch.path + "/both"
    try Program().run("sample", system, "-o", folder + "/", "--rows", "60", "--formats", "json,csv")
      .succeeded()
    let words = ["run", system, folder, "--no-refresh", "--cross-check", "--dry-run"]
    try database.program.run(words).succeeded()
    let file = folder + (system == "doula" ? "/clients.csv" : "/visits.csv")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let other =
      system == "doula" ? text.replacing("onboarding", with: "preparing") : text.replacing(",0,", with: ",1,")
    try #require(other != text)
    try other.write(toFile: file, atomically: true, encoding: .utf8)
    let differs = try database.program.run(words)
    #expect(differs.output.contains(system == "doula" ? "status" : "is_no_show"), "\(differs.output)")
    #expect(!differs.output.contains("preparing"), "\(differs.output)")
  }

  @Test("may have the procedures of a visit within it, unless they have a file of their own")
  func nested() throws {
    var export = try SystemExport("rvutrack")
    let own = try SystemDatabase()
    try own.load(export).succeeded()
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
    try database.load(export, as: "json").succeeded()
    #expect(try database.content(of: "rvutrack") == content)
    #expect(content["procedure"]?.isEmpty == false)

    // Without them a visit keeps what it has, and one that is not as it must be takes its visit with it.
    try export.edit("visits") { $0["procedures"] = nil }
    try database.load(export).succeeded()
    #expect(try database.content(of: "rvutrack") == content)
    let first = try #require((export.files["visits"] ?? []).firstIndex { $0["procedures"] is [Any] })
    try export.edit("visits", first) { visit in
      var nested = visit["procedures"] as? [SystemExport.Record] ?? []
      nested[0]["quantity"] = 0
      visit["procedures"] = nested
    }
    try database.load(export).failed(3, saying: "1 range in quantity of visits")

    export.files["procedures"] = [try #require(procedures.values.first?.first)]
    let both = try database.load(export).succeeded()
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
    let run = try database.load(export).succeeded()
    for column in ["date_of_birth", "allergies", "created_at", "conversation_messages", "triage_outcome"] {
      #expect(run.errors.contains("\(column): 1 values were left blank"), "\(run.errors)")
    }
    try database.expect(
      """
      SELECT date_of_birth, allergies, created_at > now() - interval '1 hour' FROM clara.patient ORDER BY id LIMIT 1
      """, "-|{}|t")
    try export.edit("patients", 2) { $0["user_id"] = "nobody" }
    try database.load(export).failed(3, saying: "1 not-a-uuid in user_id")
    try database.expect(
      "SELECT max(run) FROM rivulet.merge", "1")
    // Whose patient was refused refers to one that is there.
    try database.load(export, "--max-rejects", "1").succeeded()
  }

  @Test("are understood by the names that the apps have for things")
  func aliases() throws {
    let database = try SystemDatabase()
    let tracker = SystemExport(
      "rvutrack",
      [
        "users": [["id": People.ana]],
        "visits": [
          [
            "id": People.id(11), "userId": People.ana, "date": "2025-03-04", "time": "9:30 PM",
            "pendingSync": true,
          ],
          [
            "id": People.id(12), "userId": People.ana, "date": "2025-03-05", "pendingSync": false,
            "syncStatus": NSNull(),
          ],
        ],
        "procedures": [
          ["id": People.id(13), "visitId": People.id(11), "code": "99213", "workRVU": 1.3, "quantity": 2]
        ],
      ])
    try database.load(tracker).succeeded()
    try database.expect(
      "SELECT visit_date, visit_time, sync_status FROM rvutrack.visit ORDER BY id",
      "2025-03-04|21:30:00|synced", "2025-03-05|-|synced")
    try database.expect(
      "SELECT work_rvu, modifier FROM rvutrack.procedure", "1.30|")

    for (system, file, name, other, table) in [
      ("clara", "provider_review_requests", "child_dob", "childDOB", "clara.provider_review_request"),
      ("clara", "follow_up_messages", "sent_at", "timestamp", "clara.follow_up_message"),
      ("doula", "doula_profiles", "photo_url", "photoURL", "doula.doula_profile"),
      ("oncall", "schedules", "starts_at", "date", "oncall.schedule"),
    ] {
      var export = try SystemExport(system)
      try export.edit(file) { $0[other] = $0.removeValue(forKey: name) }
      try database.load(export).succeeded()
      try database.expect("SELECT count(*) > 0, bool_and(\(name) IS NOT NULL) FROM \(table)", "t|t")
    }
    try database.expect(
      "SELECT DISTINCT phone_number ~ '^[+]18605551[0-9][0-9][0-9]$' FROM oncall.directory", "t")
  }

  @Test("bring deletions, and remove what refers to nothing")
  func deletions() throws {
    var export = try SystemExport("doula")
    let database = try SystemDatabase()
    try database.load(export).succeeded()
    try export.edit("clients") { $0["deleted_at"] = "2025-09-01T00:00:00Z" }
    try database.load(export.only("clients", 3)).succeeded()
    try database.expect(
      "SELECT count(*) FROM doula.client WHERE deleted_at IS NOT NULL", "1")

    try export.edit("clients", 1) { $0["doula_id"] = People.ana }
    try export.edit("clients", 1) { $0["id"] = People.id(7) }
    try export.edit("birth_plans") { $0["client_id"] = People.id(7) }
    export.files["templates"] = nil
    let refused = try database.load(export).failed(
      3, saying: "1 orphans-clients of clients", "1 orphans-birth-plans of birth-plans")
    #expect(!refused.errors.contains(People.ana) && !refused.errors.contains("DETAIL"))
    try database.load(export, "--max-rejects", "2").succeeded()
    try database.expect("SELECT count(*) FROM doula.client WHERE id = #7", "0")
  }

  @Test("take away what they say is deleted where a table keeps nothing of that kind")
  func gone() throws {
    let database = try SystemDatabase()
    try database.execute(
      """
      INSERT INTO oncall.schedule (id, starts_at, specialty, provider) VALUES
        (#1, now(), 'c', 'p'), (#2, now(), 'c', 'q');
      INSERT INTO rvutrack.app_user (id) VALUES (@ana);
      INSERT INTO rvutrack.favorite (user_id, hcpcs, position) VALUES (@ana, '99213', 1), (@ana, '99214', 2);
      """)
    try database.load(
      "oncall", "schedules.ndjson",
      #"""
      {"id":"{1}","date":"2026-01-05T08:00:00Z","specialty":"c","provider":"p","deletedAt":"2026-01-06T08:00:00Z"}
      {"id":"{2}","date":"2026-01-05T08:00:00Z","specialty":"c","provider":"r","deletedAt":null}

      """#
    ).succeeded()
    try database.expect("SELECT provider FROM oncall.schedule", "r")
    try database.load(
      "rvutrack", "favorites.csv",
      "user_id,hcpcs,position,deleted_at\n{1},99213,1,2026-01-05\n{1},99214,3,\n"
    ).succeeded()
    try database.expect("SELECT hcpcs, position FROM rvutrack.favorite", "99214|3")
  }

  @Test("are beside the templates that come with the program")
  func templates() throws {
    let database = try SystemDatabase()
    for _ in 0..<2 {
      try database.program.run("run", "doula", SharedData.project + "/Data/templates", "--no-refresh")
        .succeeded()
      try database.load(SystemExport("doula")).succeeded()
    }
    try database.expect(
      "SELECT kind, count(*) FROM doula.template WHERE doula_id IS NULL GROUP BY 1 ORDER BY 1",
      "birth_plan|2", "recommendation|3")
  }

  @Test("leave nothing behind that must not be known")
  func secrets() throws {
    let database = try SystemDatabase()
    var export = try SystemExport("doula")
    let token = try #require(export.files["public_links"]?[0]["token_sha256"] as? String)
    try export.edit("public_links") { $0["token"] = $0.removeValue(forKey: "token_sha256") }
    try export.edit("clients") { $0["pregnancyWeek"] = 44 }
    let run = try database.load(export).succeeded()
    #expect(run.errors.contains("pregnancy-week"), "\(run.errors)")
    try database.expect(
      "SELECT count(*) FROM doula.public_link WHERE token_sha256 = sha256('\(token)'::bytea)", "1")
    #expect(try database.content(of: "doula").values.joined().allSatisfy { !$0.contains(token) })

    try database.load(SystemExport("ccc")).succeeded()
    try database.expect(
      "SELECT DISTINCT k FROM ccc.analytics_event, jsonb_object_keys(properties) k", "value")
  }
}
