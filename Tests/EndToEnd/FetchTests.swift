import Foundation
import Host
import Synchronization
import TestSupport
import Testing

/// A publisher's site as CMS keeps its own: a list, a page for each release, zips with dates in their names.
private final class Site: Sendable {
  let server: LoopbackServer

  static let list = "/medicare/payment/fee-schedules/physician/pfs-relative-value-files"
  static let updated = "/files/zip/rvu25a-updated-01/10/2025.zip"

  /// `archive`: the answer to who asks for an archive.
  init(_ archive: @escaping @Sendable (LoopbackServer.Request) -> LoopbackServer.Reply) throws {
    server = try LoopbackServer { request in
      switch request.target {
      case Site.list:
        .page(
          """
          <a href="/about">About</a>
          <table><tr><td>2025</td><td><a href="\(Site.list)/rvu25a">RVU25A</a></td></tr>
          <tr><td>2025</td><td><a href="\(Site.list)/rvu25ar">RVU25AR</a></td></tr>
          <tr><td>2025</td><td><a href="\(Site.list)/rvu25d-0">RVU25D</a></td></tr>
          <tr><td>2018</td><td><a href="\(Site.list)-items/RVU18B.html">RVU18B</a></td></tr>
          <tr><td>2026</td><td><a href="\(Site.list)/rvu26a">RVU26A</a></td></tr></table>
          """)
      case Site.list + "/rvu25a":
        .page(
          """
          <a href="/apps/ama/license.asp?file=/files/zip/rvu25a.zip">RVU25A (ZIP)</a>
          <a href="/apps/ama/license.asp?file=\(Site.updated)&amp;x=1">RVU25A - Updated 01/10/2025 (ZIP)</a>
          """)
      case Site.list + "/rvu25ar":
        .page(#"<a href="https://www.cms.gov/files/zip/rvu25ar.zip">RVU25AR (ZIP)</a>"#)
      case Site.list + "/rvu25d-0": .page(#"<a href="/files/zip/rvu25d-0.zip">RVU25D (ZIP)</a>"#)
      case Site.list + "-items/RVU18B.html": .page(#"<a href="/Downloads/RVU18B.ZIP">RVU18B (ZIP)</a>"#)
      case Site.list + "/rvu26a": .page(#"<a href="/a/rvu26a.zip">A</a><a href="/b/rvu26a.zip">B</a>"#)
      case let target where target.hasPrefix("/files/zip/") || target.hasPrefix("/Downloads/"):
        archive(request)
      default: .init(404)
      }
    }
  }
}

/// The command as users call it, against a publisher's site on loopback.
@Suite("rivulet fetch")
struct FetchTests {
  private let scratch: Scratch
  private let program: Program
  private let sample: [UInt8]

  init() throws {
    scratch = try Scratch()
    program = Program(environment: [
      "RIVULET_CACHE": scratch.path + "/cache", "no_proxy": "*",
    ])
    sample = try Files.read(Sample.path)
  }

  private func fetch(_ site: Site, _ release: String, _ more: String...) throws -> Program.Outcome {
    try program.run(
      ["fetch", "cms-rvu", release, "--from", site.server.address, "-o", scratch.path, "--format", "json"]
        + more)
  }

  @Test("finds a release whatever its archive is called, and gets it once")
  func found() throws {
    let site = try Site { [sample] in .file(sample, tag: "\"1\"", for: $0) }
    for (release, target, name) in [
      ("2025A", Site.updated, "rvu25a-updated-01_10_2025.zip"),
      ("2025ar", "/files/zip/rvu25ar.zip", "rvu25ar.zip"),
      ("2025D", "/files/zip/rvu25d-0.zip", "rvu25d-0.zip"), ("2018B", "/Downloads/RVU18B.ZIP", "RVU18B.ZIP"),
    ] {
      let outcome = try fetch(site, release).succeeded()
      #expect(
        try Set(outcome.object().keys) == [
          "pipeline", "release", "url", "file", "bytes", "sha256", "cached", "resumed",
        ])
      #expect(
        try ["pipeline", "release", "url", "file", "bytes", "cached"].map { try outcome.at($0) } == [
          "cms-rvu", release.uppercased(), site.server.address + target, scratch.path + "/" + name,
          "\(sample.count)", "false",
        ])
      #expect(try Files.read(scratch.path + "/" + name) == sample)
      #expect(outcome.errors.contains("licence") == (release == "2025A"))
    }
    let again = try fetch(site, "2025A")
    #expect(try again.at("cached") == "true" && again.at("sha256") != "")
    #expect(site.server.requests(for: Site.updated).last?.fields["if-none-match"] == "\"1\"")
    #expect(site.server.requests.last?.fields["user-agent"]?.hasPrefix("rivulet/") == true)
    // It is what 'run' takes for the release that was asked for.
    let file = try fetch(site, "2025D").at("file")
    let run = try Desk().load("cms-rvu", file, options: ["--format", "json"]).succeeded()
    #expect(try run.at("release") == "2025D")
  }

  @Test("goes on after the program was killed in the middle, and after Ctrl-C", arguments: [SIGKILL, SIGINT])
  func killed(signal: Int32) throws {
    let isHeld = Mutex(true)
    let half = sample.count / 2
    let site = try Site { [sample] request in
      var reply = LoopbackServer.Reply.file(sample, tag: "\"1\"", for: request)
      if isHeld.withLock({ $0 }) { reply.holdAfter = half }
      return reply
    }
    let started = try program.start([
      "fetch", "cms-rvu", "2025D", "--from", site.server.address, "-o", scratch.path, "--format", "json",
    ])
    let end = Date(timeIntervalSinceNow: 60)
    while try parts() != [half], Date() < end { usleep(10_000) }
    #expect(try parts() == [half])
    started.signal(signal)
    let outcome = try started.wait()
    #expect(outcome.status == (signal == SIGKILL ? 137 : 130))
    #expect(!Files.exists(scratch.path + "/rvu25d-0.zip"))
    isHeld.withLock { $0 = false }
    #expect(try fetch(site, "2025D").succeeded().at("resumed") == "true")
    #expect(site.server.requests(for: "/files/zip/rvu25d-0.zip").last?.firstByte == half)
    #expect(try Files.read(scratch.path + "/rvu25d-0.zip") == sample)
    #expect(try parts().isEmpty)
  }

  @Test(
    "says at a terminal how much of the archive is there",
    .enabled(if: Screen.missing == nil, "\(Screen.missing ?? "")"))
  func progress() throws {
    let half = sample.count / 2
    let site = try Site { [sample] request in
      var reply = LoopbackServer.Reply.file(sample, for: request)
      reply.holdAfter = half
      return reply
    }
    let screen = try Screen(
      program,
      ["fetch", "cms-rvu", "2025D", "--from", site.server.address, "-o", scratch.path, "--no-color"])
    try screen.wait(for: "half of the archive") { lines in
      guard let row = lines.last, lines.dropLast().last?.hasPrefix("fetch: ") == true else { return false }
      return row.hasPrefix("  rvu25d-0.zip █") && row.contains(/(49|50)%  \d+\.\d of \d+\.\d kB/)
    }
  }

  /// The sizes of what is on its way.
  private func parts() throws -> [Int] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: scratch.path)
    return names.filter { $0.hasSuffix(".part") }.compactMap { Files.size(scratch.path + "/" + $0) }
  }

  @Test("ends with the code that says what went wrong, and leaves no file")
  func codes() throws {
    let site = try Site { request in
      switch request.target {
      case "/files/zip/rvu25d-0.zip": .page("<html>Please wait</html>")
      case "/files/zip/rvu25ar.zip": .init(404)
      default: .init(503)
      }
    }
    let table: [(release: String, code: Int32, message: String)] = [
      ("2025D", 3, "a web page came in place of 'rvu25d-0.zip'"),
      ("2025AR", 6, "/files/zip/rvu25ar.zip: the server answers 404"),
      ("2018B", 1, "the server answers 503"), ("2024A", 6, "has no link that matches"),
      ("2026A", 3, "2 links that match"), ("25A", 2, "'25A' is no release"),
    ]
    for (release, code, message) in table {
      let outcome = try fetch(site, release, "--retries", "0").failed(code)
      #expect(try outcome.at("error/message").contains(message), "\(outcome.output)")
    }
    #expect(try Files.list(scratch.path) == ["cache"])
    try program.run("fetch", "cms-rvu", "2025D", "--from", "http://nobody.invalid").failed(6)
    for wrong in [
      ["--from", "ftp://a.example"], ["-o", Sample.path], ["--retries", "few"], ["--timeout", "0"],
    ] { try program.run(["fetch", "cms-rvu", "2025D"] + wrong).failed(2) }
    try program.run("fetch", "cms-nothing", "2025D").failed(2)
  }

  @Test("asks by way of the proxy that the environment names, and a mirror that it names")
  func proxy() throws {
    let site = try Site { [sample] in .file(sample, tag: "\"1\"", for: $0) }
    // A proxy that answers by itself what it is asked for.
    let asked = Mutex<[String]>([])
    let proxy = try LoopbackServer { [sample] request in
      asked.withLock { $0.append(request.target) }
      let path = request.target.replacingOccurrences(of: "http://publisher.invalid", with: "")
      return switch path {
      case Site.list: .page(#"<a href="\#(Site.list)/rvu25d-0">RVU25D</a>"#)
      case Site.list + "/rvu25d-0": .page(#"<a href="/files/zip/rvu25d-0.zip">RVU25D</a>"#)
      default: .file(sample, tag: "\"1\"", for: request)
      }
    }
    let behind = Program(environment: [
      "RIVULET_CACHE": scratch.path + "/cache", "http_proxy": proxy.address, "no_proxy": "",
      "NO_PROXY": "",
      "RIVULET_FETCH_BASE": "http://publisher.invalid",
    ])
    try behind.run("fetch", "cms-rvu", "2025D", "-o", scratch.path + "/new/folder").succeeded(
      showing: "sha256")
    #expect(
      asked.withLock { $0 }
        == [
          Site.list, Site.list + "/rvu25d-0", "/files/zip/rvu25d-0.zip",
        ].map { "http://publisher.invalid" + $0 })
    #expect(site.server.requests.isEmpty)
    #expect(try Files.read(scratch.path + "/new/folder/rvu25d-0.zip") == sample)
  }
}
