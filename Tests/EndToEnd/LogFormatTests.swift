import Foundation
import TestSupport
import Testing

/// The log as programs read it.
@Suite("The log in JSON")
struct LogFormatTests {
  private static let levels: Set<String> = ["debug", "info", "warning", "error"]

  /// The lines of the log, each of which must be an object with a time, a level and a message.
  private func lines(
    _ outcome: Program.Outcome, at place: SourceLocation = #_sourceLocation
  ) throws -> [[String: Any]] {
    try outcome.errors.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { text in
      let parsed = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      let line = try #require(parsed, "\(text)", sourceLocation: place)
      let time = line["time"] as? String ?? ""
      #expect(
        time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil, "\(text)", sourceLocation: place
      )
      #expect(Self.levels.contains(line["level"] as? String ?? ""), "\(text)", sourceLocation: place)
      #expect((line["message"] as? String ?? "").isEmpty == false, "\(text)", sourceLocation: place)
      return line
    }
  }

  @Test("is one object a line, whatever the command, also of a command line that is wrong")
  func everyLine() throws {
    let (database, program) = try Loaded.sample()
    let form = ["--log-format", "json"]
    for (command, status) in [
      (["runs", "list", "-v"], 0), (["run", "cms-rvu", Sample.path, "-v"], 0), (["refresh", "-v"], 0),
      (["migrate", "up", "-v"], 0), (["migrate", "status"], 0), (["nightly", "-v"], 0),
      (["run", "cms-rvu", "/nowhere"], 6), (["run", "nothing", Sample.path], 2), (["run"], 2),
      (["migrate"], 2), ([], 2), (["bogus"], 2), (["runs", "list", "--bogus"], 2), (["query", "nothing"], 2),
      (["rejects", "replay", "1", "/nowhere"], 6), (["refresh", "--check"], 0),
      (["releases", "rollback", "cms-rvu", "--format", "json"], 0),
    ] as [([String], Int32)] {
      let outcome = try program.run(command + form)
      #expect(outcome.status == status, "\(command): \(outcome.errors)")
      let log = try lines(outcome)
      let errors = log.filter { $0["level"] as? String == "error" }
      #expect(errors.count == (status == 0 ? 0 : 1), "\(command): \(outcome.errors)")
      if let error = errors.first {
        #expect((error["error"] as? [String: Any])?["code"] as? Int == Int(status), "\(command)")
      } else {
        #expect(outcome.errors.contains("(RIVULET_DATABASE_URL)"), "the line that names the database")
      }
    }
    // Where the option itself is joined to its value, and no database is to be had.
    let nowhere = try Program(database: "postgresql://nobody@127.0.0.1:1/nothing").run(
      "runs", "list", "--log-format=json")
    #expect(try lines(nowhere.failed(1)).last?["level"] as? String == "error")
    let none = try Program().run("runs", "list", "--log-format=json").failed(2)
    #expect(try lines(none).count == 1)
    _ = database
  }

  @Test("says which pipeline, run and stage a line is about")
  func subject() throws {
    let night = try Night()
    try night.write("25a", ["ITEM_25a_.csv": Night.item("a001") + "\n" + Night.bad("a002")])
    func run(_ options: String...) throws -> Program.Outcome {
      try night.program.run(
        ["run", "items", night.path("25a"), "--release", "2025A", "--log-format", "json"] + options
          + night.project)
    }
    let refused = try lines(run().failed(3))
    let error = try #require(refused.last)
    #expect(error["level"] as? String == "error")
    #expect(error["pipeline"] as? String == "items" && error["run"] as? Int == 1, "\(error)")
    #expect(error["stage"] as? String == "stage", "\(error)")
    #expect((error["error"] as? [String: Any])?["kind"] as? String == "refused", "\(error)")
    let warnings = try lines(run("--max-rejects", "1").succeeded()).filter {
      $0["level"] as? String == "warning"
    }
    #expect(!warnings.isEmpty)
    #expect(
      warnings.allSatisfy { $0["pipeline"] as? String == "items" && $0["run"] as? Int == 2 }, "\(warnings)")

    try night.put("ITEM_25b_.csv", Night.bad("b001"))
    let outcome = try night.start("--log-format", "json").wait().failed(3)
    let refusal = try #require(
      lines(outcome).first { $0["level"] as? String == "warning" && $0["run"] as? Int == 3 })
    #expect(refusal["pipeline"] as? String == "items" && refusal["stage"] as? String == "stage", "\(refusal)")
  }
}
