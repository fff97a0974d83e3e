import Foundation
import TestSupport
import Testing

/// How each incremental view of the project follows changes, as its page says.
@Suite("The way that each view goes")
struct ViewWayTests {
  @Test("is that of the page about pipelines, with the reason")
  func documented() throws {
    let page = try String(
      contentsOfFile: SharedData.project + "/Documentation/Pipelines.md", encoding: .utf8)
    let table = page.split(separator: "\n").filter { $0.hasPrefix("| `mart.") }.map { line in
      line.replacing("`", with: "").split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    let systems = try SystemDatabase()
    let made = try systems.rows(
      """
      SELECT v.name, coalesce(s.adds, 'groups'), coalesce(v.sums_reason, '') FROM rivulet.view v
      LEFT JOIN rivulet.view_source s ON s.view = v.name AND s.adds IS NOT NULL WHERE v.strategy = 'incremental'
      """)
    #expect(Set(table.map { $0.joined(separator: "|") }) == Set(made))
    let shown = try systems.program.run(["views", "show", "mart.review_response_time"]).output
    #expect(shown.contains("computes the changed groups from their rows: it has percentile_cont"), "\(shown)")
  }
}
