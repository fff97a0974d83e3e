import Definitions
import Describing
import Pages
import TestSupport
import Testing

@Suite("The dictionary's pages")
struct DictionaryPagesTests {
  @Test("have names that every file system can have, and that differ without their case")
  func names() throws {
    let odd = [
      "A.b", "a.b", "s.with space/..", "s.\u{e9}", "s." + String(repeating: "long", count: 60), "s.<b>",
    ]
    let relations = odd.map { Relation($0) }
    let files = DictionaryPages(DataDictionary([], relations: relations), project: "p", origin: []).files
    #expect(files.count == odd.count + 1 && Set(files.map { $0.name.lowercased() }).count == files.count)
    for file in files {
      #expect(file.name.wholeMatch(of: #/[a-z0-9._~-]{1,140}\.html/#) != nil, "\(file.name)")
      // Each link leads to one of the pages or to a place on its own.
      for link in file.page.html.matches(of: #/href="([^"#]+)(#[^"]*)?"/#) {
        #expect(files.contains { $0.name == link.1 }, "\(file.name): \(link.1)")
      }
    }
    #expect(files[0].page.html.contains("s.&lt;b&gt;"))
  }

  @Test("say who wrote them, before anything else")
  func mark() {
    let page = DictionaryPages(DataDictionary([], relations: []), project: "p", origin: []).files[0].page
    #expect(page.html.hasPrefix(Page.start(of: DictionaryPages.generator)))
    #expect(Page("x", sections: []).html.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset"))
  }

  @Test("draw the flow from files over tables to views, of other datasets too where a view reads them")
  func flow() throws {
    let project = try Project.load(SharedData.project)
    let pipelines = try ["cms-rvu", "rvutrack"].map { try project.pipeline(named: $0) }
    var view = Relation("mart.visit_rvu_mismatch", isView: true)
    view.reads = ["cms.rvu", "rvutrack.visit"]
    let tables = pipelines.flatMap(\.targets).map { Relation($0) }
    let dictionary = DataDictionary(pipelines, relations: tables + [view, Relation("cms.code_list")])
    let flow = DataFlow([pipelines[1]], in: dictionary)
    let edges = flow.edges.map { "\($0.from) \($0.what) \($0.to)" }
    #expect(edges.contains("cms.rvu is read by mart.visit_rvu_mismatch"))
    #expect(edges.contains("rvutrack/visits loads rvutrack.visit"))
    #expect(!flow.nodes.contains { $0.id == "cms.gpci" })
    #expect(Set(edges).count == edges.count && Set(flow.nodes.map(\.id)).count == flow.nodes.count)
    let whole = DataFlow(pipelines, in: dictionary)
    #expect(whole.edges.contains { $0.from == "cms-rvu/pprrvu" && $0.to == "cms.rvu" })
    #expect(whole.edges.contains { $0.from == "code lists" && $0.to == "cms.code_list" })
  }
}
