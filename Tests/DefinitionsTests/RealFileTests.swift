import Definitions
import Records
import TestSupport
import Testing

/// CMS's own files, where somebody has them; nothing of them is in the project.
@Suite("CMS's own files")
struct RealFileTests {
  private static let october = "rvu/RVU25D.zip"
  private static let january = "rvu/rvu25a-updated-01_10_2025.zip"
  private static let older = "rvu/RVU22A"

  /// The first records of an entry of a bundle.
  private func records(_ bundle: String, _ entry: String) throws -> [[String]] {
    let found = try Discovery.entries(of: SharedData.path(bundle)).first { $0.name == entry }
    var reader = try RecordReader(try #require(found), format: .delimited(DelimitedFormat()))
    return try texts(of: &reader, atMost: 20)
  }

  private func layout(_ name: String) throws -> Layout {
    let pipeline = try Project.load(SharedData.project).pipeline(named: "cms-rvu")
    return try #require(pipeline.layouts[name])
  }

  @Test(
    "name every column of the layouts in their headers", .needs(october, january, older),
    arguments: [
      (october, "PPRRVU2025_Oct.csv", "pprrvu", 9, 5), (october, "GPCI2025.csv", "gpci", 2, 1),
      (october, "25LOCCO.csv", "locco", 2, 1), (october, "ANES2025.csv", "anes", 0, 1),
      (october, "OPPSCAP_Oct.csv", "oppscap", 0, 1), (january, "PPRRVU25_JAN.csv", "pprrvu", 9, 5),
      (january, "GPCI2025.csv", "gpci", 2, 1), (january, "25LOCCO.csv", "locco", 2, 1),
      (january, "ANES2025.csv", "anes", 0, 1), (january, "OPPSCAP_JAN.csv", "oppscap", 0, 1),
      (older, "PPRRVU22_JAN.csv", "pprrvu", 9, 5), (older, "GPCI2022.csv", "gpci", 2, 1),
    ])
  func header(bundle: String, entry: String, name: String, lastRow: Int, depth: Int) throws {
    let match = try HeaderMatch.find(in: records(bundle, entry), layout: layout(name))
    #expect(match.lastRow == lastRow && match.depth == depth)
    #expect(match.unknown.isEmpty)
  }

  @Test(
    "tell their release in the banner", .needs(october, january, older),
    arguments: [
      (october, "PPRRVU2025_Oct.csv", "2025D"), (january, "PPRRVU25_JAN.csv", "2025A"),
      (older, "PPRRVU22_JAN.csv", "2022A"),
    ])
  func banner(bundle: String, entry: String, release: String) throws {
    let pipeline = try Project.load(SharedData.project).pipeline(named: "cms-rvu")
    let match = try HeaderMatch.find(in: records(bundle, entry), layout: layout("pprrvu"))
    #expect(pipeline.release.release(in: match.banner, at: .banner(source: "pprrvu")) == release)
  }
}
