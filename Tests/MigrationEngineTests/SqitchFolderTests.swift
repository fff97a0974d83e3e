import TestSupport
import Testing

@testable import MigrationEngine

/// Projects of sqitch, read and run.
@Suite("sqitch's projects")
struct SqitchFolderTests {
  private static let who = "2026-01-31T12:00:00Z A Name <a@example.org>"

  /// A plan of some lines, each to be ended by time and planner.
  private static func plan(_ lines: String...) -> String {
    "%syntax-version=1.0.0\n%project=fees\n\n" + lines.map { "\($0) \(who) # a note\n" }.joined()
  }

  private func project(_ plan: String, _ files: [String: String]) throws -> OwnMigrations {
    try OwnMigrations(files.merging(["sqitch.plan": plan]) { $1 })
  }

  @Test("runs changes in the order of the plan, with their checks, and back")
  func plan() throws {
    let folder = try project(
      SqitchFolderTests.plan("zz/first", "fees [zz/first]", "@v1", "last [fees !none fees:fees @v1]"),
      [
        "deploy/zz/first.sql": "-- Deploy\nBEGIN;\nCREATE TABLE a (n int);\nCOMMIT;\n",
        "revert/zz/first.sql": "BEGIN;\nDROP TABLE a;\nCOMMIT;\n",
        "verify/zz/first.sql":
          "BEGIN;\nINSERT INTO a VALUES (1);\nROLLBACK;\nBEGIN;\nSELECT 1 / (1 - count(*)) FROM a;\nROLLBACK;\n",
        "deploy/fees.sql": "CREATE TABLE b (n int);", "revert/fees.sql": "DROP TABLE b;",
        "deploy/last.sql": "CREATE TABLE c (n int);", "revert/last.sql": "DROP TABLE c;",
      ])
    #expect(try folder.labelsUp() == ["zz/first", "fees", "last"])
    #expect(try folder.tables() == "abc")
    // What a check does is rolled back.
    #expect(try folder.database.value("SELECT count(*) FROM a") == "0")
    try folder.engine().down(.version("fees")) { _, _ in }
    #expect(try folder.tables() == "ab")
    try folder.down(.version("0"))
    #expect(try folder.tables() == nil)
  }

  @Test("keeps nothing of a change whose check fails, and says where")
  func check() throws {
    let folder = try project(
      SqitchFolderTests.plan("a"),
      ["deploy/a.sql": "CREATE TABLE a (n int);", "verify/a.sql": "BEGIN;\n\nSELECT m FROM a;\nROLLBACK;"])
    #expect(complaint { try folder.labelsUp() }.hasPrefix("a.sql:3:8: the verify section fails"))
    #expect(try folder.tables() == nil)
  }

  @Test("leaves what is applied as it is when a change is reworked")
  func rework() throws {
    let folder = try project(
      SqitchFolderTests.plan("f"),
      ["deploy/f.sql": "CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1';"])
    #expect(try folder.labelsUp() == ["f"])
    try folder.scratch.write("sqitch.plan", SqitchFolderTests.plan("f", "@v1", "@v2", "f [f@v1]"))
    try folder.scratch.write(
      "deploy/f@v2.sql", "CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1';")
    try folder.scratch.write(
      "deploy/f.sql", "CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 2';")
    #expect(try folder.engine().status().applied.map(\.state) == [.applied])
    #expect(try folder.labelsUp() == ["f#2 f"])
    #expect(try folder.database.value("SELECT f()") == "2")
  }

  @Test("finds plan and scripts where sqitch.conf says they are")
  func settings() throws {
    let folder = try OwnMigrations([
      "sqitch.conf":
        "[core]\n\tengine = pg\n\t# top_dir = x\n\ttop_dir = db ; here\n[engine \"pg\"]\n\tdeploy_dir = \"sql/do\"\n",
      "db/sqitch.plan": SqitchFolderTests.plan("a"), "sql/do/a.sql": "CREATE TABLE a (n int);",
      "db/revert/a.sql": "DROP TABLE a;",
    ])
    #expect(try folder.labelsUp() == ["a"])
    try folder.down(.version("0"))
    #expect(try folder.tables() == nil)
  }

  @Test(
    "refuses a plan that does not hold together",
    arguments: [
      ("a [b]\nb", "sqitch.plan:4: 'a' needs 'b', which does not come before it"),
      ("a\nb [!a]", "sqitch.plan:5: 'b' conflicts with 'a'"),
      ("a [other:x]", "sqitch.plan:4: 'a' depends on another project, 'other:x'"),
      ("a\na", "sqitch.plan:5: change 'a' is there already, in line 4"),
      ("a\n@v\n@v", "sqitch.plan:6: tag @v is there already"),
      ("@v", "sqitch.plan:4: tag @v comes before any change"),
      ("a\n-a", "sqitch.plan:5: a change that is reverted in the plan"),
      ("a:b", "sqitch.plan:4: 'a:b' is not a change's name"),
      ("missing", "sqitch.plan:4: change 'missing' has no script"),
      ("a", "b.sql: no change of the plan has this script"),
    ])
  func refusals(lines: String, sentence: String) throws {
    let text = lines.split(separator: "\n").map { "\($0) \(SqitchFolderTests.who)\n" }.joined()
    let folder = try project(
      "%syntax-version=1.0.0\n%project=fees\n\n" + text,
      ["deploy/a.sql": "SELECT 1;", "deploy/b.sql": "SELECT 1;"])
    let found = complaint { try folder.open().requireRunnable() }
    #expect(found.contains(sentence), "\(found)")
  }

  @Test("refuses a line without a planner, and a project for another database")
  func notOurs() throws {
    let plain = try project("%project=fees\n\na\n", ["deploy/a.sql": ""])
    #expect(complaint { try plain.open() }.contains("sqitch.plan:3: a change without time and planner"))
    let other = try OwnMigrations(["sqitch.conf": "[core]\nengine = sqlite\n"])
    #expect(complaint { try other.open() }.contains("sqitch.conf: this project is for 'sqlite'"))
  }
}
