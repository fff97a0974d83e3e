import Fetching
import TestSupport
import Testing

/// Pages as publishers write them, and the way through them.
@Suite("A file is found by links")
struct LinkTests {
  /// A way of steps that each look for a text in the address.
  private func trail(_ page: String, _ parts: [String], parameter: String? = nil) throws -> LinkTrail {
    LinkTrail(
      page: try #require(WebAddress(page)),
      steps: parts.map { part in
        .init(pattern: part) { link in
          link.address.text.contains(part) || link.text.contains(part) ? .init() : nil
        }
      }, parameter: parameter)
  }

  /// Where a way of one step leads on a page.
  private func end(_ html: String, _ part: String, parameter: String? = nil) throws -> LinkTrail.End {
    let server = try LoopbackServer { _ in .page(html) }
    let trail = try trail("https://publisher.example/files/list", [part], parameter: parameter)
    let copy = try #require(WebAddress(server.address))
    return try Downloads().fetcher(of: trail.page, at: copy).follow(trail)
  }

  @Test(
    "whatever way a page writes them",
    arguments: [
      (#"<a href="/zip/a.zip">A</a>"#, "https://publisher.example/zip/a.zip"),
      (#"<A class=x HREF = 'a.zip'>A</A>"#, "https://publisher.example/files/a.zip"),
      ("<a\nhref=../a.zip>", "https://publisher.example/a.zip"),
      (#"<a href=" /a.zip#top ">A</a>"#, "https://publisher.example/a.zip"),
      (#"<a href="//other.example/a.zip">A</a>"#, "https://other.example/a.zip"),
      (#"<a href="get?x=1&amp;y=&#x61;.zip">A</a>"#, "https://publisher.example/files/get?x=1&y=a.zip"),
      (#"<base href="/deep/"><a href="a.zip">A</a>"#, "https://publisher.example/deep/a.zip"),
      (#"<!-- <a href="no/a.zip">A</a> --><a href="a.zip">"#, "https://publisher.example/files/a.zip"),
      (#"<script>'<a href="no/a.zip">'</script><a href="a.zip">"#, "https://publisher.example/files/a.zip"),
      (#"<a href="a b.zip">A</a>"#, "https://publisher.example/files/a%20b.zip"),
      (#"<a href="mailto:x@a.zip">A</a><a href="a.zip""#, "https://publisher.example/files/a.zip"),
    ])
  func writings(html: String, address: String) throws {
    #expect(try end(html, ".zip").link.address.text == address)
  }

  @Test("or by what a reader sees of them")
  func texts() throws {
    let end = try end(
      #"<a href="/node/1">RVU <b>2025</b>&nbsp;A &amp;\#nmore</a><a href="/node/2">B</a>"#,
      "RVU 2025 A & more")
    #expect(end.link.address.text == "https://publisher.example/node/1")
  }

  @Test("through the parameter of a licence's page, in every encoding")
  func licences() throws {
    for value in [
      "/zip/a-01/10/2025.zip", "%2Fzip%2Fa-01%2F10%2F2025.zip",
      "http://publisher.example/zip/a-01/10/2025.zip",
    ] {
      let end = try end(#"<a href="/licence.asp?x=1&amp;File=\#(value)">A</a>"#, ".zip", parameter: "file")
      #expect(end.link.address.target == "/zip/a-01/10/2025.zip")
      #expect(end.link.licence?.target.hasPrefix("/licence.asp?") == true)
    }
  }

  @Test(
    "the one posted last of several",
    arguments: [
      ["a.zip", "a-updated-01/10/2025.zip"], ["a-12-31-2024.zip", "a-01-10-2025.zip"],
      ["a_2024-12-31.zip", "a_20250110.zip", "a_01102025.zip"],
      ["a-updated-01_09_2025.zip", "a-1.10.2025.zip"],
    ])
  func latest(names: [String]) throws {
    let html = names.map { #"<a href="/zip/\#($0)">x</a>"# }.joined()
    #expect(try end(html, ".zip").link.address.path == "/zip/" + (names.last ?? ""))
    let reversed = names.reversed().map { #"<a href="/zip/\#($0)">x</a>"# }.joined()
    #expect(try end(reversed, ".zip").link.address.path == "/zip/" + (names.last ?? ""))
  }

  @Test("and refused where none is later, but not where one is written twice")
  func ambiguous() throws {
    let error = #expect(throws: FetchError.self) {
      try end(#"<a href="a.zip"></a><a href="b.zip"></a>"#, ".zip")
    }
    #expect(error?.kind == .wrong)
    #expect(error?.description.contains("2 links that match '.zip'") == true)
    #expect(error?.description.contains("/files/a.zip, https://publisher.example/files/b.zip") == true)
    #expect(try end(#"<a href="a.zip">A</a><a href="/files/a.zip">B</a>"#, ".zip").name == "a.zip")
    let none = #expect(throws: FetchError.self) { try end("<a href=b.pdf>", ".zip") }
    #expect(none?.kind == .missing)
  }

  @Test("step by step, relative to where a page was sent on to, on a copy in a folder as well")
  func steps() throws {
    let server = try LoopbackServer { request in
      switch request.target {
      case "/copy/list": .redirect("/copy/2025/list")
      case "/copy/2025/list": .page(#"<a href="a">A</a>"#)
      case "/copy/2025/a": .page(#"<a href="https://publisher.example/zip/a.zip">A</a>"#)
      default: .init(404)
      }
    }
    let copy = try #require(WebAddress(server.address + "/copy/"))
    let trail = try trail("https://publisher.example/list", ["2025/a", ".zip"])
    let end = try Downloads().fetcher(of: trail.page, at: copy).follow(trail)
    #expect(end.link.address.text == "https://publisher.example/zip/a.zip")
    #expect(end.page.text == "https://publisher.example/2025/a")
    #expect(server.requests.map(\.target) == ["/copy/list", "/copy/2025/list", "/copy/2025/a"])
  }

  @Test("even if the publisher is overloaded at first")
  func retries() throws {
    let server = try LoopbackServer { $0.before == 0 ? .init(503) : .page("<a href=a.zip>") }
    let trail = try trail(server.address + "/list", [".zip"])
    #expect(try Downloads().fetcher(of: trail.page).follow(trail).name == "a.zip")
    #expect(server.requests.count == 2)
  }

  @Test("under a name that stays in its folder")
  func names() throws {
    for (written, name) in [
      ("..%2F..%2Fetc.zip", "etc.zip"), (".a.zip", "a.zip"), ("a%00%0Ab.zip", "ab.zip"),
    ] {
      #expect(try end("<a href=\"/\(written)\">", ".zip").name == name)
    }
  }

  @Test("and shown without a password")
  func passwords() throws {
    let address = try #require(WebAddress("https://user:secret@publisher.example:8443/a?b=c#d"))
    #expect(address.description == "https://publisher.example:8443/a?b=c")
    #expect(address.text.contains("secret"))
  }
}
