import Foundation
import PostgreSQL
import TestSupport
import Testing

/// What is sensitive in a sample says CANARY: wherever that turns up, a patient's name could.
@Suite("Values of patients, clients and messages")
struct CanaryTests {
  private static let canary: String = Program.canary

  /// The files that tell of nobody who is cared for, and have no sensitive column: what is wrong in them is
  /// shown.
  private static let open: Set = ["schedules", "directory", "favorites"]

  /// A way in which an export is broken.
  private struct Break: Sendable {
    let name: String
    let file: String
    var behind = ""
    let change: @Sendable (inout [SystemExport.Record]) -> Void

    init(
      _ name: String, _ file: String, behind: String = "",
      _ change: @escaping @Sendable (inout [SystemExport.Record]) -> Void = { _ in }
    ) {
      (self.name, self.file, self.behind, self.change) = (name, file, behind, change)
    }
  }

  /// Every file broken in every way that a file can be: each of its properties in turn, and the file itself.
  private static func breaks(of export: SystemExport) -> [Break] {
    export.files.sorted { $0.key < $1.key }.flatMap { file, records -> [Break] in
      let record = records.first ?? [:]
      let names = record.keys.sorted()
      let key = names.contains("id") ? "id" : "client_id"
      let wrong = open.contains(file) ? "broken" : "\(canary)-broken"
      let line =
        (try? JSONSerialization.data(withJSONObject: record)).map { String(decoding: $0, as: UTF8.self) }
        ?? ""
      return [
        // All properties at once, as texts, as objects, and as texts that no text of the server can be.
        Break("texts", file) { records in
          for name in names where name != "id" && name != "name" { records[0][name] = wrong }
        },
        Break("an id", file) { $0[0][key] = wrong },
        Break("objects", file) { records in
          for name in names where name != "id" { records[0][name] = [wrong: wrong] }
        },
        Break("NUL", file) { records in
          for name in names where name != "id" { records[0][name] = "\(wrong)\u{0}" }
        },
        Break("nothing", file) { $0[0] = ["notes": "\(canary)-alone"] },
        Break("cut off", file, behind: String(line.dropLast(line.count / 3))),
        Break("a property twice", file, behind: "{\"id\": \"\(canary)\", \"id\": \"\(canary)\"}"),
        Break("no JSON", file, behind: "\(canary) \(canary)"),
        Break("a second record", file) { $0.append($0[0]) },
      ]
        + names.filter { $0.hasSuffix("_id") && $0 != "key_id" }.map { name in
          Break("orphans by \(name)", file) { $0[0][name] = "11111111-1111-4111-8111-111111111111" }
        }
        + names.map { name in
          // What an event is called is for everybody.
          let isOpen = name == "name" && file == "analytics_events"
          return Break("\(name) broken", file) { $0[0][name] = isOpen ? "broken" : wrong }
        }
    }
  }

  /// What only the server's own rules have something against.
  private static let refused: [String: [Break]] = [
    "oncall": [Break("ends before it starts", "schedules") { $0[0]["ends_at"] = "2001-01-01T00:00:00Z" }],
    "ccc": [
      Break("ends before it starts", "calls") { $0[0]["ended_at"] = "2001-01-01T00:00:00Z" },
      Break("closes before it opens", "emergencies") { $0[0]["closed_at"] = "2001-01-01T00:00:00Z" },
    ],
    "doula": [Break("a token twice", "public_links") { $0[1]["token_sha256"] = $0[0]["token_sha256"] }],
  ]

  @Test("show in nothing that is said or written down", arguments: SystemExport.systems)
  func nothing(system: String) throws {
    let database = try SystemDatabase()
    let state = try Scratch()
    let program = Program(
      database: database.database.url, environment: ["RIVULET_STATE_DIR": state.path + "/state"])
    let export = try SystemExport(system, rows: 20)
    func look(_ outcome: Program.Outcome, _ what: String) {
      let text = outcome.output + outcome.errors
      guard let place = text.range(of: Self.canary) else { return }
      Issue.record("\(what): ...\(text[place.lowerBound...].prefix(80))")
    }
    func run(_ export: SystemExport, _ item: Break? = nil, _ options: String...) throws -> Program.Outcome {
      var export = export
      if let item { item.change(&export.files[item.file, default: []]) }
      let folder = try export.write(to: database.scratch, UUID().uuidString)
      if let item, !item.behind.isEmpty {
        let path = "\(folder)/\(item.file).ndjson"
        try (String(contentsOfFile: path, encoding: .utf8) + item.behind).write(
          toFile: path, atomically: true, encoding: .utf8)
      }
      return try program.run(["run", system, folder, "--no-refresh", "-v"] + options)
    }
    let good = try run(export)
    #expect(good.status == 0, "\(good.errors)")
    look(good, "a good export")

    var refusals = 0
    let form = ["--format", "json", "--log-format", "json"]
    // The broken file alone: what it refers to is there already.
    for (number, item) in (Self.breaks(of: export) + (Self.refused[system] ?? [])).enumerated() {
      var alone = export
      alone.files = [item.file: Array((export.files[item.file] ?? []).prefix(2))]
      let words = number.isMultiple(of: 2) ? form : []
      let outcome = try run(alone, item, words.isEmpty ? "--max-rejects=0" : "--max-rejects=100%")
      if outcome.status == 3 { refusals += 1 }
      #expect(
        [0, 3].contains(outcome.status), "\(item.file), \(item.name): \(outcome.status) \(outcome.errors)")
      look(outcome, "\(item.file), \(item.name)")
      if !words.isEmpty {
        look(
          try run(alone, item, "--dry-run", "--format", "json", "--log-format", "json"), "\(item.name), dry")
      }
    }
    #expect(refusals >= export.files.count * 2)

    let runs = try database.rows("SELECT run FROM rivulet.run ORDER BY run")
    look(try program.run("runs", "list"), "runs list")
    for number in runs.suffix(40) {
      look(try program.run("runs", "show", number, "--format", "json"), "runs show \(number)")
      look(try program.run("rejects", "list", number), "rejects list \(number)")
    }
    for table in try leaks(in: database.database) { Issue.record("\(table) holds it") }
    #expect(try !TestServer.shared.log().contains(Self.canary))
    // That it is looked for where it is: in the records that are kept for who may read them.
    let isOpen = export.files.keys.allSatisfy(Self.open.contains)
    #expect(
      try isOpen
        || database.rows(
          "SELECT count(*) > 0 FROM rivulet.reject WHERE position('\(Self.canary)'::bytea IN raw) > 0") == [
            "t"
          ]
    )
    for file in FileManager.default.enumerator(atPath: state.path)?.compactMap({ $0 as? String }) ?? [] {
      guard let data = FileManager.default.contents(atPath: state.path + "/" + file) else { continue }
      #expect(data.range(of: Data(Self.canary.utf8)) == nil, "\(file)")
    }
  }

  /// The columns of the program's own tables that hold a canary, but for the raw records.
  private func leaks(in database: TestDatabase) throws -> [String] {
    let connection = try database.connect()
    let tables = try connection.query(
      """
      SELECT c.relname FROM pg_class c
      WHERE c.relkind IN ('r', 'p', 'm') AND c.relnamespace = 'rivulet'::regnamespace
      """
    ).rows.map { try $0.value(0, String.self) }
    #expect(tables.contains("reject") && tables.contains("run"))
    return try tables.filter { table in
      let found = try connection.execute(
        """
        SELECT count(*) FROM rivulet.\(Quote.identifier(table)) t
        WHERE (to_jsonb(t) - 'raw')::text LIKE '%\(Self.canary)%'
        """)
      return try found[0].value(0, Int.self) > 0
    }
  }

  @Test("are kept in raw records that only the owner can read")
  func rights() throws {
    let database = try SystemDatabase()
    let connection = try database.database.connect()
    for role in ["anon", "authenticated"] {
      #expect(
        try connection.query("SELECT has_table_privilege($1, 'rivulet.reject', 'SELECT')", [.text(role)])[0]
          .value(0, Bool.self) == false)
    }
    let granted = try connection.execute(
      """
      SELECT count(*) FROM information_schema.role_table_grants
      WHERE table_schema = 'rivulet' AND table_name IN ('reject', 'reject_header') AND grantee = 'PUBLIC'
      """)
    #expect(try granted[0].value(0, Int.self) == 0)
  }
}
