import Foundation
import TestSupport
import Testing

@Suite("A bundle of which some files end after a line in their middle")
struct CutOffTests {
  @Test(
    "is refused by what the others say",
    .needs("rvu/RVU25D.zip"), arguments: [("csv", 0.5), ("txt", 0.95)])
  func refused(format: String, ofCaps: Double) throws {
    let desk = try Desk()
    let folder = URL(filePath: desk.path("RVU25D"))
    try Loaded.unzip(SharedData.path("rvu/RVU25D.zip"), "*.\(format)", into: folder.path)
    let rules = [
      ("LOCCO", 0.75, "every-gpci-has-a-county"), ("ANES", 0.8, "anesthesia-localities-match"),
      ("OPPSCAP", ofCaps, "opps-caps-are-whole"),
    ]
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
      guard let (_, share, _) = rules.first(where: { file.lastPathComponent.contains($0.0) }) else {
        continue
      }
      let lines = try Data(contentsOf: file).split(separator: 10, omittingEmptySubsequences: false)
      try (Data(lines.prefix(Int(Double(lines.count) * share)).joined(separator: [10])) + [10]).write(
        to: file)
    }
    let outcome = try desk.load("cms-rvu", "RVU25D", options: ["--dry-run"]).failed(3)
    for (_, _, rule) in rules { #expect(outcome.errors.contains(rule), "\(outcome.errors)") }
  }
}
