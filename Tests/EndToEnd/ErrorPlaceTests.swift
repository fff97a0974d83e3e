import Foundation
import TestSupport
import Testing

/// Where the JSON of an error says that something is wrong.
@Suite("An error as JSON")
struct ErrorPlaceTests {
  private func error(_ program: Program, _ arguments: String...) throws -> (Int32, [String: Any]) {
    let outcome = try program.run(arguments + ["--format", "json"])
    return (
      outcome.status, try #require(try outcome.object()["error"] as? [String: Any], "\(outcome.output)")
    )
  }

  @Test("names the entry and the line of the first refused record")
  func rejects() throws {
    let (_, program) = try Loaded.migrated()
    let path = try Samples.make(quirks: ["stray-quote"], rows: 60)
    let (status, error) = try error(program, "run", "cms-rvu", path)
    #expect(status == 3 && error["code"] as? Int == 3)
    let file = try #require(error["file"] as? String)
    #expect(file.hasPrefix(path) && file.contains(", entry "), "\(file)")
    let line = try #require(error["line"] as? Int)
    let message = try #require(error["message"] as? String)
    #expect(message.contains("\(file):\(line)"), "\(error)")
  }

  @Test("names the entry whose layout is not known")
  func layout() throws {
    let path = try Samples.make(quirks: ["missing-column"], rows: 60)
    let (status, error) = try error(Program(database: "host=nowhere"), "run", "cms-rvu", path)
    #expect(status == 3)
    #expect((error["file"] as? String)?.hasPrefix(path + ", entry ") == true, "\(error)")
  }

  @Test("calls a release that the user named and the pipeline cannot have a mistake of the command line")
  func release() throws {
    let path = try Samples.make(rows: 60)
    let program = Program(database: "host=nowhere")
    let (status, error) = try error(program, "run", "cms-rvu", path, "--release", "2025Z")
    #expect(status == 2 && error["kind"] as? String == "usage", "\(error)")
  }
}
