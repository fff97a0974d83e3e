import Foundation
import TestSupport
import Testing

/// Large projects: a thousand pipelines, and one of two hundred columns.
@Suite("A large project")
struct ManyDefinitionsTests {
  private static let megabyte = 1 << 20

  @Test("of a thousand pipelines is listed, checked and run in little memory, and a mistake in one is found")
  func pipelines() throws {
    let own = try OwnProject(NumberedPipelines.files(1000, tables: 2))
    try own.command("migrate", "up").succeeded()
    try NumberedPipelines.write(["R202501"], in: own)
    let words = ["--format", "json"] + own.project
    func lean(_ command: String...) throws -> Program.Outcome {
      let (outcome, peak) = try own.program.start(command + words).waitMeasuring()
      #expect(peak < 96 * Self.megabyte, "\(command)")
      return outcome
    }
    let list = try lean("pipelines", "list").succeeded().object()["pipelines"] as? [Any]
    #expect(list?.count == 1000)
    #expect((try lean("pipelines", "check").succeeded().object()["checked"] as? [Any])?.count == 1000)
    let run = try lean("run", "items2", own.path("R202501")).succeeded()
    #expect(try run.at("state") == "published")
    try lean("refresh").succeeded()
    try lean("nightly").succeeded()
    try own.edit("Pipelines/items777/pipeline.yaml", "publish: release", to: "publish: never")
    try lean("pipelines", "check").failed(2, saying: "Pipelines/items777/pipeline.yaml:7")
    // It is none of the others' business.
    #expect(try lean("run", "items2", own.path("R202501")).succeeded().at("state") == "unchanged")
    try lean("run", "items1001", own.path("R202501")).failed(2, saying: "there is no pipeline 'items1001'")
  }

  @Test("of one pipeline with two hundred columns loads each value into its column")
  func columns() throws {
    let names = (1...200).map { "c\($0)" }
    var files = NumberedPipelines.files(1)
    files["Pipelines/items1/layouts/items.yaml"] = OwnProject.layout(
      "items",
      columns: ["name: code, csv: CODE, type: text, required: true"]
        + names.map { "name: \($0), csv: \($0.uppercased()), type: 'decimal(8,2)', required: true" })
    files["Migrations/0001_many.sql"] = OwnProject.migration(
      "many",
      making: OwnProject.table(
        "many.items1", "code text, " + names.map { "\($0) numeric(8,2) NOT NULL" }.joined(separator: ", "),
        key: "code"))
    let own = try OwnProject(files)
    try own.command("migrate", "up").succeeded()
    let header = (["CODE"] + names.map { $0.uppercased() }).joined(separator: ",")
    let records = (1...2_000).map { record in
      (["R\(record)"] + (1...200).map { "\(record * 7 % 1000 + $0).5" }).joined(separator: ",")
    }
    try own.scratch.write("R202501/ITEM.csv", ([header] + records).joined(separator: "\n") + "\n")
    let words = ["run", "items1", own.path("R202501")] + own.project
    let (outcome, peak) = try own.program.start(words).waitMeasuring()
    try outcome.succeeded()
    #expect(peak < 96 * Self.megabyte)
    let wrong = names.enumerated().map { place, name in
      "\(name) <> substr(code, 2)::int * 7 % 1000 + \(place + 1) + 0.5"
    }
    #expect(
      try own.value(
        "SELECT count(*) || ' ' || count(*) FILTER (WHERE \(wrong.joined(separator: " OR "))) FROM many.items1"
      )
        == "2000 0")
    try own.command("pipelines", "show", "items1").succeeded(showing: "c200")
    // The last of them is wrong, and named.
    try own.edit("R202501/ITEM.csv", records[1_999], to: records[1_999] + "x")
    try own.load("items1", "R202501", options: ["--force"]).failed(3, saying: "c200", "2001")
  }
}
