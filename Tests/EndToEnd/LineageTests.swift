import Foundation
import Glibc
import TestSupport
import Testing

/// What `--openlineage` writes and sends.
@Suite("Events of OpenLineage")
struct LineageTests {
  private let night: Night
  private let file: String

  init() throws {
    night = try Night()
    file = night.path("events.ndjson")
  }

  private func run(
    _ folder: String, to sink: String? = nil, _ options: String..., environment: [String: String] = [:]
  ) throws -> Program.Outcome {
    let all = environment.merging(["no_proxy": "*"]) { $1 }
    return try Program(database: night.database.url, environment: all).run(
      ["run", "items", night.path(folder), "--openlineage", sink ?? file] + options + night.project)
  }

  @Test("of a run say what it reads and writes: fields, columns, counts, rules and which is from which")
  func complete() throws {
    try night.write("items25a", ["ITEM.csv": Night.item("a001") + "\n" + Night.bad("a002")])
    try run("items25a", "--max-rejects", "1").succeeded()
    let events = try LineageEvents(file: file)
    #expect(events.types == ["START items", "COMPLETE items"])
    #expect(Set(events.runs).count == 1)
    #expect(
      events.runs[0].wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/)
        != nil)
    let end = events.all[1]
    func at(_ path: Any...) -> Any? { path.reduce(end as Any?) { LineageEvents.value($0, $1) } }
    #expect(at("job", "namespace") as? String == "own")
    #expect(at("run", "facets", "rivulet_run", "release") as? String == "2025A")
    #expect(at("inputs", 0, "namespace") as? String == "file")
    #expect(at("inputs", 0, "name") as? String == night.path("items25a/ITEM.csv"))
    #expect(at("inputs", 0, "inputFacets", "inputStatistics", "rowCount") as? Int == 2)
    #expect(at("inputs", 0, "facets", "schema", "fields", 0, "name") as? String == "CODE")
    let rules = try #require(
      at("inputs", 0, "inputFacets", "dataQualityAssertions", "assertions") as? [[String: Any]])
    #expect(
      !rules.isEmpty && rules.allSatisfy { $0["success"] is Bool && $0["severity"] is String }, "\(rules)")

    let tables = try #require(end["outputs"] as? [[String: Any]])
    let item = try #require(tables.first { ($0["name"] as? String)?.hasSuffix(".own.item") == true })
    let name = try night.value("SELECT current_database() || '.own.item'")
    #expect(item["name"] as? String == name)
    #expect((item["namespace"] as? String)?.hasPrefix("postgres://") == true)
    #expect(LineageEvents.value(item, "outputFacets", "outputStatistics", "rowCount") as? Int == 1)
    #expect(LineageEvents.value(item, "facets", "version", "datasetVersion") as? String == "2025A revision 1")
    let columns = LineageEvents.value(item, "facets", "schema", "fields") as? [[String: String]]
    #expect(columns?.contains(["name": "words", "type": "text"]) == true)
    let origin =
      LineageEvents.value(
        item, "facets", "columnLineage", "fields", "words", "inputFields", 0) as? [String: Any]
    #expect(
      origin?["field"] as? String == "WORDS"
        && origin?["name"] as? String == at("inputs", 0, "name") as? String)
  }

  @Test("of a run that fails have its reason without a value of a record, also where nothing could be read")
  func fails() throws {
    try night.write("items25a", ["ITEM.csv": Night.bad("a002")])
    try run("items25a").failed(3)
    try night.write("items25b", ["NOTHING.csv": "a"])
    try run("items25b").failed(3)
    let events = try LineageEvents(file: file)
    #expect(events.types == ["START items", "FAIL items", "START items", "FAIL items"])
    #expect(events.runs[0] == events.runs[1] && events.runs[2] == events.runs[3])
    #expect(events.runs[0] != events.runs[2])
    let reason = LineageEvents.value(events.all[1], "run", "facets", "errorMessage", "message") as? String
    #expect(reason?.contains("1 of 1 records were refused") == true)
    #expect(try !String(contentsOfFile: file, encoding: .utf8).contains("expensive"))
  }

  @Test("are posted to a server with the key of the environment, which is in no message")
  func posted() throws {
    let server = try LoopbackServer { _ in .init(201) }
    try night.write("items25a", ["ITEM.csv": Night.item("a001")])
    try run(
      "items25a", to: server.address + "/api/v1/lineage", "-v",
      environment: ["OPENLINEAGE_API_KEY": "secret-key", "OPENLINEAGE_NAMESPACE": "elsewhere"]
    ).succeeded().withholding("secret-key")
    let requests = server.requests(for: "/api/v1/lineage")
    #expect(requests.allSatisfy { $0.method == "POST" && $0.fields["content-type"] == "application/json" })
    #expect(requests.allSatisfy { $0.fields["authorization"] == "Bearer secret-key" })
    let events = try LineageEvents(
      requests.map { String(decoding: $0.body, as: UTF8.self) }.joined(separator: "\n"))
    #expect(events.types == ["START items", "COMPLETE items"])
    #expect(LineageEvents.value(events.all[0], "job", "namespace") as? String == "elsewhere")
  }

  @Test("that do not arrive are warnings without what may be secret, and the run is as good as any")
  func undelivered() throws {
    try night.write("items25a", ["ITEM.csv": Night.item("a001")])
    try run("items25a", to: "http://127.0.0.1:1/secret-key")
      .succeeded(saying: "warning: --openlineage: http://127.0.0.1:1: ", "no more events are sent")
      .withholding("secret-key")
    #expect(try night.value("SELECT count(*) FROM own.item") == "1")
    try run("items25a", to: night.path("no/events.ndjson")).failed(2, saying: "--openlineage takes")
  }

  @Test("of views say what each is computed from; those of a night name it as what started them")
  func views() throws {
    let views = try OwnViews()
    try views.own.scratch.write(
      "rivulet.yaml", "project: own\ntime_zone: UTC\nwatch: [{pipeline: items, folder: incoming}]\n")
    try views.own.write("incoming", ["ITEM_25a_.csv": Night.item("a001")])
    try FileManager.default.setAttributes(
      [.modificationDate: Date.now.addingTimeInterval(-3600)],
      ofItemAtPath: views.own.path("incoming/ITEM_25a_.csv"))
    try views.own.command("nightly", "--openlineage", file).succeeded()
    let events = try LineageEvents(file: file)
    #expect(events.types.first == "START nightly" && events.types.last == "COMPLETE nightly")
    #expect(events.types[1...2] == ["START items", "COMPLETE items"], "\(events.types)")
    for event in events.all.dropFirst().dropLast() {
      #expect(
        LineageEvents.value(event, "run", "facets", "parent", "run", "runId") as? String == events.runs[0])
    }
    let refresh = try #require(events.types.firstIndex(of: "COMPLETE own.by_words"))
    #expect(
      events.types[refresh - 1] == "START own.by_words" && events.runs[refresh - 1] == events.runs[refresh])
    let event = events.all[refresh]
    func names(_ list: String) -> [String] {
      (event[list] as? [[String: Any]] ?? []).compactMap { ($0["name"] as? String)?.split(separator: ".") }
        .map { $0.dropFirst().joined(separator: ".") }
    }
    #expect(names("inputs") == ["own.item"] && names("outputs") == ["own.by_words"])
    #expect(
      LineageEvents.value(event, "outputs", 0, "outputFacets", "outputStatistics", "rowCount") as? Int == 1)
  }

  @Test("of a replay are those of a job of its own")
  func replay() throws {
    try night.write("items25a", ["ITEM.csv": Night.item("a001") + "\n" + Night.bad("a002")])
    try run("items25a", to: "/dev/null", "--max-rejects", "1").succeeded()
    try night.command("rejects", "export", "1", "-o", night.path("fixed.csv")).succeeded()
    try night.edit("fixed.csv", "expensive", to: "2.00")
    try night.command("rejects", "replay", "1", night.path("fixed.csv"), "--openlineage", file).succeeded()
    let events = try LineageEvents(file: file)
    #expect(events.types == ["START items.replay", "COMPLETE items.replay"])
  }

  @Test("say of a run that is ended from outside that it is, also to a server")
  func interrupted() throws {
    let server = try LoopbackServer { _ in .init(201) }
    let records = (0..<200_000).map { Night.item("\($0)") }.joined(separator: "\n")
    try night.put("ITEM_25a_.csv", records)
    let started = try night.start("--openlineage", server.address + "/")
    try #require(
      try night.database.finds(
        """
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
          AND query LIKE 'COPY "own"."item\\_%'
        """))
    started.signal(SIGTERM)
    try started.wait().failed(130)
    let events = try LineageEvents(
      server.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined(separator: "\n"))
    #expect(events.types == ["START nightly", "START items", "ABORT items", "ABORT nightly"])
  }
}
