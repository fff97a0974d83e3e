import Foundation
import Host
import TestSupport
import Testing

@testable import PostgreSQL

/// What needs a cluster that is made already: they take turns on one, and leave it whole.
@Suite(.serialized) struct EmbeddedStateTests {
  @Test func `It is reached by a socket only, in a folder that nobody else can enter`() throws {
    let own = try OwnCluster.shared()
    #expect(try own.value("SHOW listen_addresses") == "")
    #expect(try own.value("SHOW unix_socket_directories") == "\"\(own.folder.socketFolder)\"")
    #expect(own.folder.isPrivate(own.folder.socketFolder, to: own.cluster.account))
    #expect(own.folder.isPrivate(own.folder.data, to: own.cluster.account))
    #expect(
      try own.value(
        "SELECT count(*) FROM pg_hba_file_rules WHERE type <> 'local' AND auth_method <> 'reject'") == "0")
  }

  @Test func `Its text is UTF-8 in the order of bytes, and its pages are checked`() throws {
    let own = try OwnCluster.shared()
    #expect(try own.value("SHOW server_encoding") == "UTF8")
    #expect(
      try own.value("SELECT string_agg(c, '' ORDER BY c) FROM unnest(array['b', 'é', 'a', 'Z']) c") == "Zabé")
    #expect(try own.value("SHOW data_checksums") == "on")
    #expect(try own.value("SHOW fsync") == "off")
  }

  @Test func `The status says version, place, size, process and start`() throws {
    let own = try OwnCluster.shared()
    let running = own.cluster.status()
    #expect(running.state == .running)
    #expect(running.version?.split(separator: ".").count == 2)
    #expect(running.stateFolder == own.folder.path)
    #expect(try #require(running.bytes) > 20_000_000)
    #expect(try #require(running.process) == Int(try #require(own.cluster.liveServer()).process))
    // The server's own word on when it began, which the file gives in whole seconds.
    let began = try #require(
      Int(try own.value("SELECT floor(extract(epoch FROM pg_postmaster_start_time()))::bigint") ?? ""))
    #expect(abs(try #require(running.since) - began) <= 1)

    #expect(try own.cluster.stop())
    let stopped = own.cluster.status()
    #expect(stopped.state == .stopped)
    #expect(stopped.version == running.version?.split(separator: ".").first.map(String.init))
    #expect(stopped.process == nil)
    #expect(try !own.cluster.stop())
  }

  @Test func `What was committed is there after a stop and a start`() throws {
    let own = try OwnCluster.shared()
    try own.connect().execute("DROP TABLE IF EXISTS kept; CREATE TABLE kept AS SELECT 42 AS n")
    try own.cluster.stop()
    #expect(try own.up().count == 1)
    #expect(try own.value("SELECT n FROM kept") == "42")
  }

  @Test func `The server holds nothing of the command that started it`() throws {
    let own = try OwnCluster()
    // As a caller's pipe comes into a command: open, and not marked as its own.
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    try own.cluster.stop()
    try own.up()
    let server = try #require(own.cluster.liveServer())
    let ours = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(ends[1])")
    let folder = "/proc/\(server.process)/fd"
    let held = try own.run("/bin/sh", "-c", "for f in \(folder)/*; do readlink $f; done").split(
      separator: "\n")
    #expect(held.contains { $0 == "/dev/null" })
    #expect(!held.contains { $0 == ours })
    #expect(getsid(server.process) == server.process)
    #expect(getsid(server.process) != getsid(0))
  }

  @Test func `A server that was killed comes back with what was committed`() throws {
    let own = try OwnCluster.shared()
    try own.connect().execute("DROP TABLE IF EXISTS kept; CREATE TABLE kept AS SELECT 42 AS n; CHECKPOINT")
    let server = try #require(own.cluster.liveServer())
    // The shell's own kill: the program of that name is not everywhere.
    #expect(try own.run("/bin/sh", "-c", "kill -KILL \(server.process)") == "")
    let deadline = Machine.seconds + 120
    while own.cluster.liveServer() != nil && Machine.seconds < deadline { Machine.sleep(seconds: 0.01) }
    #expect(own.cluster.status().state == .stopped)
    try own.up()
    #expect(try own.value("SELECT n FROM kept") == "42")
  }

  @Test func `A pid file of a process that is gone is no hindrance`() throws {
    let own = try OwnCluster.shared()
    let file = try Files.readText(PostmasterFile.path(own.folder.data))
    try own.cluster.stop()
    try leave(file, of: "4194304", in: own)
    #expect(own.cluster.status().state == .stopped)
    try own.up()
    #expect(own.cluster.status().state == .running)
  }

  @Test func `A pid file whose number another program has by now is no hindrance`() throws {
    let own = try OwnCluster.shared()
    let file = try Files.readText(PostmasterFile.path(own.folder.data))
    try own.cluster.stop()
    // A program of the server's own user: the server itself would stop.
    let other = try own.run("/bin/sh", "-c", "sleep 60 >/dev/null 2>&1 & echo $!").trimmedLine
    defer { _ = try? own.run("/bin/sh", "-c", "kill \(other)") }
    try leave(file, of: other, in: own)
    #expect(own.cluster.status().state == .stopped)
    #expect(try !own.cluster.stop())
    try own.up()
    #expect(own.cluster.status().state == .running)
    // The program has not been mistaken for the server, and lives.
    #expect(try own.run("/bin/sh", "-c", "kill -0 \(other)") == "")
  }

  @Test func `A socket that somebody removed is made again`() throws {
    let own = try OwnCluster.shared()
    try own.run("rm", "-r", own.folder.socketFolder)
    try own.up()
    #expect(try own.value("SELECT 1") == "1")
  }

  @Test(arguments: [
    (
      "echo 'work_mem = plenty' >> cluster/postgresql.conf", "sed -i /plenty/d cluster/postgresql.conf",
      "invalid value for parameter \"work_mem\": \"plenty\"", ["DATA/postgresql.conf"]
    ),
    (
      "chmod 755 cluster", "chmod -R go= cluster", "has invalid permissions", ["chmod -R go= 'DATA'"]
    ),
    (
      "cp cluster/PG_VERSION . && echo 13 > cluster/PG_VERSION", "mv PG_VERSION cluster/PG_VERSION",
      "was made by PostgreSQL 13", ["apt-get install postgresql-13", "rivulet db destroy"]
    ),
  ])
  func `What is wrong with its files is reported with the way to correct it`(
    damage: String, repair: String, message: String, hints: [String]
  ) throws {
    let own = try OwnCluster.shared()
    try own.cluster.stop()
    try own.run("/bin/sh", "-c", damage)
    let error = try own.refusal()
    try own.run("/bin/sh", "-c", repair)
    let refusal = try #require(error)
    #expect(refusal.message.contains(message))
    #expect(
      !refusal.message.contains("database system is shut down"), "lines of the last run are not of this one")
    for hint in hints {
      #expect(refusal.hint.contains(hint.replacing("DATA", with: own.folder.data)), "\(refusal.hint)")
    }
    try own.up()
  }

  private func leave(_ file: String, of process: String, in own: OwnCluster) throws {
    let rest = file.drop { $0 != "\n" }
    try own.run("/bin/sh", "-c", "printf %s \"$1\" > cluster/postmaster.pid", "sh", process + rest)
  }
}
