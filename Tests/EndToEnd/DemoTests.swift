import Foundation
import Host
import TestSupport
import Testing

/// What a newcomer sees first.
@Suite("The demo")
struct DemoTests {
  @Test("ends with a line for each system: rows loaded, a figure of theirs, and the query to see more")
  func lines() throws {
    let scratch = try Scratch()
    chmod(scratch.path, 0o755)
    let state = ["RIVULET_STATE_DIR": scratch.path + "/state"]
    defer { _ = try? Program(environment: state).run("db", "destroy", "--yes") }
    var demo = Subprocess([SharedData.project + "/.ci/demo", Program.path])
    demo.environment = state
    demo.withheldPrefixes = ["PG", "RIVULET_DATABASE", "DATABASE_URL"]
    let outcome = try demo.run()
    try #require(outcome.status == 0, "\(outcome.output.suffix(800))")
    #expect(!outcome.output.contains(Program.canary))
    let program = Program(environment: state)
    for system in ["rvutrack", "clara", "oncall", "doula", "ccc"] {
      let line = try #require(
        outcome.output.split(separator: "\n").last { $0.hasPrefix("\(system) ") }, "\(system) has no line")
      let words = line.split(separator: " ").map { String($0) }
      // ccc 164 rows loaded 65 of 100 messages were read rivulet query mart.message_status_count
      #expect(words.count > 8 && words[2] == "rows" && (Int(words[1]) ?? 0) > 20, "\(line)")
      #expect(Double(words[4]) ?? 0 > 0, "\(line)")
      let query = try #require(words.lastIndex(of: "query"), "\(line)")
      #expect(words[query - 1] == "rivulet")
      let more = try program.run(
        ["--database", "embedded", "query"] + words[(query + 1)...] + ["--as", "ndjson"])
      #expect(more.status == 0 && !more.output.isEmpty, "\(line): \(more.errors)")
    }
  }
}
