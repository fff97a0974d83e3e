import TestSupport
import Testing

@testable import MigrationEngine

/// Files of our own that run around migrations, or in every run.
@Suite("Hooks")
struct HookTests {
  private static func note(_ what: String) -> String { "INSERT INTO log (what) VALUES ('\(what)');" }

  @Test("run before and after all, and before and after each in its transaction, several by name")
  func order() throws {
    let folder = try OwnMigrations([
      "H_before_all.sql": "CREATE TABLE IF NOT EXISTS log (n int GENERATED ALWAYS AS IDENTITY, what text);",
      "H_before_all_2.sql": HookTests.note("before"),
      "H_before_each.sql": "-- rivulet:up placeholders=on\n" + HookTests.note("each ${x}"),
      "H_after_each_grants.sql": HookTests.note("done"), "H_after_all.sql": HookTests.note("after"),
      "0001_a.sql": "-- rivulet:up\n" + HookTests.note("1"), "R_v.sql": HookTests.note("v"),
      "R_w.sql": "-- rivulet:up run=always\n" + HookTests.note("w"),
    ])
    #expect(try folder.labelsUp(["x": "y"]) == ["0001 a", "R v", "R w"])
    #expect(try folder.log() == "before each y 1 done each y v done each y w done after")
    // What runs always is pending for nobody.
    #expect(try folder.engine().status().isInStep)
    #expect(try folder.labelsUp(["x": "y"]) == ["R w"])
    #expect(try folder.log()?.hasSuffix("before each y w done after") == true)
    try folder.scratch.write("0002_b.sql", "-- rivulet:up\nSELECT 1 / 0;")
    #expect(complaint { try folder.labelsUp(["x": "y"]) }.contains("22012"))
    #expect(try folder.log()?.hasSuffix("after before") == true)
  }

  @Test(
    "are refused where they are misnamed or cannot be run",
    arguments: [
      ("H_before.sql", "", "H_before.sql: not a migration's name"),
      ("H_after_all.sql", "SELECT 'x;", "H_after_all.sql:1:8: a quote begins here"),
      ("0001_a.sql", "-- rivulet:up run=always\n", "0001_a.sql:1: run=always is for a repeatable migration"),
    ])
  func refusals(name: String, text: String, sentence: String) throws {
    let folder = try OwnMigrations([name: text, "0002_b.sql": "-- rivulet:up\nSELECT 1;"])
    #expect(complaint { try folder.labelsUp() }.hasPrefix(sentence))
    #expect(try folder.engine().status().pending.contains { $0.name == "b" })
  }

  @Test("a new migration may have the time for its version")
  func timestamp() throws {
    let folder = try OwnMigrations(["0001_a.sql": "-- rivulet:up\nSELECT 1;"])
    let path = try folder.open().writeNew("add b", hasTimestamp: true)
    #expect(path.contains(/\/20[0-9]{12}_add_b\.sql$/))
    #expect(try folder.open().migrations.map(\.name) == ["a", "add_b"])
  }
}
