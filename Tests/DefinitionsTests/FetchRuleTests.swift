import Foundation
import Testing

@testable import Definitions

@Suite("The way to a release's archive")
struct FetchRuleTests {
  private static let written = """
    publish: release
    fetch:
      page: https://publisher.example/$1/list
      release: '(20\\d{2})([A-D])(R\\d*)?'
      steps:
        - {text: 'fees $1 $2'}
        - {link: '/(fees-$1$2$3(?![a-z]).*\\.zip)$', text: zip, name: '$1'}
    """

  private static func pipeline(_ fetch: String = written) throws -> String {
    try replacing("publish: release", by: fetch, in: Fixture.pipeline)
  }

  private func rule() throws -> FetchRule {
    try #require(try Fixture(["Pipelines/fees/pipeline.yaml": Self.pipeline()]).load().fetch)
  }

  @Test("need not be said")
  func absent() throws {
    #expect(try Fixture().load().fetch == nil)
  }

  @Test("is recognised by the groups of the release, in whatever case it is asked for")
  func groups() throws {
    let rule = try rule()
    #expect(rule.groups(of: "2025ar1") == ["2025AR1", "2025", "A", "R1"])
    #expect(rule.groups(of: "2025") == nil)
    #expect(rule.groups(of: "x2025A") == nil)
    #expect(rule.page.filled(try #require(rule.groups(of: "2025B"))) == "https://publisher.example/2025/list")
  }

  @Test("asks of a link all that a step says, and names the file by its groups")
  func steps() throws {
    let rule = try rule()
    let plain = try #require(rule.groups(of: "2025A"))
    let first = try rule.steps[0].pattern(for: plain)
    #expect(first.matches(address: "https://publisher.example/1", text: "Fees 2025 A"))
    #expect(!first.matches(address: "https://publisher.example/1", text: "Fees 2025 B"))
    let last = try rule.steps[1].pattern(for: plain)
    let address = "https://publisher.example/x/FEES-2025a-01/10/2025.zip"
    #expect(last.matches(address: address, text: "ZIP"))
    #expect(!last.matches(address: address, text: "PDF"))
    #expect(last.name(address: address) == "FEES-2025a-01/10/2025.zip")
    #expect(!last.matches(address: "https://publisher.example/fees-2025ar.zip", text: "zip"))
    let corrected = try rule.steps[1].pattern(for: try #require(rule.groups(of: "2025AR")))
    #expect(corrected.matches(address: "https://publisher.example/fees-2025ar.zip", text: "zip"))
  }

  @Test("knows the releases that a page lists by the addresses of its links")
  func listed() throws {
    let listing =
      "page: https://publisher.example/list\n  list: {link: '/fees-(\\d{4})([a-d])', name: '$1$2'}"
    let written = try replacing("page: https://publisher.example/$1/list", by: listing, in: Self.written)
    let fixture = try Fixture(["Pipelines/fees/pipeline.yaml": Self.pipeline(written)])
    let list = try #require(try fixture.load().fetch?.list)
    #expect(list.release(address: "https://publisher.example/x/fees-2025a-0.zip") == "2025a")
    #expect(list.release(address: "https://publisher.example/x/fees.zip") == nil)
  }

  @Test("takes a group for the text that it is")
  func quoted() throws {
    var rule = try rule()
    rule.release = try TextPattern("(.*)")
    rule.steps = [.init(link: GroupTemplate("/$1$"))]
    let pattern = try rule.steps[0].pattern(for: try #require(rule.groups(of: "a.b+(c")))
    #expect(pattern.matches(address: "https://publisher.example/a.b+(c", text: ""))
    #expect(!pattern.matches(address: "https://publisher.example/axb+(c", text: ""))
  }

  @Test(
    "is refused where it is said wrongly, with the place",
    arguments: [
      ("page: https:", "page: ftp:", "23:9: 'ftp://publisher.example/$1/list' is no address of a web page"),
      (
        "  release: '(20", "  list: {link: x, name: y}\n  release: '(20",
        "24:3: a page whose address depends on the release cannot list the releases"
      ),
      ("page: https", "pages: https", "23:3: unknown key 'pages'; did you mean 'page'?"),
      ("/$1/list", "/$4/list", "23:9: '$4' names a group that the pattern does not have; it has 3 groups"),
      ("release: '(20", "release: '((20", "24:12: the pattern is not a regular expression"),
      ("{text: 'fees $1 $2'}", "{name: x}", "26:7: a step of fetch needs the key 'link' or 'text'"),
      ("{text: 'fees $1 $2'}", "{text: a, name: x}", "26:23: only the last step of fetch leads to a file"),
      ("text: zip, name: '$1'", "name: '$2'", "27:55: '$2' names a group that the pattern does not have"),
      (
        "link: '/(fees-$1$2$3(?![a-z]).*\\.zip)$', ", "",
        "27:25: the key 'name' is made from groups of 'link'"
      ),
      ("text: 'fees $1 $2'", "text: 'fees $1 ['", "26:14: the pattern is not a regular expression"),
    ])
  func mistakes(part: String, other: String, error: String) throws {
    let broken = try replacing(part, by: other, in: Self.written)
    let errors = try Fixture(["Pipelines/fees/pipeline.yaml": Self.pipeline(broken)]).errors()
    #expect(errors.contains { $0.hasPrefix("Pipelines/fees/pipeline.yaml:" + error) }, "\(errors)")
  }
}
