import Foundation
import TestSupport
import Testing

/// A project of its own with a watched folder, and what `rivulet nightly` makes of it.
struct Night {
  let own: OwnDataset

  /// `rules`: what `rivulet.yaml` has after its two lines.
  init(_ rules: String = Night.watching) throws {
    own = try OwnDataset()
    try own.scratch.write("rivulet.yaml", "project: own\ntime_zone: UTC\n" + rules + "\n")
    try FileManager.default.createDirectory(atPath: path(""), withIntermediateDirectories: true)
  }

  static let watching = "watch: [{pipeline: items, folder: incoming}]"

  /// The path of a file in the watched folder.
  func path(_ name: String) -> String { own.scratch.path + "/incoming/" + name }

  /// Puts a file with records into the watched folder, written an hour ago.
  func put(_ name: String, _ records: String) throws {
    try own.write("incoming", [name: records])
    try age(name)
  }

  /// Has a file look as if it had been written some seconds ago.
  func age(_ name: String, seconds: Double = 3600) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date.now.addingTimeInterval(-seconds)], ofItemAtPath: path(name))
  }

  /// A good record of the pipeline's table.
  static func item(_ code: String, _ words: String = "words") -> String { "\(code),1,\(words),1.00,,\(code)" }
  /// A record whose price is none.
  static func bad(_ code: String) -> String { "\(code),1,words,expensive,,\(code)" }

  /// The arguments of a night.
  func words(_ options: [String] = []) -> [String] {
    ["nightly", "--project", own.scratch.path, "--format", "json"] + options
  }

  /// A night to its end.
  func pass(_ options: String...) throws -> Summary {
    try Summary(try own.program.run(words(options)))
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

    func list(_ member: String) -> [[String: Any]] { document[member] as? [[String: Any]] ?? [] }

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

    /// What is said of the problems.
    var messages: String { list("problems").compactMap { $0["message"] as? String }.joined(separator: "\n") }
  }
}
