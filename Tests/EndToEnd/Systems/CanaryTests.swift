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
    let file: String
    let name: String
    /// Text behind the records.
    var behind = ""
    var change: @Sendable (inout [SystemExport.Record]) -> Void = { _ in }
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
        Break(file: file, name: "texts") { records in
          for name in names where name != "id" && name != "name" { records[0][name] = wrong }
        },
        Break(file: file, name: "an id") { $0[0][key] = wrong },
        Break(file: file, name: "objects") { records in
          for name in names where name != "id" { records[0][name] = [wrong: wrong] }
        },
        Break(file: file, name: "NUL") { records in
          for name in names where name != "id" { records[0][name] = "\(wrong)\u{0}" }
        },
        Break(file: file, name: "nothing") { $0[0] = ["notes": "\(canary)-alone"] },
        Break(file: file, name: "cut off", behind: String(line.dropLast(line.count / 3))),
        Break(file: file, name: "a property twice", behind: "{\"id\": \"\(canary)\", \"id\": \"\(canary)\"}"),
        Break(file: file, name: "no JSON", behind: "\(canary) \(canary)"),
        Break(file: file, name: "a second record") { $0.append($0[0]) },
      ]
        + names.filter { $0.hasSuffix("_id") && $0 != "key_id" }.map { name in
          Break(file: file, name: "orphans by \(name)") {
            $0[0][name] = "11111111-1111-4111-8111-111111111111"
          }
        }
        + names.map { name in
          // What an event is called is for everybody.
          let isOpen = name == "name" && file == "analytics_events"
          return Break(file: file, name: "\(name) broken") { $0[0][name] = isOpen ? "broken" : wrong }
        }
    }
  }

  /// What only the server's own rules have something against.
  private static let refused: [String: [Break]] = [
    "oncall": [
      Break(file: "schedules", name: "ends before it starts") { $0[0]["ends_at"] = "2001-01-01T00:00:00Z" }
    ],
    "ccc": [
      Break(file: "calls", name: "ends before it starts") { $0[0]["ended_at"] = "2001-01-01T00:00:00Z" },
      Break(file: "emergencies", name: "closes before it opens") {
        $0[0]["closed_at"] = "2001-01-01T00:00:00Z"
      },
    ],
    "doula": [
      Break(file: "public_links", name: "a token twice") { $0[1]["token_sha256"] = $0[0]["token_sha256"] }
    ],
  ]

  @Test("show in nothing that is said or written down", arguments: SystemExport.systems)
  func nothing(system: String) throws {
    let database = try SystemDatabase()
    // The server logs every statement with its parameters, and of errors all that it knows.
    try database.execute(
      """
      ALTER DATABASE \(database.database.name) SET log_statement = 'all';
      ALTER DATABASE \(database.database.name) SET log_error_verbosity = 'verbose';
      ALTER DATABASE \(database.database.name) SET log_parameter_max_length_on_error = -1
      """)
    let state = try Scratch()
    let program = Program(
      database: database.database.url, environment: ["RIVULET_STATE_DIR": state.path + "/state"])
    let export = try SystemExport(system, rows: 20)
    func run(_ export: SystemExport, _ item: Break? = nil, _ options: String...) throws -> Program.Outcome {
      var export = export
      if let item { item.change(&export.files[item.file, default: []]) }
      let folder = try export.write(to: database.scratch, UUID().uuidString, behind: item?.behind ?? "")
      let machines = ["--metrics", state.path + "/run.prom", "--openlineage", state.path + "/events.ndjson"]
      return try program.run(["run", system, folder, "--no-refresh", "-v"] + machines + options)
    }
    // What a command says, and writes into the ledger, is looked at after each: by `Program` and `LedgerGuard`.
    try run(export).succeeded()
    var refusals = 0
    // The broken file alone: what it refers to is there already.
    for (number, item) in (Self.breaks(of: export) + (Self.refused[system] ?? [])).enumerated() {
      var alone = export
      alone.files = [item.file: Array((export.files[item.file] ?? []).prefix(2))]
      let isLenient = number.isMultiple(of: 2)
      let outcome = try run(alone, item, isLenient ? "--max-rejects=100%" : "--max-rejects=0")
      if outcome.status == 3 { refusals += 1 }
      #expect(
        [0, 3].contains(outcome.status), "\(item.file), \(item.name): \(outcome.status) \(outcome.errors)")
      if isLenient { _ = try run(alone, item, "--dry-run", "--format", "json", "--log-format", "json") }
    }
    #expect(refusals >= export.files.count * 2)

    _ = try program.run("runs", "list")
    for number in try database.rows("SELECT run FROM rivulet.run ORDER BY run").suffix(40) {
      _ = try program.run("runs", "show", number, "--format", "json")
      _ = try program.run("rejects", "list", number)
    }
    let log = try TestServer.shared.log()
    #expect(
      !log.contains(Self.canary),
      "\(log[(log.range(of: Self.canary)?.lowerBound ?? log.endIndex)...].prefix(200))")
    #expect(log.contains("statement: ") && log.contains("LOCATION: "))
    // What is captured for views does not have it either.
    try database.expect(
      """
      SELECT oid::regclass FROM pg_class
      WHERE relkind IN ('r', 'p', 'm') AND relnamespace = 'rivulet'::regnamespace
        AND query_to_xml(format('SELECT to_jsonb(t) - ''raw'' FROM %s t', oid::regclass), false, true, '')::text
          LIKE '%\(Self.canary)%'
      """)
    // That it is looked for where it is: in the records that are kept for who may read them.
    if !export.files.keys.allSatisfy(Self.open.contains) {
      try database.expect(
        "SELECT count(*) > 0 FROM rivulet.reject WHERE position('\(Self.canary)'::bytea IN raw) > 0", "t")
    }
    for file in FileManager.default.enumerator(atPath: state.path)?.compactMap({ $0 as? String }) ?? [] {
      guard let data = FileManager.default.contents(atPath: state.path + "/" + file) else { continue }
      #expect(data.range(of: Data(Self.canary.utf8)) == nil, "\(file)")
    }
  }
}
