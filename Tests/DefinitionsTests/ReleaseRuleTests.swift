import Definitions
import TestSupport
import Testing

@Suite("The release is read from names and banners")
struct ReleaseRuleTests {
  let rule: ReleaseRule

  init() throws {
    rule = try Project.load(SharedData.project).pipeline(named: "cms-rvu").release
  }

  @Test(
    "An archive's name says the release",
    arguments: [
      ("RVU25D.zip", "2025D"), ("rvu25a-updated-01_10_2025.zip", "2025A"), ("rvu24ar.zip", "2024AR"),
      ("RVU24AR1.ZIP", "2024AR1"), ("rvu05_b.zip", "2005B"), ("rvu05a_r.zip", "2005AR"),
      ("rvu25d_readme.zip", "2025D"), ("my-rvu22a", "2022A"), ("rvu25april.zip", nil), ("rvu25e.zip", nil),
      ("oct-files.zip", nil),
    ])
  func archive(name: String, release: String?) {
    #expect(rule.release(in: name, at: .archiveName) == release)
  }

  @Test(
    "An entry's name says the release",
    arguments: [
      ("ZIP5_OCT2025.txt", "2025D"), ("zip5_jan2026.csv", "2026A"), ("ZIP5_JUL09.txt", "2009C"),
      ("ZIP5_April2021_v2.txt", "2021B"), ("ZIP5_OCT20255.txt", nil), ("ZIP5lyout.txt", nil),
    ])
  func entry(name: String, release: String?) throws {
    let rule = try Project.load(SharedData.project).pipeline(named: "cms-zip5").release
    #expect(rule.namedSources == ["zip5"])
    #expect(rule.release(in: name, at: .entryName(source: "zip5")) == release)
    #expect(
      rule.release(in: name, at: .entryName(source: "zip9")) == nil
        && rule.release(in: name, at: .archiveName) == nil)
  }

  @Test(
    "A banner says the release",
    arguments: [
      (
        "2025 National Physician Fee Schedule Relative Value File October Release\nRELEASED 09/11/2025",
        "2025D"
      ),
      ("2022 NATIONAL PHYSICIAN FEE SCHEDULE RELATIVE VALUE FILE JANUARY RELEASE", "2022A"),
      ("2022 National Physician Fee Schedule Relative Value File March Release", nil),
      ("", nil),
    ])
  func banner(text: String, release: String?) {
    #expect(rule.release(in: text, at: .banner(source: "pprrvu")) == release)
    #expect(rule.release(in: text, at: .banner(source: "gpci")) == nil)
  }

  @Test(
    "Two names agree when they are equal or the second is what the first corrects",
    arguments: [
      ("2025D", "2025D", true), ("2025D", "2025d", true), ("2025AR", "2025A", true),
      ("2025AR2", "2025A", true), ("2025A", "2025AR", false), ("2025AR", "2025B", false),
      ("2025D", "2025A", false), ("2025AR", "2025AR", true), ("2025AX", "2025A", false), ("2025A", "", false),
    ])
  func agreement(first: String, other: String, agrees: Bool) {
    #expect(rule.agrees(first, with: other) == agrees)
  }

  @Test(
    "A release's name says when it is in effect",
    arguments: [
      ("2025A", "2025-01-01", "2025-03-31"), ("2025AR", "2025-01-01", "2025-03-31"),
      ("2025B", "2025-04-01", "2025-06-30"), ("2025c", "2025-07-01", "2025-09-30"),
      ("2025D", "2025-10-01", "2025-12-31"), ("2024A", "2024-01-01", "2024-03-08"),
      ("2024AR", "2024-03-09", "2024-03-31"),
    ])
  func dates(release: String, from: String, to: String) throws {
    let dates = try rule.effectiveDates(of: release)
    #expect(dates.from == from && dates.to == to)
  }

  @Test(
    "A name without dates is refused with the reason", arguments: ["2025E", "25D", "", "2025DX", "0000A"])
  func noDates(release: String) {
    #expect(throws: ReleaseError.self) { try rule.effectiveDates(of: release) }
  }

  @Test(
    "Releases of one series have the same groups",
    arguments: [
      ("fhir-directory", "acme-2025-11-20", "acme-2025-12-20", true),
      ("fhir-directory", "acme-2025-11-20", "acme-east-2025-11-20", false),
      ("directory-csv", "mercy-on-call-2025-11-20", "mercy-2025-11-20", false),
      ("qhp-providers", "acme-2025-11-20", "of another form", false),
      ("cms-rvu", "2025A", "2024D", true),
    ])
  func series(pipeline: String, one: String, other: String, areOfOne: Bool) throws {
    let rule = try Project.load(SharedData.project).pipeline(named: pipeline).release
    #expect(rule.areOfOneSeries(one, other) == areOfOne && rule.areOfOneSeries(other, one) == areOfOne)
  }
}
