import Dispatch
import Foundation
import Host
import Synchronization
import TestSupport
import Testing

@testable import PostgreSQL

@Suite struct EmbeddedClusterTests {
  @Test func `The first use makes and starts it, the second finds it running`() throws {
    let own = try OwnCluster()
    #expect(own.cluster.status().state == .absent)
    let reports = try own.up()
    #expect(reports.count == 2)
    #expect(reports.first?.hasPrefix("making a private PostgreSQL ") == true)
    #expect(
      try own.value("SELECT current_database() || ' ' || current_user") == "rivulet rivulet")

    #expect(try own.up() == [])
    #expect(try own.starts() == 1)
  }

  @Test func `One that people keep is durable`() throws {
    let scratch = try Scratch()
    let cluster = try EmbeddedCluster(stateFolder: scratch.path + "/state")
    defer { _ = try? cluster.destroy() }
    let connection = try Connection(to: try cluster.ensureRunning())
    for setting in ["fsync", "synchronous_commit", "full_page_writes"] {
      #expect(try connection.query("SHOW \(setting)")[0][0] == "on")
    }
    let buffers: Int = try connection.query("SELECT pg_size_bytes(current_setting('shared_buffers')) >> 20")[
      0
    ].value(0)
    #expect(buffers == EmbeddedCluster.sharedBuffers(ofMemory: Machine.memory))
  }

  @Test(arguments: [(256, 128), (1_024, 128), (4_096, 512), (24_000, 1_024)])
  func `Its buffers are an eighth of the memory, within bounds`(memory: Int, buffers: Int) {
    #expect(EmbeddedCluster.sharedBuffers(ofMemory: memory << 20) == buffers)
  }

  @Test func `Threads at once make and start it once`() throws {
    let own = try OwnCluster()
    let reports = Mutex<[String]>([])
    let cluster = own.cluster
    DispatchQueue.concurrentPerform(iterations: 6) { _ in
      do {
        let target = try cluster.ensureRunning { report in reports.withLock { $0.append(report) } }
        _ = try Connection(to: target)
      } catch {
        Issue.record(error)
      }
    }
    #expect(reports.withLock { $0.count } == 2)
    #expect(try own.starts() == 1)
  }

  @Test func `Processes at once make and start it once`() async throws {
    let own = try OwnCluster()
    let path = own.folder.path
    await withTaskGroup { group in
      for _ in 0..<3 {
        group.addTask {
          await #expect(processExitsWith: .success) { [path = path as String] in
            _ = try Connection(to: try EmbeddedCluster(stateFolder: path, isDurable: false).ensureRunning())
          }
        }
      }
    }
    #expect(try own.starts() == 1)
    // It outlives the processes that started it.
    #expect(own.cluster.status().state == .running)
  }

  @Test func `Destroying it removes everything of it, and nothing else`() throws {
    let own = try OwnCluster()
    #expect(try !own.cluster.destroy())
    try own.up()
    try own.run("touch", "of-somebody-else")
    #expect(try own.cluster.destroy())
    #expect(try Files.list(own.folder.path) == ["of-somebody-else"])
    #expect(own.cluster.status().state == .absent)

    try own.run("rm", "of-somebody-else")
    #expect(try !own.cluster.destroy())
    #expect(!Files.exists(own.folder.path))
  }

  @Test func `The URI is good for psql, whatever the folder is called`() throws {
    let own = try OwnCluster("o'dd \"na$me\", x%41 \\é")
    try own.up()
    let psql = try #require(try own.cluster.shellCommand().first)
    let byURL = try Subprocess([psql, own.cluster.url, "-XAtc", "SELECT current_user"]).run()
    #expect(byURL.output == "rivulet\n")
    let byShell = try Subprocess(own.cluster.shellCommand() + ["-XAtc", "SELECT current_database()"]).run()
    #expect(byShell.output == "rivulet\n")
    #expect(try own.cluster.stop())
  }

  @Test func `A state folder too deep for a socket gets a short folder for it, found again`() throws {
    let own = try OwnCluster(String(repeating: "long/", count: 20) + "state")
    #expect(own.folder.socket.utf8.count <= 107)
    #expect(own.folder.socketFolder.hasPrefix("/tmp/rivulet-"))
    try own.up()
    #expect(own.folder.isPrivate(own.folder.socketFolder, to: own.cluster.account))
    #expect(try Connection(to: EmbeddedCluster(stateFolder: own.folder.path).ensureRunning()).backendID > 0)
    try own.cluster.destroy()
    #expect(!Files.exists(own.folder.socketFolder))
  }

  @Test func `Variables of PostgreSQL's clients lead nowhere else`() async throws {
    let own = try OwnCluster()
    let path = own.folder.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      let misleading = [
        "PGHOST": "nowhere.invalid", "PGHOSTADDR": "192.0.2.1", "PGPORT": "1", "PGUSER": "nobody",
        "PGDATABASE": "nothing", "PGDATA": "/nowhere", "PGCONNECT_TIMEOUT": "1", "LC_ALL": "xx_XX.UTF-8",
      ]
      for variable in misleading { setenv(variable.key, variable.value, 1) }
      let connection = try Connection(
        to: try EmbeddedCluster(stateFolder: path, isDurable: false).ensureRunning())
      #expect(try connection.query("SELECT current_database()")[0][0] == "rivulet")
    }
  }

}
