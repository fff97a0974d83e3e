import Fetching
import Foundation
import Host
import Synchronization
import TestSupport
import Testing
import Values

/// What servers and networks do, and what becomes of a download.
@Suite("A download")
struct DownloadTests {
  let archive = zip(bytes: 300_000)

  /// The error that a body throws, as a download's.
  private func failure(_ body: () throws -> Void) throws -> FetchError {
    let error = #expect(throws: FetchError.self) { try body() }
    return try #require(error)
  }

  @Test("comes whole, and is kept by its digest")
  func whole() throws {
    let downloads = try Downloads()
    let server = try LoopbackServer { [archive] in .file(archive, for: $0) }
    let file = try downloads.file(server)
    #expect(try downloads.bytes(file) == archive)
    #expect(file.sha256 == SHA256.hex(of: archive))
    #expect(file.path.hasSuffix("/files/\(file.sha256)"))
    #expect(file.bytes == archive.count)
    #expect(!file.isCached && !file.isResumed)
    #expect(try downloads.parts().isEmpty)
  }

  @Test("is not made again while the server says that nothing has changed", arguments: [true, false])
  func cached(knowsTags: Bool) throws {
    let downloads = try Downloads()
    let server = try LoopbackServer { [archive] request in
      knowsTags
        ? .file(archive, for: request)
        : .init(200, ["Last-Modified": "Fri, 10 Jan 2025 12:00:00 GMT"], body: archive)
    }
    let first = try downloads.file(server)
    let second = try downloads.file(server)
    #expect(!first.isCached)
    #expect(second.isCached)
    #expect(second.path == first.path)
    #expect(try downloads.bytes(second) == archive)
    #expect(server.requests.last?.fields[knowsTags ? "if-none-match" : "if-modified-since"] != nil)
  }

  @Test(
    "is made again when the server has other content, or the cache was spoilt, or nothing distinguishes it")
  func notCached() throws {
    let other = zip(bytes: 1_000, seed: 9)
    let downloads = try Downloads()
    let server = try LoopbackServer { [archive] request in
      request.before < 1
        ? .file(archive, for: request) : .file(other, tag: "\"2\"", for: request)
    }
    _ = try downloads.file(server)
    let second = try downloads.file(server)
    #expect(!second.isCached)
    #expect(try downloads.bytes(second) == other)
    try Files.write("spoilt", to: second.path)
    let third = try downloads.file(server)
    #expect(!third.isCached)
    #expect(try downloads.bytes(third) == other)

    let nameless = try LoopbackServer { [archive] _ in .init(200, body: archive) }
    _ = try downloads.file(nameless)
    #expect(try !downloads.file(nameless).isCached)
  }

  @Test("goes on where the connection was cut")
  func resumes() throws {
    let downloads = try Downloads()
    let server = try LoopbackServer { [archive] request in
      .file(archive, for: request).cut(after: request.before < 2 ? 100_000 : nil)
    }
    let file = try downloads.file(server)
    #expect(try downloads.bytes(file) == archive)
    #expect(file.isResumed)
    #expect(server.requests.map(\.firstByte) == [nil, 100_000, 200_000])
    #expect(server.requests.dropFirst().allSatisfy { $0.fields["if-range"] == "\"1\"" })
    #expect(downloads.reported.count == 2)
    #expect(downloads.reported[0].contains("before all bytes had come"))
  }

  @Test("is stopped when every connection is cut, and gone on with by the next call")
  func cutAlways() throws {
    let downloads = try Downloads()
    downloads.limits.retries = 2
    let isFixed = Mutex(false)
    let server = try LoopbackServer { [archive] request in
      .file(archive, for: request).cut(after: !isFixed.withLock({ $0 }) ? 10_000 : nil)
    }
    let error = try failure { _ = try downloads.file(server) }
    #expect(error.kind == .failed)
    #expect(error.description.contains("stopped after 3 tries"))
    #expect(server.requests.count == 3)
    #expect(try downloads.parts().count == 1)
    isFixed.withLock { $0 = true }
    let file = try downloads.file(server)
    #expect(file.isResumed)
    #expect(server.requests.last?.firstByte == 30_000)
    #expect(try downloads.bytes(file) == archive)
  }

  @Test("survives any number of cuts that each bring much")
  func worthwhile() throws {
    let downloads = try Downloads()
    downloads.limits.retries = 1
    downloads.limits.worthwhile = 50_000
    let server = try LoopbackServer { [archive] request in
      .file(archive, for: request).cut(after: 60_000)
    }
    #expect(try downloads.bytes(downloads.file(server)) == archive)
    #expect(server.requests.count == 6)
  }

  @Test("starts from the beginning at a server that knows no parts")
  func ignoresRange() throws {
    let downloads = try Downloads()
    let server = try LoopbackServer { [archive] request in
      LoopbackServer.Reply(200, ["ETag": "\"1\""], body: archive).cut(
        after: request.before == 0 ? 100_000 : nil)
    }
    let file = try downloads.file(server)
    #expect(server.requests.last?.firstByte == 100_000)
    #expect(try downloads.bytes(file) == archive)
    #expect(!file.isResumed)
  }

  @Test("starts from the beginning when the content changes between its parts, even if the server joins them")
  func changed() throws {
    let other = zip(bytes: 300_000, seed: 7)
    for isHonest in [true, false] {
      let downloads = try Downloads()
      let server = try LoopbackServer { [archive] request in
        if request.before == 0 {
          return .file(archive, for: request).cut(after: 100_000)
        }
        guard !isHonest, let first = request.firstByte else {
          return .file(other, tag: "\"2\"", for: request)
        }
        let range = "bytes \(first)-\(other.count - 1)/\(other.count)"
        return .init(206, ["ETag": "\"2\"", "Content-Range": range], body: Array(other[first...]))
      }
      let file = try downloads.file(server)
      #expect(try downloads.bytes(file) == other)
      #expect(!file.isResumed)
    }
  }

  @Test("does not go on by a weak tag, which does not tell bytes apart")
  func weakTag() throws {
    let downloads = try Downloads()
    let server = try LoopbackServer { [archive] request in
      LoopbackServer.Reply(200, ["ETag": "W/\"1\""], body: archive).cut(
        after: request.before == 0 ? 100_000 : nil)
    }
    #expect(try downloads.bytes(downloads.file(server)) == archive)
    #expect(server.requests.last?.firstByte == nil)
  }

  @Test("is refused when the server announces too few bytes, and stopped when it announces too many")
  func wrongLength() throws {
    let downloads = try Downloads()
    downloads.limits.retries = 1
    let few = try LoopbackServer { [archive] _ in
      .init(200, ["Content-Length": "1000"], body: archive)
    }
    let cutOff = try failure { _ = try downloads.file(few) }
    #expect(cutOff.kind == .wrong)
    #expect(cutOff.description.contains("cut off"))
    #expect(try downloads.parts().isEmpty)

    let many = try LoopbackServer { [archive] _ in
      .init(200, ["Content-Length": "\(archive.count + 5)", "ETag": "\"1\""], body: archive)
    }
    let tooFew = try failure { _ = try downloads.file(many) }
    #expect(tooFew.kind == .failed)
    #expect(tooFew.description.contains("before all bytes had come"))
  }

  @Test("is refused when it was cut off and the server announced no length")
  func unknownLength() throws {
    let downloads = try Downloads()
    let server = try LoopbackServer { [archive] _ in
      var reply = LoopbackServer.Reply(200, body: archive)
      reply.hidesLength = true
      reply.cutAfter = 200_000
      return reply
    }
    let error = try failure { _ = try downloads.file(server) }
    #expect(error.kind == .wrong)
    #expect(error.description.contains("its list of entries has not come"))
  }

  @Test(
    "is refused when it is not what its name says",
    arguments: [
      ("a.zip", "\u{feff}\n<!DOCTYPE html><html><body>Sorry</body></html>", "a web page came"),
      ("a.csv", "<html>", "a web page came"),
      ("a.zip", "not a zip", "what came is no zip file"),
      ("a.csv.gz", "code,rate\n", "what came is no gzip file"),
      ("a.txt", "", "an empty file came"),
    ])
  func wrongContent(name: String, text: String, message: String) throws {
    let downloads = try Downloads()
    let server = try LoopbackServer { _ in
      .init(200, ["Content-Type": "application/zip"], body: Array(text.utf8))
    }
    let error = try failure { _ = try downloads.file(server, "/" + name, named: name) }
    #expect(error.kind == .wrong)
    #expect(error.description.contains(message))
    #expect(server.requests.count == 1)
    #expect(!Files.exists(downloads.cache.folder + "/files"))
  }

  @Test("is not tried again where the answer will not change", arguments: [403, 404, 410, 500])
  func lasting(status: Int) throws {
    let downloads = try Downloads()
    let server = try LoopbackServer { _ in .init(status, body: Array("<html>no</html>".utf8)) }
    let error = try failure { _ = try downloads.file(server) }
    #expect(error.kind == (status == 500 ? .failed : .missing))
    #expect(error.description.contains("the server answers \(status)"))
    #expect(error.description.contains("/a.zip"))
    #expect(server.requests.count == 1)
  }

  @Test("waits as the server asks", arguments: [429, 503])
  func retryAfter(status: Int) throws {
    let downloads = try Downloads()
    let server = try LoopbackServer { [archive] request in
      request.before == 0
        ? .init(status, ["Retry-After": "1"]) : .file(archive, for: request)
    }
    #expect(try downloads.bytes(downloads.file(server)) == archive)
    #expect(server.requests.count == 2)
    #expect(downloads.reported.first?.contains("trying again in 1 s") == true)
  }

  @Test("is stopped where the server asks to wait for hours")
  func longWait() throws {
    let downloads = try Downloads()
    let server = try LoopbackServer { _ in .init(429, ["Retry-After": "7200"]) }
    let error = try failure { _ = try downloads.file(server) }
    #expect(error.kind == .failed)
    #expect(error.description.contains("asks to wait 7200 s"))
    #expect(server.requests.count == 1)
  }

  @Test("survives an overloaded server, and a part that a broken answer comes between")
  func overloaded() throws {
    let downloads = try Downloads()
    let server = try LoopbackServer { [archive] request in
      if request.before == 1 { return .init(503, body: Array("<html>busy</html>".utf8)) }
      return .file(archive, for: request).cut(after: request.before == 0 ? 50_000 : nil)
    }
    let file = try downloads.file(server)
    #expect(try downloads.bytes(file) == archive)
    #expect(file.isResumed)
  }

  @Test("is sent on, but not for ever, and only to the web")
  func redirects() throws {
    let downloads = try Downloads()
    let server = try LoopbackServer { [archive] request in
      switch request.target {
      case "/a.zip": .redirect("/b.zip")
      case "/b.zip": .file(archive, for: request)
      case "/circle.zip": .redirect("/back.zip")
      case "/back.zip": .redirect("/circle.zip")
      default: .redirect("file:///etc/passwd")
      }
    }
    #expect(try downloads.bytes(downloads.file(server)) == archive)
    let circle = try failure { _ = try downloads.file(server, "/circle.zip") }
    #expect(circle.description.contains("sends on from address to address"))
    #expect(server.requests.count { $0.target == "/circle.zip" || $0.target == "/back.zip" } == 11)
    let local = try failure { _ = try downloads.file(server, "/local.zip") }
    #expect(local.description.contains("neither http nor https"))
  }

  @Test("is cut and gone on with when it drips too slowly, and stopped when it always does")
  func drips() throws {
    let downloads = try Downloads()
    downloads.limits.timeout = 1
    downloads.limits.retries = 1
    let isSlow = Mutex(true)
    let server = try LoopbackServer { [archive] request in
      var reply = LoopbackServer.Reply.file(archive, for: request)
      if isSlow.withLock({ $0 }) { reply.drip = 3 }
      return reply
    }
    let error = try failure { _ = try downloads.file(server) }
    #expect(error.kind == .failed)
    #expect(error.description.contains("next to nothing came"))
    isSlow.withLock { $0 = false }
    downloads.limits.timeout = 30
    let file = try downloads.file(server)
    #expect(file.isResumed)
    #expect(try downloads.bytes(file) == archive)
  }

  @Test("says at once that there is no such host, and after some tries that nobody listens")
  func unreachable() throws {
    let downloads = try Downloads()
    downloads.limits.retries = 1
    let nowhere = try #require(WebAddress("http://nowhere.invalid/a.zip"))
    let missing = try failure { _ = try downloads.fetcher(of: nowhere).file(at: nowhere, named: "a.zip") }
    #expect(missing.kind == .missing)
    #expect(missing.description.contains("there is no host 'nowhere.invalid'"))
    // Port 1 is the system's own, and nothing listens there.
    let deaf = try #require(WebAddress("http://127.0.0.1:1/a.zip"))
    let refused = try failure { _ = try downloads.fetcher(of: deaf).file(at: deaf, named: "a.zip") }
    #expect(refused.kind == .failed)
    #expect(refused.description.contains("Connection refused; stopped after 2 tries"))
  }

  @Test("of all bytes that only lacked its place is not made again")
  func wholePart() throws {
    let downloads = try Downloads()
    downloads.limits.retries = 0
    let server = try LoopbackServer { [archive] request in
      .file(archive, for: request).cut(after: request.before == 0 ? 299_000 : nil)
    }
    _ = try failure { _ = try downloads.file(server) }
    let part = downloads.cache.folder + "/" + (try #require(try downloads.parts().first))
    try Files.write(archive, to: part)
    #expect(try downloads.bytes(downloads.file(server)) == archive)
    #expect(server.requests.last?.firstByte == archive.count)
    #expect(server.requests.count == 2)
  }

  @Test("of one address by two at once is made by one; the other waits, or hears that it is busy")
  func busy() throws {
    let downloads = try Downloads()
    let started = DispatchSemaphore(value: 0)
    let goOn = DispatchSemaphore(value: 0)
    let server = try LoopbackServer { [archive] request in
      if request.before == 0 {
        started.signal()
        goOn.wait()
      }
      return .file(archive, for: request)
    }
    let address = try #require(WebAddress(server.address + "/a.zip"))
    let cache = downloads.cache
    let results = Mailbox<Result<FetchedFile, any Error>>()
    let fetch: @Sendable (Double) -> Result<FetchedFile, any Error> = { wait in
      Result {
        try Fetcher(cache: cache, mirror: Mirror(of: address), agent: "test").file(
          at: address, named: "a.zip", lockWait: wait)
      }
    }
    BackgroundThread.start { results.put(fetch(0)) }
    started.wait()
    let error = try failure { _ = try fetch(0).get() }
    #expect(error.kind == .busy)
    BackgroundThread.start { results.put(fetch(60)) }
    goOn.signal()
    let files = try [results.take().get(), results.take().get()]
    #expect(files.map(\.isCached).sorted { !$0 && $1 } == [false, true])
  }

  @Test("takes its place in a folder whole, and says what it replaced")
  func placed() throws {
    let downloads = try Downloads()
    let server = try LoopbackServer { [archive] in .file(archive, for: $0) }
    let file = try downloads.file(server)
    let path = downloads.scratch.path + "/a.zip"
    #expect(try file.place(at: path) == .new)
    #expect(try Files.read(path) == archive)
    #expect(try file.place(at: path) == .same)
    try Files.write("mine", to: path)
    #expect(try file.place(at: path) == .replaced)
    #expect(try Files.read(path) == archive)
    #expect(try Files.list(downloads.scratch.path) == ["a.zip", "cache"])
  }
}
