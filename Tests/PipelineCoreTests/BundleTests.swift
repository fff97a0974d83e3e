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
    #expect(try ReleaseIdentity.named(bundle: bundle, pipeline: rvu, given: given)?.name == release)
  }

  @Test(arguments: [
    ("/in/RVU25D.zip", nil, october, "2025D"),
    ("/in/files.zip", nil, october, "2025D"),
    ("/in/RVU24B.zip", "2025D", october, "2025D"),
    ("/in/RVU24B.zip", nil, october, nil), ("/in/files.zip", nil, "", nil),
    ("/in/RVU25D.zip", "2025Z", "", nil),
  ])
  func `A name and a banner that disagree are refused unless the release is given`(
    _ path: String, _ given: String?, _ banner: String, _ release: String?
  ) throws {
    let bundle = try Known.bundle(["PPRRVU25.csv"], at: path, rvu)
    let named = try ReleaseIdentity.named(bundle: bundle, pipeline: rvu, given: given)
    let entries = try bundle.entries.map(Known.headed(rvu, banner: banner))
    let found = try? ReleaseIdentity(named: named, entries: entries, path: path, pipeline: rvu)
    #expect(found?.name == release)
  }

  @Test func `Corrections of another release are refused beside its files`() throws {
    let codes = try Known.pipeline("cms-hcpcs")
    let names = ["HCPC2018_CONTR_ANWEB.xlsx", "V1_HCPC2019_Corrections_ANWEB.xlsx"]
    let bundle = try Known.bundle(names, at: "/in/files", codes)
    #expect {
      try ReleaseIdentity.named(bundle: bundle, pipeline: codes, given: nil)
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
