import Foundation
import TestSupport
import Testing

/// `rivulet migrate lint`, with no database anywhere near.
@Suite("The lint command")
struct LintCommandTests {
  private let scratch: Scratch
  private let program = Program()

  init() throws { scratch = try Scratch() }

  private func write(_ name: String, _ up: String) throws {
    try scratch.write(name, "-- rivulet:up\n\(up)\n-- rivulet:down\nSELECT 1;\n")
  }

  /// The schemas of the five systems have triggers, and policies that ask who somebody is, and Citus has no
  /// such: they live on one server, and the reference data may be spread.
  private static func sharedVersions() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: SharedData.project + "/Migrations")
      .compactMap { Int($0.prefix(4)) }.filter { $0 < 30 }.sorted().map(String.init)
  }

  @Test("finds nothing in the project's own migrations", arguments: [false, true])
  func ownMigrations(forCitus: Bool) throws {
    let run = try program.run(
      ["migrate", "lint"] + (forCitus ? ["--citus"] + Self.sharedVersions() : [])
    ).succeeded()
    #expect(run.output == "0 errors, 0 notices\n")
  }

  @Test("prints the manual that lies in the documentation")
  func manual() throws {
    let run = try program.run("migrate", "lint", "--rules")
    let page = try String(contentsOfFile: SharedData.project + "/Documentation/Lint.md", encoding: .utf8)
    #expect(run.output == page, "rivulet migrate lint --rules > Documentation/Lint.md")
  }

  @Test("ends with 5 at an error, and names place, rule and fix; with 0 where there are only notices")
  func error() throws {
    try write("0001_a.sql", "ALTER TABLE s.t RENAME TO u;")
    let notice = try program.run("migrate", "lint", "--dir", scratch.path).succeeded()
    #expect(notice.output.contains("0001_a.sql:2:17: rename (notice): programs that use s.t fail"))
    #expect(notice.output.hasSuffix("0 errors, 1 notice\n"))
    try write("0001_a.sql", "CREATE TABLE s.t (b int);")
    try write("0002_b.sql", "CREATE INDEX t_b ON s.t (b);")
    let run = try program.run("migrate", "lint", "--dir", scratch.path).failed(5)
    #expect(
      run.output == """
        \(scratch.path)/0002_b.sql:2:1: index-without-concurrently: writers of s.t wait until the index is built
          instead: CREATE INDEX CONCURRENTLY in a migration of its own; it runs outside a transaction by itself
        1 error, 0 notices

        """)
    let object = try program.run("migrate", "lint", "--dir", scratch.path, "--format", "json").object()
    #expect(object["errors"] as? Int == 1)
    let finding = try #require((object["findings"] as? [[String: Any]])?.first)
    #expect(
      Set(finding.keys) == ["rule", "severity", "file", "line", "column", "message", "fix", "version"])
    #expect(finding["version"] as? String == "0002" && finding["line"] as? Int == 2)
    try program.run("migrate", "lint", "0001", "--dir", scratch.path).succeeded()
    try program.run("migrate", "lint", "0003", "--dir", scratch.path).failed(2)
  }

  @Test("finds a column whose changes a derived view captures, though its query does not name it")
  func captured() throws {
    try scratch.write("rivulet.yaml", "project: own\ntime_zone: UTC\n")
    for (name, text) in OwnDataset.files where name.hasPrefix("Pipelines") { try scratch.write(name, text) }
    try scratch.write(
      "Pipelines/items/views/own.notes.sql",
      """
      /* rivulet view
      strategy: incremental
      description: Notes by person
      key: [person]
      sources:
        own.note: {capture: [visit], keys: SELECT v.person FROM changed JOIN own.visit v USING (visit)}
      */
      SELECT k.person, count(*) AS notes FROM {keys} k JOIN own.visit v USING (person) GROUP BY 1
      """)
    try write("Migrations/0001_drop.sql", "ALTER TABLE own.note DROP COLUMN visit;")
    let run = try program.run("migrate", "lint", "--project", scratch.path)
    #expect(
      run.output.contains("drop-column-in-view: the view own.notes uses own.note.visit"),
      "\(run.output) \(run.errors)")
  }

  @Test("finds a column that a derived view of a pipeline uses, and names files from the project")
  func derivedView() throws {
    for part in ["rivulet.yaml", "Data", "Migrations", "Pipelines"] {
      try FileManager.default.copyItem(
        atPath: SharedData.project + "/" + part, toPath: scratch.path + "/" + part)
    }
    try write("Migrations/0900_drop.sql", "ALTER TABLE cms.rvu DROP COLUMN work_rvu;")
    let run = try program.run("migrate", "lint", "--project", scratch.path).failed(5)
    #expect(
      run.output.contains(
        "Migrations/0900_drop.sql:2:21: drop-column-in-view: the view cms.current_rvu uses cms.rvu.work_rvu\n"
      ))
    #expect(!run.output.contains(scratch.path))
  }
}
