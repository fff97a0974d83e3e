import Foundation
import PostgreSQL
import TestSupport
import Testing

/// Names that are code to somebody: to SQL, a shell, a terminal, a page.
@Suite("A hostile name")
struct HostileNameTests {
  static let names = [
    "a\"b", "a'b", "a;DROP TABLE x;--", "a\nb", "a\u{1b}[31mb", "a\u{9b}31mb", "$(touch x)", "`touch x`",
    "<script>alert(1)</script>", "../x", "\u{430}pple", "a\u{202e}b", "a\u{200d}b", "a\\b", "%s", "{{x}}",
    "${x}",
    String(repeating: "n", count: 60),
  ]

  let own: OwnProject

  init() throws {
    own = try OwnProject(HostileFiles.project, on: HostileFiles.migrated.get())
    // Any name is that of a release.
    try own.edit(
      Self.pipeline, "pattern: '(\\d{4})[A-D]', from: '$1-01-01'", to: "pattern: '.*', from: '2025-01-01'")
  }

  static let pipeline = "Pipelines/items/pipeline.yaml"
  static let layout = "Pipelines/items/layouts/items.yaml"

  /// A name as YAML and JSON have it.
  static func quoted(_ name: String) throws -> String {
    String(decoding: try JSONEncoder().encode(name), as: UTF8.self).replacing("\\/", with: "/")
      .replacing("\u{9b}", with: "\\u009b")
  }

  static func identifier(_ name: String) -> String { Quote.identifier(name) }

  /// Expects that nothing it says steers a terminal, or turns the direction of what follows.
  @discardableResult
  func expectPlain(
    _ outcome: Program.Outcome, _ what: String, at place: SourceLocation = #_sourceLocation
  ) -> Program.Outcome {
    let steering = (outcome.output + outcome.errors).unicodeScalars.filter {
      $0.properties.generalCategory == .control && $0 != "\n" || $0.properties.isBidiControl
    }
    #expect(steering.isEmpty, "\(what): \(steering.map(\.value))", sourceLocation: place)
    return outcome
  }

  /// What a parser of HTML takes for elements, of all pages of a folder.
  func scripts(in folder: String) throws -> Set<String> {
    let files = try Shell.run("find", folder, "-name", "*.html").split(separator: "\n").map(String.init)
    try #require(!files.isEmpty)
    return try files.reduce(into: []) { found, file in
      let page = try String(contentsOfFile: file, encoding: .utf8)
      for piece in page.components(separatedBy: "<script").dropFirst() {
        found.insert(String(piece.prefix { $0 != "<" }.prefix(12)))
      }
      #expect(!page.contains("alert(1)</script>") && !page.contains("\u{1b}"), "\(file)")
    }
  }

  @Test("of a definition is refused in its place, whatever it is of")
  func definitions() throws {
    let parts: [(file: String, text: String, other: (String) -> String)] = [
      (Self.pipeline, "pipeline: items", { "pipeline: \($0)" }),
      (Self.pipeline, "name: items,", { "name: \($0)," }),
      (Self.pipeline, "target: own.item,", { "target: \($0)," }),
      (Self.pipeline, "key: [code]", { "key: [\($0)]" }),
      (Self.layout, "name: words", { "name: \($0)" }), (Self.layout, "layout: items", { "layout: \($0)" }),
    ]
    for (file, text, other) in parts {
      let sound = try own.text(of: file)
      for name in Self.names.dropLast() {
        try own.edit(file, text, to: other(Self.quoted(name)))
        let outcome = try own.command("pipelines", "check").failed(2, saying: file + ":")
        expectPlain(outcome, "\(text) \(name)")
        try own.scratch.write(file, sound)
      }
    }
    #expect(try own.command("pipelines", "check").succeeded().output.contains("no mistake"))
  }

  @Test("of a column of a file is taken as it is written, and said so where nobody knows it")
  func headers() throws {
    func cell(_ text: String) -> String { "\"\(text.replacing("\"", with: "\"\""))\"" }
    for (index, name) in Self.names.enumerated() {
      let file = try own.scratch.write("ITEM.csv", "CODE,\(cell(name))\n\(index),\(cell(name))\n")
      let unknown = try own.load("items", file, options: ["--release", "2025A"])
      expectPlain(unknown.failed(3, saying: "no header"), name)
      let draft = try own.command("pipelines", "new", "draft\(index)", "--from", file)
      expectPlain(draft, name)
      try own.edit(Self.layout, "csv: WORDS", to: "csv: \(Self.quoted(name))")
      let release = "2025-\(index)"
      expectPlain(try own.load("items", file, options: ["--release", release]).succeeded(), name)
      let stored = try own.value("SELECT to_json(words) FROM own.item WHERE release = '\(release)'")
      let words = try JSONDecoder().decode([String].self, from: Data("[\(try #require(stored))]".utf8))
      // A line end in a field of one line is a blank.
      #expect(words.map { $0.replacing("\n", with: " ") } == [name.replacing("\n", with: " ")])
      try own.edit(Self.layout, "csv: \(Self.quoted(name))", to: "csv: WORDS")
    }
    expectPlain(try own.command("pipelines", "check"), "the drafts")
  }

  @Test("of a release or a file is stored and found as it is, and shown as text alone")
  func releases() throws {
    for (index, name) in Self.names.enumerated() {
      let source = "\(name.replacing("/", with: "_"))/ITEM.csv"
      let file = try own.scratch.write(source, "CODE,WORDS\n\(index),one\n")
      let run = expectPlain(try own.load("items", file, options: ["--release", name]), name)
      // No pattern is for several lines.
      if name.contains("\n") {
        run.failed(2, saying: "no pattern under release.effective matches it")
        continue
      }
      try run.succeeded()
      let codes = try own.rows("SELECT release FROM own.item WHERE code = '\(index)'")
      #expect(codes.map { $0.lowercased() } == [name.lowercased()])
      for words in [["pin"], ["publish"]] {
        expectPlain(try own.command("releases", words[0], "items", name).succeeded(), name)
      }
    }
    for words in [["releases", "list"], ["runs", "list"], ["runs", "show", "3"]] {
      for format in ["text", "json"] {
        expectPlain(try own.command(options: words + ["--format", format]).succeeded(), "\(words)")
      }
    }
    let listed = try own.command("releases", "list", "--format", "json").at("releases/*/release")
    for name in Self.names where !name.contains(where: { "\\\n".contains($0) }) {
      #expect(listed.lowercased().contains(name.lowercased()))
    }
    try own.scratch.write("pages/index.html", "")
    let run = own.path("pages/run.html")
    expectPlain(try own.command("report", "--run", "5", "-o", run).succeeded(), "the report of a run")
    expectPlain(try own.command("report", "-o", own.path("pages/report.html")).succeeded(), "report")
    #expect(try !scripts(in: own.path("pages")).contains(">alert(1)"))
    for name in Self.names.dropFirst(2) {
      expectPlain(try own.command("releases", "drop", "items", name, "--yes"), name)
    }
  }
}
