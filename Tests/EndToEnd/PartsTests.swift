import Foundation
import TestSupport
import Testing

@Suite("A table in two files, of which one is not what it should be")
struct PartsTests {
  private static let qualifying = "PPRRVU2026_Jan_QPP.csv"
  private static let other = "PPRRVU2026_Jan_nonQPP.csv"

  /// What becomes of the sample's two files, by name.
  private func run(_ change: (inout [String: Data]) -> Void) throws -> Program.Outcome {
    let scratch = try Scratch()
    let folder = scratch.path + "/RVU26A"
    let (database, program) = try Loaded.migrated()
    let sample = try program.run(
      "sample", "cms-rvu", "--quirk", "qpp", "--rows", "300", "-o", folder + ".zip")
    try #require(sample.status == 0, "\(sample.errors)")
    try Loaded.unzip(folder + ".zip", into: folder)
    var files: [String: Data] = [:]
    for name in [Self.qualifying, Self.other] {
      files[name] = try Data(contentsOf: URL(filePath: folder + "/" + name))
    }
    change(&files)
    for name in [Self.qualifying, Self.other] {
      let file = URL(filePath: folder + "/" + name)
      if let content = files[name] {
        try content.write(to: file)
      } else {
        try FileManager.default.removeItem(at: file)
      }
    }
    let outcome = try program.run("run", "cms-rvu", folder)
    #expect(try database.value("SELECT count(*) > 0 FROM cms.rvu") == (outcome.status == 0 ? "t" : "f"))
    return outcome
  }

  @Test("is loaded where both are there")
  func whole() throws {
    let outcome = try run { _ in }
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test("is refused where one has the other's name")
  func swapped() throws {
    let outcome = try run { files in
      (files[Self.qualifying], files[Self.other]) = (files[Self.other], files[Self.qualifying])
    }
    #expect(
      outcome.status == 3 && outcome.errors.contains("qualifying-file-is-the-higher"), "\(outcome.errors)")
  }

  @Test("is refused where one is there twice")
  func twice() throws {
    let outcome = try run { $0[Self.qualifying] = $0[Self.other] }
    #expect(
      outcome.status == 3 && outcome.errors.contains("qualifying-file-is-the-higher"), "\(outcome.errors)")
  }

  @Test("is refused where either ends after a line in its middle", arguments: [qualifying, other])
  func cutOff(name: String) throws {
    let outcome = try run { files in
      let lines = files[name]?.split(separator: 10, omittingEmptySubsequences: false) ?? []
      files[name] = Data(lines.prefix(150).joined(separator: [10])) + [10]
    }
    #expect(outcome.status == 3 && outcome.errors.contains("classes-are-whole"), "\(outcome.errors)")
  }

  @Test("is refused where one is missing")
  func missing() throws {
    let outcome = try run { $0[Self.other] = nil }
    #expect(
      outcome.status == 3 && outcome.errors.contains("a part of pprrvu (PPRRVU*nonQPP*)"), "\(outcome.errors)"
    )
  }
}
