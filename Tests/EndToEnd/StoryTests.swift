import Foundation
import Host
import TestSupport
import Testing

/// The pages that tell a story, followed as their readers follow them.
@Suite("A story of the documentation")
struct StoryTests {
  @Test(
    "prints what its page says",
    arguments: ["Load-an-annual-release.md", "Run-migrations.md", "Run-the-nightly-job.md"])
  func story(page: String) throws {
    let story = try Story(page)
    let database = try TestServer.shared.makeDatabase()
    for (step, printed) in zip(story.steps, try story.run(in: database)) {
      guard let difference = step.difference(from: printed) else { continue }
      Issue.record("Documentation/\(page):\(difference)")
    }
  }

  @Test("differs where its page says something else, and leaves out what the page leaves out")
  func differences() {
    let page = ["$ load", "done in <seconds> s", "...", "the end", "$ ask"].enumerated().map { ($0 + 1, $1) }
    let step = Story.steps(of: page)[0]
    #expect(step.difference(from: ["done in 0.5 s", "the end"]) == nil)
    #expect(step.difference(from: ["done in 0.5 s", "this", "and that", "the end"]) == nil)
    for (printed, difference) in [
      (["done in  min", "the end"], "2: load\nexpected: done in <seconds> s\n     got: done in  min"),
      (["done in 1 s", "the END"], "4: load\nexpected: the end\n     got: the END"),
      (["done in 1 s"], "4: load\nexpected: the end\n     got: nothing more"),
      (["done in 1 s", "the end", "x"], "1: load\nexpected: nothing more\n     got: x"),
    ] { #expect(step.difference(from: printed) == difference) }
  }
}

/// A page with commands in blocks of `console`, and what each of them prints.
///
/// `$ ` begins a command and `> ` goes on with it. In what it prints, a line `...` is for any lines, and words
/// between `<` and `>` for any text of the line. That the program names its database is left out.
struct Story {
  struct Step {
    let line: Int
    var command: String
    var printed: [(line: Int, text: String)] = []
  }

  let steps: [Step]

  /// Reads a page of the documentation.
  init(_ page: String) throws {
    let text = try String(contentsOfFile: SharedData.project + "/Documentation/" + page, encoding: .utf8)
    var isConsole = false
    var lines: [(Int, String)] = []
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      if line.hasPrefix("```") {
        isConsole = line == "```console"
      } else if isConsole {
        lines.append((index + 1, line))
      }
    }
    steps = Story.steps(of: lines)
    try #require(steps.count > 3, "\(page) has hardly any commands")
  }

  static func steps(of lines: [(Int, String)]) -> [Step] {
    var steps: [Step] = []
    for (number, line) in lines {
      if line.hasPrefix("$ ") {
        steps.append(Step(line: number, command: String(line.dropFirst(2))))
      } else if line.hasPrefix("> "), steps.last?.printed.isEmpty == true {
        steps[steps.count - 1].command += "\n" + line.dropFirst(2)
      } else if !steps.isEmpty {
        steps[steps.count - 1].printed.append((number, line))
      }
    }
    return steps
  }

  /// Runs all commands in one shell, in a copy of the project, and gives the lines that each has printed.
  func run(in database: TestDatabase) throws -> [[String]] {
    let scratch = try Scratch()
    for name in ["rivulet.yaml", "Pipelines", "Migrations", "Data"] {
      try FileManager.default.copyItem(
        atPath: SharedData.project + "/" + name, toPath: scratch.path + "/" + name)
    }
    // Printed before each command; the exit code of the one before it is kept.
    let mark = "mark() { local status=$?; printf '\\036\\n'; return $status; }\n"
    let script = try scratch.write(
      "story.sh", mark + steps.map { "mark\n\($0.command)\n" }.joined())
    let programs = scratch.path + "/bin"
    try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: programs + "/rivulet", withDestinationPath: Program.path)
    var shell = Subprocess(["env", "-C", scratch.path, "bash", script])
    shell.withheldPrefixes = ["PG", "RIVULET_DATABASE", "DATABASE_URL"]
    shell.environment = [
      "RIVULET_DATABASE_URL": database.url, "LC_ALL": "C.UTF-8",
      "PATH": programs + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"),
    ]
    shell.timeLimit = 600
    let outcome = try shell.run()
    try #require(!outcome.isLate, "\(outcome.output.suffix(800))")
    return outcome.output.components(separatedBy: "\u{1e}\n").dropFirst().map { printed in
      printed.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        .dropLast(printed.last?.isNewline == false ? 0 : 1)
        .filter { !$0.hasPrefix("database '") }
    }
  }
}

extension Story.Step {
  /// Where and how what was printed first differs from the page; nil where it does not.
  func difference(from got: [String]) -> String? {
    var position = 0
    var leavesOut = false
    for (line, text) in printed {
      if text == "..." {
        leavesOut = true
        continue
      }
      let rest = got[position...]
      let found = leavesOut ? rest.firstIndex { matches(text, $0) } : position
      guard let found, found < got.count, matches(text, got[found]) else {
        return "\(line): \(command)\nexpected: \(text)\n     got: \(rest.first ?? "nothing more")"
      }
      position = found + 1
      leavesOut = false
    }
    guard !leavesOut, position < got.count else { return nil }
    return "\(line): \(command)\nexpected: nothing more\n     got: \(got[position])"
  }

  private func matches(_ text: String, _ got: String) -> Bool {
    let fixed = text.split(separator: /<[a-z ]+>/, omittingEmptySubsequences: false)
      .map { NSRegularExpression.escapedPattern(for: String($0)) }
    return got.range(of: "^" + fixed.joined(separator: ".+") + "$", options: .regularExpression) != nil
  }
}
