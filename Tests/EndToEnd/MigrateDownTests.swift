import Foundation
import PostgreSQL
import TestSupport
import Testing

/// `rivulet migrate down` and `redo` where rows go with what they revert.
@Suite("rivulet migrate down")
struct MigrateDownTests {
  private let database: TestDatabase
  private let program: Program
  private let folder: Scratch

  init() throws {
    database = try TestServer.shared.makeDatabase()
    program = Program(database: database.url)
    folder = try Scratch()
    try folder.write(
      "0001_a.sql", "-- rivulet:up\nCREATE TABLE public.a (n int);\n-- rivulet:down\nDROP TABLE public.a;\n")
    try folder.write(
      "0002_b.sql",
      "-- rivulet:up\nALTER TABLE public.a ADD m int;\n-- rivulet:down\nALTER TABLE public.a DROP m;\n")
    try migrate("up").succeeded()
  }

  private func migrate(_ words: String...) throws -> Program.Outcome {
    try program.run(["migrate"] + words + ["--dir", folder.path])
  }

  /// At a terminal, where the user answers.
  private func migrate(_ words: String..., answer: String) throws -> Program.Outcome {
    try program.start(["migrate"] + words + ["--dir", folder.path], typing: answer).wait()
  }

  private func versions() throws -> String? {
    try database.value("SELECT string_agg(version, ' ' ORDER BY version) FROM rivulet.migration")
  }

  @Test("says in a dry run what would go, and changes nothing")
  func dryRun() throws {
    try database.connect().execute("INSERT INTO a VALUES (1, NULL), (2, 2), (3, 3)")
    let text = try migrate("down", "--to", "0", "--dry-run").succeeded().output
    #expect(
      text == """
        would revert 0002 b
          drops column public.a.m (2 rows)
        would revert 0001 a
          drops table public.a (3 rows)
        2 migrations tried; all is as it was

        """)
    let object = try migrate("redo", "--dry-run", "--format", "json").object()
    #expect(object["dry_run"] as? Bool == true)
    let steps = try #require(object["steps"] as? [[String: Any]])
    #expect(steps.map { $0["direction"] as? String } == ["down", "up"])
    let loss = try #require((steps[0]["losses"] as? [[String: Any]])?.first)
    #expect(loss["loss"] as? String == "drop_column" && loss["column"] as? String == "m")
    #expect(loss["table"] as? String == "public.a" && loss["rows"] as? Int == 2)
    #expect(loss["counted"] as? Bool == true && (steps[1]["losses"] as? [Any])?.isEmpty == true)
    #expect(try versions() == "0001 0002")
    #expect(try database.value("SELECT sum(m)::text FROM a") == "5")
  }

  @Test("asks at a terminal where rows go, and only there; --yes does it without a question")
  func question() throws {
    // A column without a value is no loss.
    try database.connect().execute("INSERT INTO a VALUES (1, NULL)")
    let silent = try migrate("down", answer: "")
    #expect(silent.status == 0 && !silent.output.contains("[y/N]"), "\(silent.output)")
    #expect(try versions() == "0001")
    let declined = try migrate("down", answer: "n\n")
    #expect(declined.status == 1 && declined.output.contains("drops table public.a (1 row)"))
    #expect(declined.output.contains("lose these rows for good? [y/N]"), "\(declined.output)")
    let redone = try migrate("redo", answer: "\n")
    #expect(redone.status == 1 && redone.output.contains("nothing was changed"), "\(redone.output)")
    #expect(try versions() == "0001")
    #expect(try migrate("down", answer: "y\n").status == 0)
    #expect(try versions() == nil)
    try migrate("up").succeeded()
    try database.connect().execute("INSERT INTO a VALUES (1, 1)")
    let unasked = try migrate("down", "--yes", answer: "")
    #expect(unasked.status == 0 && !unasked.output.contains("[y/N]"), "\(unasked.output)")
    // A script is not asked.
    #expect(try migrate("down").succeeded().output == "1 migration reverted; 2 pending\n")
  }

  @Test("is forewarned by plan and verify")
  func forewarned() throws {
    try database.connect().execute("INSERT INTO a VALUES (1, 1); ANALYZE a")
    try folder.write(
      "0003_c.sql",
      "-- rivulet:up\nALTER TABLE public.a DROP m;\n-- rivulet:down\nALTER TABLE public.a ADD m int;\n")
    let plan = try migrate("plan", "--here").succeeded().output
    #expect(plan.contains("\n  drops column public.a.m (about 1 row)\n"), "\(plan)")
    let planned = try migrate("plan", "--here", "--format", "json").object()["migrations"] as? [[String: Any]]
    let loss = try #require((planned?.last?["losses"] as? [[String: Any]])?.first)
    #expect(loss["rows"] as? Int == 1 && loss["counted"] as? Bool == false)
    let verify = try migrate("verify", "--here").succeeded().output
    #expect(
      verify.hasSuffix(
        """
        0003 c: up, down, up: ok
          warning: down makes column public.a.m again without the values that up drops with it
        3 migrations verified, 1 of them with a way back that does not bring rows back

        """), "\(verify)")
  }
}
