import Definitions
import Foundation
import PipelineCore
import PipelineEngine
import TestSupport
import Testing

/// What publishers put beside their tables must not be shown of each time, and what nobody takes must.
@Suite("Files that no source takes")
struct UntakenFileTests {
  private func warnings(of source: String, _ pipeline: String) throws -> [String] {
    let pipeline = try Project.load(SharedData.project).pipeline(named: pipeline)
    var request = RunRequest(source: source)
    if pipeline.name == "fhir-directory" { request.release = "ex-2025-01-01" }
    if source.hasSuffix(ProviderFiles.folder) { request.assigned = [("providers", ProviderFiles.main)] }
    return try Discovered(request, pipeline: pipeline).warnings
  }

  @Test(
    "are none in the bundles of publishers, but those beside them in the folder of NPPES",
    .needs("rvu/RVU25D.zip", "rvu/rvu25a-updated-01_10_2025.zip", "hcpcs", "directory"),
    arguments: [
      ("rvu/RVU25D.zip", "cms-rvu"), ("rvu/rvu25a-updated-01_10_2025.zip", "cms-rvu"),
      ("hcpcs/2018-Alpha-Numeric-HCPCS-File.zip", "cms-hcpcs"),
      ("hcpcs/2018-HCPCS-Alpha-Numeric-Corrections.zip", "cms-hcpcs"),
      ("directory/nucc", "nucc"), ("directory/fhir-plannet-ndjson", "fhir-directory"),
      ("directory/fhir-xml", "fhir-directory"), ("directory/nppes", "nppes"),
    ])
  func publishers(bundle: String, pipeline: String) throws {
    let beside =
      "files that no source takes were left alone: 'sample-nppes-organization-data.csv', "
      + "'sample-nppes-practitioner_20181204-data.csv'"
    #expect(
      try warnings(of: SharedData.path(bundle), pipeline) == (pipeline == "nppes" ? [beside] : []))
  }

  @Test("are a question where they have the header of one that a source takes", .needs(ProviderFiles.month))
  func rivals() throws {
    let error = #expect(throws: RunError.self) {
      try Discovered(
        RunRequest(source: SharedData.path(ProviderFiles.folder)),
        pipeline: try Project.load(SharedData.project).pipeline(named: "nppes"))
    }
    let said = try #require(error.map { "\($0)" })
    for part in [
      "providers", ProviderFiles.main, "sample-nppes-organization-data.csv", "the first has 3745978 bytes",
    ] {
      #expect(said.contains(part), "\(said)")
    }
    #expect(error?.hint.contains("--as providers=") == true)
  }

  @Test(
    "are not taken for what they fit less, where the user says which file is what they fit best",
    .needs(ProviderFiles.month))
  func secondBest() throws {
    let scratch = try Scratch()
    for name in [ProviderFiles.main, "sample-nppes-organization-data.csv"] {
      try FileManager.default.copyItem(
        atPath: SharedData.path(ProviderFiles.folder + "/" + name), toPath: scratch.path + "/" + name)
    }
    var request = RunRequest(source: scratch.path)
    request.assigned = [("providers", ProviderFiles.main)]
    let found = try Discovered(
      request, pipeline: try Project.load(SharedData.project).pipeline(named: "nppes"))
    // Its header has all columns of the other names, too, and the bundle has no file of these.
    #expect(found.plan.entries.map(\.source.name) == ["providers"])
    #expect(
      found.warnings == [
        "files that no source takes were left alone: 'sample-nppes-organization-data.csv'"
      ])
  }

  @Test("are named by what was probably meant, and of a gathering source in each format that is not read")
  func gathered() throws {
    let scratch = try Scratch()
    let resource = #"{"resourceType":"Location","id":"l1"}"#
    for name in ["Location.ndjson", "Location.json", "more.json"] { try scratch.write("a/" + name, resource) }
    try scratch.write("a/more.xml", "<Location><id value='l2'/></Location>")
    try scratch.write("a/list.csv", "x")
    #expect(
      try warnings(of: scratch.path + "/a", "fhir-directory") == [
        "files that no source takes were left alone: 'list.csv'",
        "files of another format than the one that is read, ndjson, were left alone: 'more.json'; load them by themselves",
        "files of another format than the one that is read, ndjson, were left alone: 'more.xml'; load them by themselves",
      ])
    try scratch.write("b/patients.csv", "id,user_id\n")
    for name in ["convrsations.csv", "follow-up.txt", "patient.tsv"] { try scratch.write("b/" + name, "x") }
    #expect(
      try warnings(of: scratch.path + "/b", "clara") == [
        "files that no source takes were left alone: 'convrsations.csv' (did you mean 'conversations.csv'?), "
          + "'follow-up.txt' (follow-ups are read from json, ndjson, csv), "
          + "'patient.tsv' (patients are read from json, ndjson, csv)"
      ])
  }
}
