import Foundation
import Glibc
import TestSupport
import Testing

/// Servers that go down, or have no more room, while a run is at work.
@Suite("A server", .serialized)
struct ServerFaultTests {
  private static let copying = "SELECT FROM pg_stat_activity WHERE \(HeldCopy.isCopying)"

  @Test("that crashes and comes back within the tries costs a run nothing")
  func crashed() throws {
    let server = try OwnServer()
    let zip = try Samples.make(rows: 100_000)
    let started = try server.program.start(
      ["run", "cms-rvu", zip, "--format", "json", "--retries", "6"] + OwnServer.choice)
    try server.awaitRow(Self.copying)
    try server.crash()
    try server.start()
    let outcome = try started.wait()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("trying again in"))
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    #expect(report["state"] as? String == "published")
    #expect(try server.value(LostConnectionTests.outcome) == "published 1 0")
    let content = try server.value(LostConnectionTests.content)
    let (reference, program) = try Loaded.migrated()
    #expect(try program.run("run", "cms-rvu", zip).status == 0)
    #expect(content == (try reference.value(LostConnectionTests.content)))
  }

  @Test("that crashes and stays away ends a run with 1, and the same command works when it is back")
  func gone() throws {
    let server = try OwnServer()
    #expect(try server.run("run", "cms-rvu", Sample.path).status == 0)
    let content = try server.value(LostConnectionTests.content)
    let zip = try Samples.make(rows: 100_000)
    let arguments = ["run", "cms-rvu", zip, "--force", "--retries", "1"] + OwnServer.choice
    let started = try server.program.start(arguments)
    try server.awaitRow(Self.copying)
    try server.crash()
    let outcome = try started.wait()
    #expect(outcome.status == 1 && outcome.errors.contains("(1 of 1)"), "\(outcome.errors)")
    try server.start()
    #expect(try server.value(LostConnectionTests.content) == content)
    let again = try server.program.run(arguments)
    #expect(again.status == 0, "\(again.errors)")
    #expect(try server.value(LostConnectionTests.outcome) == "published,failed,published 2 0")
  }

  @Test(
    "without room for the rows fails a run with 1, and the same command works when there is room",
    .enabled(if: SmallDevice.isPossible, "needs root and the right to mount a tmpfs"), arguments: [2, 20])
  func full(megabytes: Int) throws {
    let server = try OwnServer(megabytes: 200)
    #expect(try server.run("run", "cms-rvu", Sample.path).status == 0)
    let content = try server.value(LostConnectionTests.content)
    let zip = try Samples.make(rows: 60_000)
    let ballast = try server.fill(leaving: megabytes)
    let arguments = ["run", "cms-rvu", zip, "--force", "--retries", "1"] + OwnServer.choice
    let outcome = try server.program.run(arguments)
    #expect(outcome.status == 1, "\(outcome.errors)")
    // The last page may have been written in part, which the server says in other words.
    let signs = ["No space left on device", "53100", "cannot connect"]
    #expect(signs.contains(where: outcome.errors.contains), "\(outcome.errors)")
    try FileManager.default.removeItem(atPath: ballast)
    try server.start()
    #expect(try server.value(LostConnectionTests.content) == content)
    let again = try server.program.run(arguments)
    #expect(again.status == 0, "\(again.errors)")
    #expect(try server.value(LostConnectionTests.outcome)?.hasSuffix("published 2 0") == true)
  }
}
