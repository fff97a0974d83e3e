import Foundation
import TestSupport
import Testing

/// A project of its own with a watched folder, and what `rivulet nightly` makes of it.
struct Night: Workplace {
  private let own: OwnDataset
  var scratch: Scratch { own.scratch }
  var database: TestDatabase { own.database }
  var program: Program { own.program }

  /// `rules`: what `rivulet.yaml` has after its two lines. `other`: a database that is empty, of any server; one
  /// of the tests' own when nil.
  init(_ rules: String = Night.watching, in other: TestDatabase? = nil) throws {
    own = try other.map { try OwnDataset(in: $0) } ?? OwnDataset()
    try define(rules)
    try FileManager.default.createDirectory(atPath: incoming(""), withIntermediateDirectories: true)
  }

  static let watching = "watch: [{pipeline: items, folder: incoming}]"

  /// Writes `rivulet.yaml`.
  func define(_ rules: String) throws {
    try scratch.write("rivulet.yaml", "project: own\ntime_zone: UTC\n" + rules + "\n")
  }

  /// The path of a file in the watched folder.
  func incoming(_ name: String) -> String { path("incoming/" + name) }

  /// Writes a folder of files, with the headers of their tables.
  func write(_ folder: String, _ files: [String: String]) throws { try own.write(folder, files) }

  /// Puts a file with records into the watched folder, written an hour ago.
  func put(_ name: String, _ records: String) throws {
    try write("incoming", [name: records])
    try age(name)
  }

  /// Has a file look as if it had been written some seconds ago.
  func age(_ name: String, seconds: Double = 3600) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date.now.addingTimeInterval(-seconds)], ofItemAtPath: incoming(name))
  }

  /// The tables of the schema that are no release's.
  func leftovers() throws -> String? { try own.leftovers() }

  /// A good record of the pipeline's table.
  static func item(_ code: String, _ words: String = "words") -> String { "\(code),1,\(words),1.00,,\(code)" }
  /// A record whose price is none.
  static func bad(_ code: String) -> String { "\(code),1,words,expensive,,\(code)" }

  /// Starts a night.
  func start(_ options: String...) throws -> Program.Started {
    try program.start(["nightly", "--format", "json"] + options + project)
  }

  /// A night to its end, that must have made such runs, `2025A published`, and have ended with a code and such
  /// problems, `runs 3`.
  @discardableResult
  func pass(
    _ runs: String..., ends status: Int32 = 0, with problems: String..., waiting: [String] = [],
    at place: SourceLocation = #_sourceLocation
  ) throws -> Summary {
    let summary = try Summary(start().wait())
    #expect(summary.runs == runs, "\(summary.outcome.errors)", sourceLocation: place)
    #expect(summary.outcome.status == status, "\(summary.outcome.output)", sourceLocation: place)
    #expect(summary.problems == problems, "\(summary.messages)", sourceLocation: place)
    #expect(summary.waiting == waiting, sourceLocation: place)
    return summary
  }

  /// What a night left.
  struct Summary {
    let outcome: Program.Outcome
    let document: [String: Any]

    init(_ outcome: Program.Outcome) throws {
      self.outcome = outcome
      document = try outcome.object()
      #expect(document["exit_code"] as? Int == Int(outcome.status), "\(outcome.output)\(outcome.errors)")
    }

    private func list(_ member: String) -> [[String: Any]] { document[member] as? [[String: Any]] ?? [] }

    /// The runs, as `2025A published`.
    var runs: [String] {
      list("runs").map { "\($0["release"] as? String ?? "-") \($0["state"] as? String ?? "-")" }
    }

    /// The files that wait.
    var waiting: [String] {
      list("waiting").map { URL(filePath: $0["file"] as? String ?? "").lastPathComponent }
    }

    /// The problems, as `runs 3`.
    var problems: [String] {
      list("problems").map { "\($0["step"] as? String ?? "-") \($0["code"] as? Int ?? -1)" }
    }

    /// The views, as `own.words refreshed`.
    var views: Set<String> {
      Set(list("views").map { "\($0["view"] as? String ?? "-") \($0["outcome"] as? String ?? "-")" })
    }

    /// What is said of the problems.
    var messages: String { list("problems").compactMap { $0["message"] as? String }.joined(separator: "\n") }
  }
}
