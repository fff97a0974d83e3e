import Foundation
import PostgreSQL
import TestSupport
import Testing

/// Servers that go down, or have no more room, while a run is at work.
@Suite("A server")
struct ServerFaultTests {
  private static let copying = "SELECT FROM pg_stat_activity WHERE \(HeldCopy.isCopying)"

  /// A migrated database on a server, and the program with it.
  private func migrated(on server: CrashingServer) throws -> (TestDatabase, Program) {
    let database = try server.makeDatabase()
    let program = Program(database: database.url)
    try program.run("migrate", "up").succeeded()
    return (database, program)
  }

  /// Started again, the server has the content that it had, and the command that has failed works. Gives whether it
  /// has.
  private func expectExact(
    _ server: CrashingServer, _ database: TestDatabase, _ content: String?, _ program: Program,
    _ words: [String]
  ) throws -> Bool {
    try server.start()
    let isExact = try database.value(LostConnectionTests.content) == content
    #expect(isExact)
    try program.run(words).succeeded()
    #expect(try database.value(LostConnectionTests.outcome)?.hasSuffix("published 2 0") == true)
    return isExact
  }

  @Test("that crashes and comes back within the tries costs a run nothing")
  func crashed() throws {
    let server = try CrashingServer()
    let (database, program) = try migrated(on: server)
    let zip = try Samples.make(rows: 100_000)
    let started = try program.start(["run", "cms-rvu", zip, "--format", "json", "--retries", "6"])
    try #require(try database.finds(Self.copying))
    try server.crash()
    try server.start()
    let outcome = try started.wait().succeeded()
    #expect(outcome.errors.contains("trying again in"))
    #expect(try outcome.object()["state"] as? String == "published")
    #expect(try database.value(LostConnectionTests.outcome) == "published 1 0")
    let (reference, other) = try Loaded.migrated()
    try other.run("run", "cms-rvu", zip).succeeded()
    let content = LostConnectionTests.content
    let isExact = try database.value(content) == (try reference.value(content))
    #expect(isExact)
    Reliability.record(.crash, "`run` that loads, and goes on by itself", lost: isExact ? 0 : 1)
  }

  @Test("that crashes and stays away ends a run with 1, and the same command works when it is back")
  func gone() throws {
    let server = try CrashingServer()
    let (database, program) = try migrated(on: server)
    try program.run("run", "cms-rvu", Sample.path).succeeded()
    let content = try database.value(LostConnectionTests.content)
    let words =
      ["run", "cms-rvu", try Samples.make(rows: 100_000), "--force", "--retries", "1"] + Loaded.unlikeTheLast
    let started = try program.start(words)
    try #require(try database.finds(Self.copying))
    try server.crash()
    try started.wait().failed(1, saying: "(1 of 1)")
    try server.start()
    let isExact = try database.value(LostConnectionTests.content) == content
    #expect(isExact)
    try program.run(words).succeeded()
    #expect(try database.value(LostConnectionTests.outcome) == "published,failed,published 2 0")
    Reliability.record(.crash, "`run` that loads, for longer than it tries", lost: isExact ? 0 : 1)
  }

  @Test(
    "without room for the rows fails a run with 1, and the same command works when there is room",
    .enabled(if: SmallDevice.isPossible, "needs root and the right to mount a tmpfs"), arguments: [2, 20])
  func full(megabytes: Int) throws {
    let server = try CrashingServer(megabytes: 200)
    let (database, program) = try migrated(on: server)
    try program.run("run", "cms-rvu", Sample.path).succeeded()
    let content = try database.value(LostConnectionTests.content)
    let words =
      ["run", "cms-rvu", try Samples.make(rows: 60_000), "--force", "--retries", "1"] + Loaded.unlikeTheLast
    let ballast = try #require(try server.device?.fill(leaving: megabytes))
    let outcome = try program.run(words).failed(1)
    // The last page may have been written in part, which the server says in other words.
    let signs = ["No space left on device", "53100", "cannot connect"]
    #expect(signs.contains(where: outcome.errors.contains), "\(outcome.errors)")
    try FileManager.default.removeItem(atPath: ballast)
    let isExact = try expectExact(server, database, content, program, words)
    Reliability.record(
      .full, "`run` on an embedded server: data, log and state folder", lost: isExact ? 0 : 1)
  }

  @Test(
    "without room for its write-ahead log ends a run with 1, and the same command works when there is room",
    .enabled(if: SmallDevice.isPossible, "needs root and the right to mount a tmpfs"))
  func fullLog() throws {
    let server = try CrashingServer(settings: [
      // New tables are written ahead too; nothing of the log is kept for later, and no checkpoint makes room.
      "wal_level": "replica", "wal_recycle": "off", "min_wal_size": "32MB", "max_wal_size": "4GB",
      "checkpoint_timeout": "1h",
    ])
    let (database, program) = try migrated(on: server)
    try program.run("run", "cms-rvu", Sample.path).succeeded()
    let content = try database.value(LostConnectionTests.content)
    let device = try server.moveLog(toDeviceOf: 400)
    try database.connect().execute("CHECKPOINT")
    let ballast = try device.fill(leaving: 8)
    let words =
      ["run", "cms-rvu", try Samples.make(rows: 100_000), "--force", "--retries", "1"] + Loaded.unlikeTheLast
    let outcome = try program.run(words).failed(1)
    let signs = ["lost", "cannot connect", "No space left on device"]
    #expect(signs.contains(where: outcome.errors.contains), "\(outcome.errors)")
    #expect(try server.log().contains("No space left on device"))
    try FileManager.default.removeItem(atPath: ballast)
    let isExact = try expectExact(server, database, content, program, words)
    Reliability.record(.full, "write-ahead log of the server, during `run`", lost: isExact ? 0 : 1)
  }
}
