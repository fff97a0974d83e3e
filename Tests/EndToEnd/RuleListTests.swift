import Definitions
import Foundation
import TestSupport
import Testing

@Suite("The list of rules")
struct RuleListTests {
  @Test("is the page of the documentation, which 'pipelines rules' writes")
  func page() throws {
    let desk = try Desk()
    let page = try desk.command("pipelines", "rules").succeeded().output
    let written = try String(
      contentsOfFile: SharedData.project + "/Documentation/Rules.md", encoding: .utf8)
    #expect(page == written, "write it again: rivulet pipelines rules > Documentation/Rules.md")
    let json = try desk.command("pipelines", "rules", "cms-rvu", options: ["--format", "json"]).succeeded()
    #expect(try json.at("0/pipeline", "0/rules/rule=totals-add-up/severity") == "cms-rvu fail")
    #expect(try !json.at("0/rules/rule=totals-add-up/because").isEmpty)
  }

  @Test("says of each why what it finds does harm, or none")
  func reasons() throws {
    for pipeline in try Project.load(SharedData.project).pipelines() {
      for rule in pipeline.gateRules {
        #expect(!rule.finds.isEmpty && !rule.because.isEmpty, "\(pipeline.name) \(rule.name)")
      }
      for column in pipeline.layouts.values.flatMap(\.versions).flatMap(\.everyColumn) {
        let isChosen = !column.words.isEmpty || !column.oneOf.isEmpty || !column.matches.isEmpty
        let isRejecting = !column.blanksInvalid && !column.keepsInvalid && column.oddForm == nil
        #expect(
          column.because != nil || !isChosen || !isRejecting,
          "\(pipeline.name) \(column.name) rejects records for values that it does not know: because …?")
      }
    }
  }
}
