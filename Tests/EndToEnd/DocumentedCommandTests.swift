import Foundation
import TestSupport
import Testing

/// What the pages name of the command line is there.
///
/// Commands in blocks of `console` are run by ``StoryTests``; those in sentences and tables, and those whose
/// effect is outside of this machine's reach, are held against the program's own help.
@Suite("A command that a page names")
struct DocumentedCommandTests {
  @Test("is one of the program's, with the options it names")
  func named() throws {
    let help = try CommandHelp()
    for page in try DocumentationPage.all() {
      let blocks = page.blocks.filter { $0.kind == "sh" }.flatMap(\.lines).map { ($0.number, $0.text) }
      for (line, text) in page.codeSpans.map({ ($0.line, $0.text) }) + blocks {
        guard let problem = try help.problem(of: text) else { continue }
        Issue.record("\(page.name):\(line): '\(text)': \(problem)")
      }
    }
  }

  @Test("is in a block that a test runs or reads", arguments: try DocumentationPage.all())
  func fenced(page: DocumentationPage) throws {
    for block in page.blocks where !["console", "sh"].contains(block.kind) {
      for line in block.lines where line.text.hasPrefix("rivulet ") || line.text.hasPrefix("$ ") {
        Issue.record("\(page.name):\(line.number): a command in a block of '\(block.kind)'")
      }
    }
  }

  @Test("is found wrong where it is")
  func problems() throws {
    let help = try CommandHelp()
    for (text, problem) in [
      ("rivulet lode cms-rvu", "there is no command 'lode'"), ("views lisst", "there is no 'views lisst'"),
      ("run --now", "'run' has no option '--now'"),
      ("migrate up --pipeline x", "'migrate up' has no option '--pipeline'"),
      ("query price --hcpcs 1 --zap 2", "'query price' has no option '--zap'"),
      ("--nothing", "no command has this option"),
      ("make nothing", "there is no target 'nothing'"),
      ("rivulet run --max-rejects 1", nil), ("run", nil), ("query price --zip 06510 --as json", nil),
      ("views list", nil), ("--max-rejects", nil), ("make test", nil), ("views", nil), ("run PIPELINE", nil),
    ] as [(String, String?)] { #expect(try help.problem(of: text) == problem, "\(text)") }
  }
}

/// What the program's help and the Makefile say that there is.
private final class CommandHelp {
  private let program = Program()
  private var texts: [[String]: String] = [:]
  private let parameters: [String: [String]]
  private let targets: Set<String>

  init() throws {
    let queries = try #require(try program.run("query", "--format", "json").json() as? [[String: Any]])
    parameters = Dictionary(
      uniqueKeysWithValues: queries.compactMap { query in
        (query["name"] as? String).map { ($0, query["parameters"] as? [String] ?? []) }
      })
    let makefile = try String(contentsOfFile: SharedData.project + "/Makefile", encoding: .utf8)
    targets = Set(makefile.matches(of: /(?m)^([a-z-]+):/).map { String($0.1) })
  }

  /// Why something that looks like a command is none; nil where it is one, or does not look like one.
  func problem(of text: String) throws -> String? {
    var words = text.prefix { $0 != "#" && $0 != "|" && $0 != ";" }.split(separator: " ").map(String.init)
    if words.first == "make", words.count > 1 {
      return targets.contains(words[1]) ? nil : "there is no target '\(words[1])'"
    }
    let isNamed = words.first == "rivulet"
    if isNamed { words.removeFirst() }
    guard let command = words.first else { return nil }
    let commands = try subcommands(of: [])
    guard commands.contains(command) else {
      if isNamed && !command.hasPrefix("-") { return "there is no command '\(command)'" }
      guard command.starts(with: /--[a-z]/) else { return nil }
      let isKnown = try commands.contains { try has(option: command, [$0]) }
      return isKnown ? nil : "no command has this option"
    }
    var path = [command]
    let below = try subcommands(of: path)
    if !below.isEmpty, words.count > 1, words[1].allSatisfy({ $0.isLowercase }) {
      path.append(words[1])
      guard below.contains(words[1]) else { return "there is no '\(path.joined(separator: " "))'" }
    }
    var own: [String] = []
    if command == "query", words.count > 1 {
      own = parameters[words[1]] ?? []
      path.append(words[1])
    }
    for word in words where word.hasPrefix("--") {
      let option = String(word.prefix { $0 != "=" })
      guard !own.contains(String(option.dropFirst(2))), try !has(option: option, path) else { continue }
      return "'\(path.joined(separator: " "))' has no option '\(option)'"
    }
    return nil
  }

  /// Whether a command has an option, or one of its subcommands where it is named without one.
  private func has(option: String, _ path: [String]) throws -> Bool {
    let own = path.first == "query" ? ["query"] : path
    let options = try text(own).matches(of: /(?:^|[\s,|\[])(--[a-z-]+)/).map { String($0.1) }
    if options.contains(option) { return true }
    return try path.count == 1 && subcommands(of: path).contains { try has(option: option, path + [$0]) }
  }

  private func subcommands(of path: [String]) throws -> [String] {
    guard let list = try text(path).firstMatch(of: /\nCommands:\n((?:  .*\n)+)/) else { return [] }
    return list.1.matches(of: #/(?m)^  ([a-z]+) /#).map { String($0.1) }
  }

  private func text(_ path: [String]) throws -> String {
    if let known = texts[path] { return known }
    let outcome = try program.run(["help"] + path)
    try #require(outcome.status == 0, "\(path): \(outcome.errors)")
    texts[path] = outcome.output
    return outcome.output
  }
}
