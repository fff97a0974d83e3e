import Foundation
import TestSupport
import Testing

/// A page that users read, as Markdown.
struct DocumentationPage: Sendable, CustomTestStringConvertible {
  /// A fenced block.
  struct Block {
    /// The word behind the fence, such as `console`; empty without one.
    let kind: String
    /// The heading of its section, without marks.
    let section: String
    /// Its lines with their numbers.
    var lines: [(number: Int, text: String)] = []
  }

  /// The file's name.
  let name: String
  /// Its fenced blocks.
  private(set) var blocks: [Block] = []
  /// What is `code` within its sentences and tables, with the number of its line.
  let codeSpans: [(line: Int, text: String)]

  var testDescription: String { name }

  /// Reads a page.
  ///
  /// - Parameter path: From the project's folder.
  /// - Throws: What the file system says.
  private init(path: String) throws {
    name = (path as NSString).lastPathComponent
    let text = try String(contentsOfFile: SharedData.project + "/" + path, encoding: .utf8)
    var isFenced = false
    var section = ""
    var prose = ""
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      let bare = line.trimmingCharacters(in: .whitespaces)
      if bare.hasPrefix("```") {
        isFenced.toggle()
        if isFenced { blocks.append(Block(kind: String(bare.dropFirst(3)), section: section)) }
      } else if isFenced {
        blocks[blocks.count - 1].lines.append((index + 1, line))
      } else {
        if line.hasPrefix("## ") { section = String(line.dropFirst(3)) }
        prose += line
      }
      prose += "\n"
    }
    codeSpans = prose.matches(of: /`([^`]+)`/).map { span in
      let line = prose[..<span.range.lowerBound].count { $0 == "\n" } + 1
      return (line, span.1.split(whereSeparator: \.isWhitespace).joined(separator: " "))
    }
  }

  /// What is followed on any machine: blocks of `console`, but for those that install the program.
  /// ``CleanMachineTests`` follows these.
  var consoles: [Block] { blocks.filter { $0.kind == "console" && $0.section != "Install" } }

  /// All pages: the README, those at the project's top and those of `Documentation`.
  static func all() throws -> [DocumentationPage] {
    try ["", "Documentation/"].flatMap { folder in
      try FileManager.default.contentsOfDirectory(atPath: SharedData.project + "/" + folder)
        .filter { $0.hasSuffix(".md") }.sorted().map { try DocumentationPage(path: folder + $0) }
    }
  }
}
