import Definitions
import TestSupport
import Testing
import Values

/// What makes a code certain: its width, a list, or another rule over its values.
@Suite("Every code column of our own datasets")
struct CodeRuleTests {
  /// Those whose width nobody has fixed, and why none can: words, numbers that a publisher counts
  /// on, and what each keeper of a list makes up.
  private static let free: Set<String> = [
    "cms-dac/affiliation/pac_id", "cms-dac/clinician/address_id", "cms-dac/clinician/enrollment_id",
    "cms-dac/clinician/group_pac_id", "cms-dac/clinician/pac_id",
    "cms-enrolment/enrolment/enrollment_id", "cms-enrolment/enrolment/pac_id",
    "cms-enrolment/enrolment/provider_type", "cms-enrolment/reassignment/reassigning_id",
    "cms-enrolment/reassignment/receiving_id", "cms-revalidation/due-date/enrollment_id",
    "state-exclusions/list/source_id",
    "cms-hcpcs/code/sequence_number", "cms-hcpcs/modifier/sequence_number",
    "directory-csv/list/identifier", "directory-csv/list/license", "directory-csv/list/source_id",
    "directory-csv/list/taxonomy",
    "nppes/endpoint/content_type", "nppes/endpoint/type", "nppes/endpoint/use",
  ]

  @Test("declares its rule: a width, a list, or which values there are")
  func rules() throws {
    var free: Set<String> = []
    for pipeline in try Project.load(SharedData.project).pipelines() {
      for (layoutName, layout) in pipeline.layouts {
        for version in layout.versions {
          for column in version.everyColumn where column.type == .code {
            let name = "\(pipeline.name)/\(layoutName)/\(column.name)"
            if let width = column.width, width.widths.isEmpty { free.insert(name) }
            let known = !column.oneOf.isEmpty || !column.words.isEmpty || !column.matches.isEmpty
            #expect(
              column.list != nil || column.width != nil || known,
              "\(name) of \(version.name): write width: 5, width: 5 with pad: zeros, or a list")
          }
        }
      }
    }
    #expect(free == Self.free)
  }
}
