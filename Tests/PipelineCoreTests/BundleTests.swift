import Definitions
import PipelineCore
import Records
import Testing

@Suite("What a bundle holds, by the names of its files")
struct BundleTests {
  private static let october = "2025 National Physician Fee Schedule Relative Value File October Release"

  private let rvu: Pipeline
  private let nppes: Pipeline

  init() throws {
    rvu = try Known.pipeline("cms-rvu")
    nppes = try Known.pipeline("nppes")
  }

  @Test func `Of a table in several formats one is loaded`() throws {
    let bundle = try Known.bundle(["PPRRVU25_JAN.txt", "PPRRVU25_JAN.csv", "PPRRVU25_JAN.xlsx"], rvu)
    #expect(bundle.entries.map(\.entry.name) == ["PPRRVU25_JAN.csv"])
    #expect(bundle.others.map(\.format) == [.txt, .xlsx])
    #expect(bundle.missing.map(\.name) == ["gpci", "locco", "anes", "oppscap"])
  }

  @Test func `Parts are known by their names, and one that is missing is named`() throws {
    let whole = try Known.bundle(["PPRRVU2026_Jan_nonQPP.csv", "PPRRVU2026_Jan_QPP.csv"], rvu)
    #expect(whole.entries.map(\.constants) == [["cf_class": "non_qp"], ["cf_class": "qp"]])
    #expect(whole.missingParts.isEmpty)
    let half = try Known.bundle(["PPRRVU2026_Jan_QPP.csv"], rvu)
    #expect(half.missingParts.count == 1)
    #expect(half.lacking.contains { $0.hasPrefix("a part of pprrvu") })
  }

  @Test func `Two files that could be the same table are refused`() {
    #expect(throws: RunError.self) { try Known.bundle(["PPRRVU25_JAN.csv", "PPRRVU25_OCT.csv"], rvu) }
  }

  @Test func `What is assigned carries a source whatever it is called, and alone`() throws {
    let entries = Known.entries(["PPRRVU25_JAN.csv", "x.dat", "GPCI2025.csv"])
    let bundle = try PipelineCore.Bundle(
      "/in", of: entries, index: IndexedFiles(),
      assigned: [Assignment(source: "pprrvu", entry: entries[1], format: .csv)], pipeline: rvu)
    #expect(bundle.entries.map(\.entry.name) == ["x.dat", "GPCI2025.csv"])
    #expect(bundle.entries.map(\.format) == [.csv, .csv])
  }

  @Test func `An entry that fits several sources is of that which knows most of its header`() throws {
    let entry = Known.entries(["a.xlsx"])[0]
    func sources(_ pipeline: Pipeline, _ fits: [(source: String, unknown: Int)]) throws -> [String] {
      try [Assignment](
        byHeaders: fits.map {
          (Assignment(source: $0.source, entry: entry, format: .xlsx), $0.unknown)
        }, pipeline: pipeline
      ).map(\.source)
    }
    #expect(try sources(rvu, [("gpci", 3), ("locco", 0)]) == ["locco"])
    #expect(throws: RunError.self) { try sources(rvu, [("gpci", 1), ("locco", 1)]) }
    // Two that share a file name it alike.
    let codes = try Known.pipeline("cms-hcpcs")
    #expect(try sources(codes, [("codes", 0), ("modifiers", 0)]) == ["codes", "modifiers"])
  }

  @Test func `A bundle of something else is refused with what was looked for`() {
    #expect {
      try Known.bundle(["holiday.jpg"], rvu)
    } throws: { error in
      guard case RunError.notTheDataset(_, "cms-rvu", let found, let lookedFor) = error else { return false }
      return found == ["holiday.jpg"] && lookedFor.contains { $0.hasPrefix("PPRRVU*") }
    }
  }

  @Test func `Files that no source takes are named, with what was probably meant`() throws {
    let bundle = try Known.bundle(["PPRRVU25_JAN.csv", "notes.csv", "readme.md", ".DS_Store"], rvu)
    #expect(bundle.warnings.count == 1)
    #expect(bundle.warnings[0].contains("'notes.csv'"))
    #expect(!bundle.warnings[0].contains("readme"))
  }

  @Test(arguments: [
    ("/in/RVU25D.zip", nil, "2025D"), ("/in/rvu24ar.zip", nil, "2024AR"), ("/in/x.zip", "2025a", "2025A"),
  ])
  func `The release is in the archive's name, unless it is given`(
    _ path: String, _ given: String?, _ release: String
  ) throws {
    let bundle = try Known.bundle(["PPRRVU25.csv"], at: path, rvu)
    var request = RunRequest(source: path)
    request.release = given
    #expect(try ReleaseIdentity.named(bundle: bundle, pipeline: rvu, request: request)?.name == release)
  }

  /// The release that a bundle of one table is, or the words of the error.
  private func release(
    of path: String, _ given: String?, _ banner: String, isForced: Bool = false
  ) throws -> ReleaseIdentity {
    var request = RunRequest(source: path)
    (request.release, request.isForced) = (given, isForced)
    let bundle = try Known.bundle(["PPRRVU25.csv"], at: path, rvu)
    let named = try ReleaseIdentity.named(bundle: bundle, pipeline: rvu, request: request)
    let entries = try bundle.entries.map(Known.headed(rvu, banner: banner))
    return try ReleaseIdentity(named: named, entries: entries, request: request, pipeline: rvu)
  }

  @Test(arguments: [
    ("/in/RVU25D.zip", nil, october, "2025D"),
    ("/in/files.zip", nil, october, "2025D"),
    ("/in/RVU25D.zip", "2025d", october, "2025D"),
    ("/in/RVU25D.zip", "2025DR", october, "2025DR"),
    ("/in/RVU24B.zip", nil, october, nil), ("/in/files.zip", nil, "", nil),
    ("/in/RVU25D.zip", "2025Z", "", nil),
  ])
  func `A name and a banner that disagree are refused`(
    _ path: String, _ given: String?, _ banner: String, _ release: String?
  ) throws {
    #expect((try? self.release(of: path, given, banner))?.name == release)
  }

  @Test(arguments: [
    ("/in/RVU25D.zip", "", "the name RVU25D.zip says 2025D"),
    ("/in/x.zip", october, "the text above the header of PPRRVU25.csv says 2025D"),
  ])
  func `A release that the files deny is refused, and loaded with a warning where that is forced`(
    _ path: String, _ banner: String, _ reason: String
  ) throws {
    #expect {
      try release(of: path, "2025A", banner)
    } throws: { error in
      guard case RunError.releaseContradicted(path, "2025A", reason) = error else { return false }
      return (error as? RunError)?.hint.contains("--force") == true
    }
    let forced = try release(of: path, "2025A", banner, isForced: true)
    #expect(forced.name == "2025A")
    #expect(forced.warnings == ["\(path) is loaded as 2025A, although \(reason)"])
  }

  @Test(arguments: [
    (["PPRRVU25_APR.csv"], "2025B"), (["PPRRVU2026_Jan_nonQPP.csv", "PPRRVU2026_Jan_QPP.csv"], "2026A"),
    (["PPRRVU20_July.txt"], "2020C"), (["PPRRVU25.csv", "OPPSCAP_JUL.csv"], "2025C"),
    (["GPCI2025.csv", "ANES2025.csv", "OPPSCAP_Oct.csv"], "2025D"), (["OPPSCAP_JUL.csv"], nil),
    (["PPRRVU25_APR.csv", "OPPSCAP_JUL.csv"], nil),
  ])
  func `The year and the month are in the names of files, perhaps of several`(
    _ names: [String], _ release: String?
  ) throws {
    let bundle = try Known.bundle(names, rvu)
    let request = RunRequest(source: "/in")
    let named = try? ReleaseIdentity.named(bundle: bundle, pipeline: rvu, request: request)
    #expect(named?.name == release)
  }

  @Test func `Corrections of another release are refused beside its files`() throws {
    let codes = try Known.pipeline("cms-hcpcs")
    let names = ["HCPC2018_CONTR_ANWEB.xlsx", "V1_HCPC2019_Corrections_ANWEB.xlsx"]
    let bundle = try Known.bundle(names, at: "/in/files", codes)
    #expect {
      try ReleaseIdentity.named(bundle: bundle, pipeline: codes, request: RunRequest(source: "/in/files"))
    } throws: { error in
      guard case RunError.releasesDisagree(_, let first, let second) = error else { return false }
      return first.hasPrefix("2018") && second.hasPrefix("2019")
    }
  }

  @Test func `A period is known by the names of all entries, or refused`() throws {
    let weekly = "npidata_pfile_20251103-20251109.csv"
    let bundle = try Known.bundle([weekly, "pl_pfile_20251103-20251109.csv"], nppes)
    let period = try #require(try BundleContent.period(of: bundle, pipeline: nppes))
    #expect([period.from, period.to] == ["2025-11-03", "2025-11-09"])
    let mixed = try Known.bundle([weekly, "pl_pfile_20251110-20251116.csv"], nppes)
    #expect {
      _ = try BundleContent.period(of: mixed, pipeline: nppes)
    } throws: { error in
      guard case RunError.periodsDisagree = error else { return false }
      return true
    }
    // With a file that holds all it is a release.
    let monthly = try Known.bundle(["npidata_pfile_20050523-20251109.csv"], nppes)
    #expect(try BundleContent.period(of: monthly, pipeline: nppes) == nil)
    #expect(try BundleContent.held(in: monthly, pipeline: nppes) == "2025-11-09")
  }

  @Test func `An incomplete bundle is refused unless that is allowed`() throws {
    let bundle = try Known.bundle(["PPRRVU25_JAN.csv"], rvu)
    var request = RunRequest(source: "/in")
    #expect(throws: RunError.self) {
      try LoadPlan.require(request, of: bundle, period: nil, pipeline: rvu)
    }
    request.allowsMissing = true
    try LoadPlan.require(request, of: bundle, period: nil, pipeline: rvu)
  }

  @Test func `An index names what it lacks`() throws {
    let entries = Known.entries(["index.json", "providers.json"])
    var index = IndexedFiles()
    index.add(
      entries[0],
      naming: [
        ("providers", "https://example.org/a/providers.json.gz?x=1"), ("plans", "/b/my%20plans.json"),
      ],
      among: entries)
    #expect(index.documents == [entries[0]])
    #expect(index.warnings == ["index.json names a file that is not there: 'my plans.json'"])
  }
}
