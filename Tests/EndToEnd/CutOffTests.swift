import Foundation
import TestSupport
import Testing

@Suite("A bundle of which one file ends after a line in its middle")
struct CutOffTests {
  @Test(
    "is refused by what the others say",
    .needs("rvu/RVU25D.zip"),
    arguments: [
      ("LOCCO", 0.75, "every-gpci-has-a-county"), ("ANES", 0.8, "anesthesia-localities-match"),
      ("OPPSCAP", 0.5, "opps-caps-are-whole"), ("OPPSCAP", 0.95, "opps-caps-are-whole"),
    ], ["csv", "txt"])
  func refused(source: (name: String, share: Double, rule: String), format: String) throws {
    let scratch = try Scratch()
    try Loaded.unzip(SharedData.path("rvu/RVU25D.zip"), "*.\(format)", into: scratch.path + "/RVU25D")
    let folder = URL(filePath: scratch.path + "/RVU25D")
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    where file.lastPathComponent.contains(source.name) {
      let lines = try Data(contentsOf: file).split(separator: 10, omittingEmptySubsequences: false)
      try (Data(lines.prefix(Int(Double(lines.count) * source.share)).joined(separator: [10])) + [10]).write(
        to: file)
    }
    let (_, program) = try Loaded.migrated()
    let outcome = try program.run("run", "cms-rvu", folder.path, "--dry-run")
    #expect(outcome.status == 3 && outcome.errors.contains(source.rule), "\(outcome.errors)")
  }
}
