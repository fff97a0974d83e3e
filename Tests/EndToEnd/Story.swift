import Foundation
import Host
import TestSupport
import Testing

/// A page with commands in blocks of `console`, and what each of them prints.
///
/// What the page takes for granted, such as another tool's database, a script in `Stories` of the page's name
/// makes before the first command.
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
  private let before: String

  /// Reads a page of the project.
  init(_ page: DocumentationPage) throws {
    steps = Story.steps(of: page.consoles.flatMap(\.lines))
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Stories/" + page.name.replacing(".md", with: ".sh"))
    before = (try? String(contentsOf: script, encoding: .utf8)) ?? ""
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
      "story.sh", before + mark + steps.map { "mark\n\($0.command)\n" }.joined())
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
    shell.timeLimit = 1_800
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
