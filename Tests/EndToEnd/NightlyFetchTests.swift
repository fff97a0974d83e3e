import Foundation
import Synchronization
import TestSupport
import Testing

/// New releases that a night fetches from their publisher.
@Suite("The releases of a publisher, at night")
struct NightlyFetchTests {
  /// What a publisher has, by the names of archives; one without content is listed and not there.
  private final class Stock: Sendable {
    let archives = Mutex<[String: [UInt8]]>([:])
  }

  private let night: Night
  private let stock: Stock
  private let server: LoopbackServer

  init() throws {
    night = try Night("fetch: [{pipeline: items, folder: archives}]")
    try night.edit(
      "Pipelines/items/pipeline.yaml", "publish: release",
      to: """
        publish: release
        fetch:
          page: https://publisher.example/list
          release: '20(\\d{2})([A-D])'
          list: {link: '/items(\\d{2})([a-d])\\.zip$', name: '20$1$2'}
          steps:
            - link: '/items$1$2\\.zip$'
        """)
    let stock = Stock()
    self.stock = stock
    server = try LoopbackServer { request in
      let archives = stock.archives.withLock { $0 }
      if request.target == "/list" {
        let links = archives.keys.sorted().map { "<a href=\"/get/\($0)\">\($0)</a>" }
        return .page("<a href=\"/about\">About</a>" + links.joined())
      }
      guard let body = archives[request.target.replacing("/get/", with: "")], !body.isEmpty else {
        return .init(404)
      }
      return .file(body, tag: "\"\(body.hashValue)\"", for: request)
    }
  }

  /// Has the publisher list an archive of some records, or of none yet.
  private func publish(_ name: String, _ records: String?) throws {
    var body: [UInt8] = []
    if let records {
      let folder = "made/\(UUID().uuidString)"
      try night.write(folder, ["ITEM.csv": records])
      try Archive.zip(night.path(folder), to: night.path(folder + ".zip"))
      body = try [UInt8](Data(contentsOf: URL(filePath: night.path(folder + ".zip"))))
    }
    stock.archives.withLock { $0[name] = body }
  }

  /// A night that asks this publisher, or one at another address.
  private func pass(at address: String? = nil, _ options: String...) throws -> Night.Summary {
    let program = Program(
      database: night.database.url,
      environment: [
        "RIVULET_CACHE": night.path("cache"), "RIVULET_FETCH_BASE": address ?? server.address,
        "no_proxy": "*",
      ])
    return try Night.Summary(
      program.run(["nightly", "--format", "json", "--retries", "0"] + options + night.project))
  }

  /// What became of the releases, as `2025A fetched`.
  private func fetched(_ summary: Night.Summary) -> [String] {
    (summary.document["fetched"] as? [[String: Any]] ?? []).map {
      "\($0["release"] as? String ?? "-") \($0["state"] as? String ?? "-")"
    }
  }

  @Test("are fetched and loaded where they are newer than what is here, each once")
  func new() throws {
    for name in ["items24d.zip", "items25a.zip"] {
      try publish(name, Night.item(String(name.dropLast(4).suffix(3))))
    }
    // The whole history is not loaded where nothing is here.
    let first = try pass()
    #expect(
      fetched(first) == ["2025A fetched"] && first.runs == ["2025A published"], "\(first.outcome.errors)")
    #expect(first.outcome.status == 0)
    #expect(FileManager.default.fileExists(atPath: night.path("archives/items25a.zip")))
    let second = try pass()
    #expect(fetched(second).isEmpty && second.runs.isEmpty && second.outcome.status == 0)
    #expect(server.requests(for: "/get/items25a.zip").count == 1)
    #expect(server.requests(for: "/get/items24d.zip").isEmpty)

    // Two that are new come in their order, and one that is listed before it is there is no problem.
    try publish("items25c.zip", Night.item("c001"))
    try publish("items25b.zip", Night.item("b001"))
    try publish("items25d.zip", nil)
    let third = try pass()
    #expect(fetched(third) == ["2025B fetched", "2025C fetched", "2025D not_published"])
    #expect(third.runs == ["2025B published", "2025C published"] && third.outcome.status == 0)
    try publish("items25d.zip", Night.item("d001"))
    #expect(try pass().runs == ["2025D published"])
  }

  @Test("that are refused are neither fetched nor loaded again, until the publisher has changed them")
  func refused() throws {
    try publish("items25a.zip", Night.bad("a001"))
    let first = try pass()
    #expect(first.runs == ["2025A refused"] && first.problems == ["runs 3"], "\(first.outcome.errors)")
    let second = try pass()
    #expect(second.runs.isEmpty && second.problems == ["runs 3"])
    #expect(fetched(second) == ["2025A unchanged"])
    try publish("items25a.zip", Night.item("a001"))
    let third = try pass()
    #expect(fetched(third) == ["2025A fetched"] && third.runs == ["2025A published"], "\(third.messages)")
    #expect(third.problems.isEmpty)
  }

  @Test("are loaded in the night that fetches them, also into a folder that is watched")
  func watched() throws {
    try night.define(Night.watching + "\nfetch: [{pipeline: items, folder: incoming/}]")
    try publish("items25a.zip", Night.item("a001"))
    let summary = try pass()
    #expect(summary.runs == ["2025A published"] && summary.waiting.isEmpty)
  }

  @Test("of a publisher that cannot be reached are a problem of that step; the others are done")
  func unreachable() throws {
    try night.define(Night.watching + "\nfetch: [{pipeline: items, folder: archives}]")
    try night.put("ITEM_25a_.csv", Night.item("a001"))
    let nowhere = try pass(at: "http://127.0.0.1:1")
    #expect(nowhere.problems == ["fetch 6"] && nowhere.outcome.status == 6, "\(nowhere.messages)")
    #expect(nowhere.runs == ["2025A published"])
    // Neither is one whose list is gone.
    let gone = try LoopbackServer { _ in .init(404) }
    #expect(try pass(at: gone.address).problems == ["fetch 6"])
  }

  @Test("need a pipeline that says where its releases are listed")
  func unsaid() throws {
    try night.edit(
      "Pipelines/items/pipeline.yaml", "list: {link: '/items(\\d{2})([a-d])\\.zip$', name: '20$1$2'}", to: "")
    let summary = try pass()
    #expect(summary.problems == ["fetch 2"])
    #expect(summary.messages.contains("has no key 'list'"), "\(summary.messages)")
  }
}
