import Definitions
import Foundation
import Testing

@Suite("A release's name for an example")
struct ReleaseExampleTests {
  @Test(
    "is one that the pipeline can have",
    arguments: [
      ("cms-rvu", "2025D"), ("cms-hcpcs", "2025D"), ("cms-zip5", "2025D"), ("nppes", "nppes-2025-01"),
      ("nucc", "nucc-25.1"), ("fhir-directory", "x-2025-01-01"), ("directory-csv", "x-2025-01-01"),
      ("oig-leie", "leie-2025-01"), ("cms-opt-out", "opt-out-2025-01-01"), ("cms-dac", "dac-2025-01"),
      ("cms-order-referring", "order-referring-2025-01-01"), ("cms-enrolment", "ppef-2025-01-01"),
      ("cms-revalidation", "revalidation-2025-01-01"), ("state-exclusions", "x-2025-01-01"),
    ])
  func ours(pipeline: String, example: String) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path
    #expect(try Project.load(folder).pipeline(named: pipeline).release.example == example)
  }
}
