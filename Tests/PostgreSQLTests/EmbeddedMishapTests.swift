import Foundation
import Host
import TestSupport
import Testing

@testable import PostgreSQL

/// What happens to servers and their folders, and what the next command makes of it.
@Suite struct EmbeddedMishapTests {
  @Test func `A command killed while it makes the cluster leaves nothing in the way`() async throws {
    let own = try OwnCluster()
    let path = own.folder.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      _ = try EmbeddedCluster(stateFolder: path, isDurable: false).ensureRunning { _ in
        BackgroundThread.start {
          // In the middle of it, however long that takes.
          let made = path + "/cluster.new-\(getpid())/PG_VERSION"
          while !Files.exists(made) { Machine.sleep(seconds: 0.005) }
          kill(getpid(), SIGKILL)
        }
      }
    }
    #expect(!Files.exists(own.folder.data))
    #expect(try !Files.list(own.folder.path).isEmpty, "killed too slowly to have left anything")
    #expect(try own.up().count == 2)
    #expect(try Files.list(own.folder.path).sorted() == ["cluster", "run", "server.log"])
  }

  /// One that the `initdb` of a killed command still writes into for a moment is such a folder.
  @Test func `A folder left behind that cannot be removed yet is removed as soon as it can be`() throws {
    let own = try OwnCluster()
    try own.folder.prepare(for: own.cluster.account)
    let kept = own.folder.path + "/cluster.new-1/base"
    try own.run("/bin/sh", "-c", "mkdir -p \"$1\" && touch \"$1\"/file && chmod 000 \"$1\"", "sh", kept)
    BackgroundThread.start {
      Machine.sleep(seconds: 0.7)
      chmod(kept, 0o700)
    }
    try own.up()
    #expect(try Files.list(own.folder.path).sorted() == ["cluster", "run", "server.log"])
  }

  @Test func `Damaged data is reported as such`() throws {
    let own = try OwnCluster()
    try own.up()
    try own.cluster.stop()
    try own.run("/bin/sh", "-c", "rm cluster/pg_wal/0*")
    let error = try #require(try own.refusal())
    #expect(error.message.contains("could not locate a valid checkpoint record"))
    #expect(error.hint.contains("rivulet db destroy"))
  }

  @Test func `Something else in the data's place is neither used nor removed`() throws {
    let own = try OwnCluster()
    try own.folder.prepare(for: own.cluster.account)
    try own.run("mkdir", "cluster")
    try own.run("touch", "cluster/thesis.txt")
    guard case .notACluster = try own.refusal() else {
      Issue.record("not refused")
      return
    }
    #expect(throws: EmbeddedClusterError.self) { try own.cluster.destroy() }
    #expect(Files.exists(own.folder.data + "/thesis.txt"))
  }

  @Test func `A socket folder that others can enter is refused`() throws {
    let own = try OwnCluster(String(repeating: "long/", count: 20) + "state")
    try Files.makeDirectory(own.folder.socketFolder, mode: 0o777)
    defer { try? Files.remove(own.folder.socketFolder) }
    guard case .unsafeSocketFolder(let path) = try own.refusal() else {
      Issue.record("not refused")
      return
    }
    #expect(path == own.folder.socketFolder)
  }
}
