import Foundation
import TestSupport
import Testing

/// What is merged, refused and corrected, pinned and dropped, and publishers' own files.
@Suite("What a cluster of Citus holds", .needsCitus)
struct CitusContentTests {
  /// A month of made-up providers with one that is refused, and what changes in the week after it, with another.
  private func writeProviders(to scratch: Scratch) throws {
    try Loaded.unzip(
      try Samples.make("nppes", rows: 400, release: "nppes-2025-11", name: "month.zip"),
      into: scratch.path + "/month")
    let main = scratch.path + "/month/" + ProviderFiles.main
    let lines = try String(contentsOfFile: main, encoding: .utf8).split(separator: "\n").map(String.init)
    func write(_ name: String, _ records: [String]) throws {
      var records = records
      // No kind of provider.
      records[4] = "\(records[4].prefix(13))\"7\"\(records[4].dropFirst(16))"
      try scratch.write(name, ([lines[0]] + records + [""]).joined(separator: "\n"))
    }
    let records = Array(lines.dropFirst())
    try write("month/" + ProviderFiles.main, records.dropLast(10))
    let week = records.dropLast(10).enumerated().filter { $0.offset % 3 == 0 }.map { place, record in
      place % 2 == 0 ? record.replacing(" ST\"", with: " STREET\"") : record
    }
    try write("week/npidata_pfile_20251110-20251116.csv", week + records.suffix(10))
    let deactivated = stride(from: 0, to: 60, by: 4).map {
      [String(records[$0].dropFirst().prefix(10)), "11/12/2025"]
    }
    try scratch.write("report/\(ProviderFiles.notice)", "")
    try scratch.write("week/\(ProviderFiles.notice)", "")
    try Workbook.write(
      [["NPPES Deactivated Records"], ["NPI", "NPPES Deactivation Date"]] + deactivated,
      to: scratch.path + "/report/NPPES Deactivated NPI Report 20251117.xlsx")
  }

  /// What an issuer publishes on a day of a number of providers, of whom one has a number that is none.
  private func writePlans(_ day: String, of count: Int, to scratch: Scratch) throws {
    let providers = (1...count).map { number in
      """
      {"npi":"\(number == 3 ? "1234567890" : ProviderFiles.npi(number))","type":"INDIVIDUAL",\
      "name":{"first":"TESTA","last":"PERSON\(number)"},"speciality":["Cardiology"],"accepting":"accepting",\
      "addresses":[{"address":"\(number) SIDE ST","city":"ANYTOWN","state":"MA","zip":"02453","phone":"6175550100"}],\
      "plans":[{"plan_id":"12345XX9876543","network_tier":"PREFERRED","years":[2025]}]}
      """
    }
    try scratch.write("acme-\(day)/providers.ndjson", (providers + [""]).joined(separator: "\n"))
    try scratch.write(
      "acme-\(day)/plans.ndjson", #"{"plan_id":"12345XX9876543","marketing_name":"Gold"}"# + "\n")
  }

  @Test("is what one server holds after merges, corrections and revisions, and of what is pinned and dropped")
  func merges() throws {
    let pair = try ClusterPair()
    let scratch = try Scratch()
    try writeProviders(to: scratch)
    try pair.run("migrate", "up")
    try pair.run("run", "nucc", try ProviderFiles.taxonomy(version: "240"))
    try pair.run("run", "cms-zip5", try Samples.make("cms-zip5", name: "zip5.zip"))
    try pair.run("run", "nppes", scratch.path + "/month")
    try pair.correct("\"7\"", to: "\"1\"", in: scratch)
    try pair.run("run", "nppes", scratch.path + "/week")
    try pair.run("run", "nppes", scratch.path + "/week", "--force")
    try pair.run("run", "nppes", scratch.path + "/report")
    for (day, count) in [("2025-10-20", 20), ("2025-11-20", 30)] {
      try writePlans(day, of: count, to: scratch)
      try pair.run("run", "qhp-providers", "\(scratch.path)/acme-\(day)", "--max-rejects", "1")
      try pair.correct("1234567890", to: ProviderFiles.npi(3), in: scratch)
    }
    // All of it has something to do.
    let merged = "FROM rivulet.merge WHERE target LIKE 'directory.provider%'"
    let counts = try pair.spread.rows(
      """
      SELECT (SELECT string_agg(DISTINCT target, ' ') \(merged) AND updated > 0),
        (SELECT count(DISTINCT target) \(merged) AND deleted > 0), (SELECT count(DISTINCT target) \(merged) AND inserted > 0),
        (SELECT count(*) FROM rivulet.source_file WHERE replays IS NOT NULL),
        (SELECT count(*) FROM directory.provider WHERE release = 'acme-2025-11-20')
      """)
    #expect(counts == ["directory.provider directory.provider_address|4|5|3|30"])

    try pair.run("releases", "rollback", "nppes")
    for release in ["2025A", "2025D"] {
      let path = try Samples.make("cms-rvu", rows: 200, release: release)
      try pair.run(["run", "cms-rvu", path] + Loaded.unlikeTheLast)
    }
    try pair.run("releases", "pin", "cms-rvu", "2025A")
    try pair.run("releases", "pin", "qhp-providers", "acme-2025-10-20")
    try pair.run("refresh")
    try pair.expectSameContent()

    try pair.run("releases", "pin", "cms-rvu", "--clear")
    try pair.run("releases", "publish", "nppes", "nppes-2025-11", "--revision", "2")
    for (pipeline, release) in [("nppes", "nppes-2025-11"), ("qhp-providers", "acme-2025-10-20")] {
      try pair.run("releases", "drop", pipeline, release, "--revision", "1")
    }
    try pair.run("releases", "drop", "cms-rvu", "2025A")
    try pair.run("refresh", "--check")
    try pair.expectSameContent()

    // With all that was there, back to nothing, and the same once more. Before a schema goes, revisions that were
    // replaced go by hand.
    try pair.run("migrate", "verify")
    try pair.run("releases", "drop", "qhp-providers", "acme-2025-11-20", "--revision", "1")
    try pair.run("migrate", "down", "--to", "0", "--yes")
    try pair.run("migrate", "up")
    try pair.run("run", "nppes", scratch.path + "/month", "--force")
    #expect(try pair.spread.value("SELECT count(*) FROM directory.provider") == "389")
    try pair.expectSameContent()
  }

  private static let week = ["pl", "othername", "endpoint"].map {
    "\(ProviderFiles.folder)/\($0)_pfile_20251103-20251109.csv"
  }
  private static let zip5 = "rvu/ZIP5_OCT2025.txt"
  private static let deactivated = ProviderFiles.folder + "/NPPES Deactivated NPI Report 20251110.xlsx"

  /// The first hundred resources of each kind of a directory in FHIR.
  private func writeDirectory(to scratch: Scratch) throws {
    let folder = SharedData.path(Self.resources)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let lines = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8).split(separator: "\n")
      try scratch.write("plannet-2025-10-01/\(name)", lines.prefix(100).joined(separator: "\n") + "\n")
    }
  }

  private static let resources = "directory/fhir-plannet-ndjson"

  @Test(
    "is what one server holds of publishers' own files: prices of two quarters, ZIP codes, taxonomies, a week",
    .needs(Loaded.latest, Loaded.first, ProviderFiles.month, zip5, deactivated),
    .needs("directory/nucc", "directory/qhp-json", resources, week[0], week[1], week[2]))
  func published() throws {
    let pair = try ClusterPair()
    let scratch = try Scratch()
    try WeeklyProviderTests.writeBundles(to: scratch)
    try pair.run("migrate", "up")
    for (pipeline, file) in [
      ("nucc", "directory/nucc"), ("cms-zip5", Self.zip5), ("cms-rvu", Loaded.first),
      ("cms-rvu", Loaded.latest),
    ] {
      try pair.run("run", pipeline, SharedData.path(file))
    }
    try pair.run(
      "run", "qhp-providers", SharedData.path("directory/qhp-json"), "--release", "example-2019-01-01",
      "--max-rejects", "2")
    try writeDirectory(to: scratch)
    // Their numbers were made to be nobody's.
    try pair.run(
      "run", "fhir-directory", scratch.path + "/plannet-2025-10-01", "--accept", "npi-check-digit")
    try pair.run("run", "nppes", scratch.path + "/month")
    try pair.run("run", "nppes", scratch.path + "/week", "--max-rejects", "1%")
    try pair.run("run", "nppes", SharedData.path(Self.deactivated))
    try pair.run("refresh", "--check")
    let counts = try pair.spread.rows(
      """
      SELECT (SELECT string_agg(DISTINCT release, ' ') FROM cms.rvu), (SELECT count(*) FROM cms.zip_locality),
        (SELECT count(*) FROM directory.npi_deactivation), (SELECT sum(updated) > 100 FROM rivulet.merge),
        (SELECT count(*) FROM directory.practitioner_role)
      """)
    #expect(counts == ["2025A 2025D|42956|274|t|100"])
    try pair.expectSameContent()
  }
}
