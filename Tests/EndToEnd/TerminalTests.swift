import Foundation
import TestSupport
import Testing

/// What a user at a terminal reads of tables, and what programs do.
@Suite("At a terminal")
struct TerminalTests {
  private let desk: Desk

  init() throws { desk = try Desk() }

  /// What a command writes at a terminal of some size.
  private func read(
    _ arguments: [String], _ columns: Int, _ rows: Int = 500, environment: [String: String] = [:]
  ) throws -> [String] {
    let variables = ["TERM": "xterm", "NO_COLOR": ""].merging(environment) { $1 }
    let program = Program(database: desk.database.url, environment: variables)
    let outcome = try program.start(arguments + ["-q"], typing: "", size: (columns, rows)).wait().succeeded()
    return outcome.output.split(whereSeparator: \.isNewline).map(String.init)
  }

  @Test("tables fit, have the file and the whole error of a run, and programs read what they always did")
  func tables() throws {
    try desk.load("cms-rvu", Sample.path).succeeded()
    try desk.load("cms-rvu", Samples.make(quirks: ["stray-quote"], rows: 60, release: "2025A")).failed(3)
    let list = ["runs", "list"]
    for columns in [60, 80, 200] {
      let lines = try read(list, columns, environment: ["NO_COLOR": "1"])
      #expect(lines.allSatisfy { $0.count <= columns }, "\(lines)")
      let text = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
      #expect(text.contains("-[ 2 ]") == (columns < 200), "\(lines)")
      #expect(text.contains(Sample.path.split(separator: "/").last ?? "?"), "\(lines)")
      #expect(text.contains("records were refused, 0 allowed"), "\(lines)")
      #expect(!text.contains("\u{1b}"))
    }
    let coloured = try read(list, 80).joined()
    #expect(coloured.contains("\u{1b}[31mrefused\u{1b}[0m"))
    #expect(try !read(list + ["--no-color"], 80).joined().contains("\u{1b}"))
    #expect(try !read(list, 80, environment: ["TERM": "dumb"]).joined().contains("-[ 1 ]"))
    let piped = try desk.command("runs", "list").output
    #expect(piped.contains("records were refused, 0 allowed"), "\(piped)")
    #expect(!piped.contains("-[ 1 ]") && !piped.contains("\u{1b}"), "\(piped)")
  }

  @Test("a pager shows what is longer than the screen, and only that")
  func pager() throws {
    // Its mark says that it has shown something; what it reads is on its standard input.
    let pager = ["PAGER": "sed s/^/paged:/", "NO_COLOR": "1"]
    let status = ["migrate", "status"]
    let long = try read(status, 100, 10, environment: pager)
    #expect(long.count > 10 && long.allSatisfy { $0.hasPrefix("paged:") }, "\(long)")
    let plain = try read(status + ["--no-pager"], 100, 10, environment: pager)
    #expect(plain.map { "paged:" + $0 } == long)
    #expect(try read(status, 100, 200, environment: pager) == plain)
    // Nothing is lost where the pager is not there.
    let lost = try read(status, 100, 10, environment: ["PAGER": "/nowhere/pager", "NO_COLOR": "1"])
    #expect(Array(lost.suffix(plain.count)) == plain)
    // Less gets the options that leave a short answer on the screen, unless the user has own ones.
    let shown = ["PAGER": "sh -c 'cat >/dev/null; echo less:$LESS'"]
    let own = ["LESS": "M", "PAGER": "sh -c 'cat >/dev/null; echo less:$LESS'"]
    #expect(try read(status, 100, 10, environment: shown) == ["less:FRX"])
    #expect(try read(status, 100, 10, environment: own) == ["less:M"])
    let document = try read(status + ["--format", "json"], 100, 10, environment: pager)
    #expect(document.first?.hasPrefix("{") == true)
  }

  @Test("the rows of a query fold and are paged too, but not on their way to a file")
  func query() throws {
    try desk.load("cms-rvu", Sample.path).succeeded()
    let ask = ["query", "mart.rvu_by_status"]
    let known = try desk.program.run(ask).succeeded()
    let file = desk.path("rows.txt")
    _ = try read(ask + ["--as", "table", "-o", file], 40)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == known.output)
    let folded = try read(ask, 40, environment: ["NO_COLOR": "1"])
    #expect(folded.contains { $0.hasPrefix("-[ 1 ]") } && folded.allSatisfy { $0.count <= 40 })
  }
}
