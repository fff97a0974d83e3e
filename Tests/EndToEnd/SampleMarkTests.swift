import Foundation
import TestSupport
import Testing

/// A sample is known for one in every dataset, and is never in the way of a real file.
@Suite("A sample")
struct SampleMarkTests {
  /// Whether each release that a desk has is synthetic, the newest revision first.
  private func marks(_ desk: Desk) throws -> [String] {
    try desk.rows(
      "SELECT release, revision, synthetic FROM rivulet.release ORDER BY effective_from DESC, revision DESC")
  }

  private func sample(_ pipeline: String, of release: String) throws -> String {
    pipeline == "nucc"
      ? try ProviderFiles.taxonomy(version: "240")
      : try Samples.make(
        pipeline, quirks: release == "2018A" ? ["corrections"] : [], rows: 200, release: release,
        name: "bundle.zip")
  }

  @Test(
    "gives its place to a real file of its release, and does not take it",
    .needs("hcpcs", "rvu/ZIP5_OCT2025.txt", "directory/nucc", "directory/nppes", Loaded.latest),
    arguments: [
      ("cms-rvu", "2025D", Loaded.latest), ("cms-hcpcs", "2018A", "hcpcs/2018-Alpha-Numeric-HCPCS-File.zip"),
      ("cms-hcpcs", "2025D", "hcpcs/HCPC2025_OCT_ANWEB.xlsx"), ("cms-zip5", "2025D", "rvu/ZIP5_OCT2025.txt"),
      ("nucc", "nucc-24.0", "directory/nucc"), ("nppes", "nppes-2025-11", ProviderFiles.folder),
    ])
  func realFile(pipeline: String, release: String, file: String) throws {
    let desk = try Desk()
    let sample = try sample(pipeline, of: release)
    try desk.load(pipeline, sample, options: ["--no-refresh"]).succeeded()
    #expect(try marks(desk) == ["\(release)|1|t"])
    let choice = file == ProviderFiles.folder ? ProviderFiles.choice : []
    try desk.load(pipeline, SharedData.path(file), options: ["--no-refresh"] + choice).succeeded()
    #expect(try marks(desk) == ["\(release)|2|f", "\(release)|1|t"])
    let refused = try desk.load(pipeline, sample, options: ["--no-refresh", "--format", "json"]).failed(
      3, saying: "a sample, and \(release) is published of real ones")
    #expect(try refused.at("error/hint").contains("--force"))
    try desk.load(pipeline, sample, options: ["--no-refresh", "--force"]).succeeded()
    #expect(try marks(desk).first == "\(release)|3|t")
  }

  @Test(
    "that does not say it is too short for a real file, and one that says it is not",
    arguments: [
      ("cms-hcpcs", "rows-codes: 200 found. There must be 3000 rows at least"),
      ("cms-zip5", "rows-zip5: 200 found. There must be 30000 rows at least"),
      ("nucc", "rows-taxonomy: 40 found. There must be 500 rows at least"),
    ])
  func unmarked(pipeline: String, rule: String) throws {
    let desk = try Desk()
    try Loaded.unzip(
      try sample(pipeline, of: pipeline == "nucc" ? "nucc-24.0" : "2025D"), into: desk.path("in"))
    try desk.load(pipeline, "in", options: ["--dry-run"]).succeeded()
    let notice = desk.path("in/" + ProviderFiles.notice)
    try FileManager.default.removeItem(atPath: notice)
    try desk.load(pipeline, "in", options: ["--dry-run"]).failed(3, saying: rule)
  }

  @Test("of providers that does not say it is reported, as those of a state may be as few")
  func fewProviders() throws {
    let desk = try Desk()
    try Loaded.unzip(try Samples.make("nppes", rows: 200, name: "bundle.zip"), into: desk.path("in"))
    let said = "rows-providers: 200 found. There must be 10 rows at least; a whole file has 5000000 at least"
    let marked = try desk.load("nppes", "in", options: ["--dry-run"]).succeeded()
    #expect(!marked.errors.contains("rows-providers"), "\(marked.errors)")
    try FileManager.default.removeItem(atPath: desk.path("in/" + ProviderFiles.notice))
    try desk.load("nppes", "in", options: ["--dry-run"]).succeeded(saying: said)
  }

  @Test("of a list is known by the file's own name")
  func byName() throws {
    let desk = try Desk()
    for (name, text) in Control.list("2025-01-01") {
      try desk.scratch.write(name.replacing("acme", with: "synthetic-sample"), text)
    }
    try desk.load("directory-csv", "synthetic-sample-2025-01-01.csv").succeeded()
    #expect(try marks(desk) == ["synthetic-sample-2025-01-01|1|t"])
  }

  @Test("of a week is not merged into a month of real files")
  func week() throws {
    let desk = try Desk()
    try Loaded.unzip(try Samples.make("nppes", rows: 400, name: "bundle.zip"), into: desk.path("in"))
    try FileManager.default.removeItem(atPath: desk.path("in/" + ProviderFiles.notice))
    try desk.load("nppes", "in", options: ["--no-refresh"]).succeeded()
    let week = try Samples.make("nppes", quirks: ["weekly"], rows: 400, name: "week.zip")
    try desk.load("nppes", week, options: ["--no-refresh", "--allow-missing"]).failed(
      3, saying: "a sample, and nppes-2025-11 is published of real ones")
  }

  @Test("is one thing, and lists of another keeper are another: each is held against its own")
  func series() throws {
    let desk = try Desk()
    func load(_ keeper: String, _ day: String, of count: Int) throws -> Program.Outcome {
      let list = try #require(Control.list(day).first?.value).components(separatedBy: "\n")
      let more = (0..<count).map { list[2].replacing("A2", with: "A\($0)") }
      let name = "\(keeper)-\(day).csv"
      try desk.scratch.write(name, ([list[0]] + more + [""]).joined(separator: "\n"))
      return try desk.load("directory-csv", name, options: ["--no-refresh"])
    }
    try load("acme", "2025-01-01", of: 2).succeeded()
    try load("mercy", "2025-02-01", of: 30).succeeded()
    try load("acme", "2025-03-01", of: 30).failed(3, saying: "30 rows after 2 in acme-2025-01-01, +1400%")
    try load("mercy", "2025-03-01", of: 26).succeeded(saying: "26 rows after 30 in mercy-2025-02-01")
  }
}
