import Host
import TestSupport
import Testing

@testable import PostgreSQL

@Suite struct ServerProgramsTests {
  /// A folder that looks like the `bin` of a server.
  private func install(_ version: String, as name: String, in scratch: Scratch) throws -> String {
    for program in ["postgres", "initdb", "pg_ctl"] {
      let file = try scratch.write(
        "\(name)/\(program)", "#!/bin/sh\necho '\(program) (PostgreSQL) \(version)'\n")
      _ = try Subprocess(["chmod", "755", file]).run()
    }
    return try #require(Path.resolved(scratch.path + "/" + name))
  }

  @Test func `The newest server is chosen, by number`() throws {
    let scratch = try Scratch()
    let folders = try [("15.9", "a"), ("9.6.24", "b"), ("17.2 (Debian 17.2-1)", "c"), ("15.18", "d")].map {
      try install($0, as: $1, in: scratch)
    }
    let found = try ServerPrograms.usable(folders)
    #expect(found.map(\.version) == ["17.2", "15.18", "15.9"])
    #expect(found.first?.major == 17)
    #expect(found.first?.folder == folders[2])
  }

  @Test func `No server at all is reported with the package to install`() throws {
    let error = try #require(throws: EmbeddedClusterError.self) { try ServerPrograms.usable([]) }
    #expect(error.message == "no PostgreSQL server is installed")
    #expect(error.hint.hasPrefix("apt-get install postgresql"))
  }

  @Test func `Only an old server is reported with its version and place`() throws {
    let scratch = try Scratch()
    let folder = try install("14.11", as: "old", in: scratch)
    let error = try #require(throws: EmbeddedClusterError.self) { try ServerPrograms.usable([folder]) }
    #expect(error.message == "PostgreSQL 15 or later is needed; installed: 14.11 in \(folder)")
  }

  @Test func `A folder named for the server must have one`() throws {
    let scratch = try Scratch()
    let own = try OwnCluster(serverFolder: scratch.path)
    guard case .noServerIn(let folder)? = try own.refusal() else {
      Issue.record("not refused")
      return
    }
    #expect(folder == scratch.path)
    #expect(!Files.exists(own.folder.data))
  }

  @Test func `Links to a server's programs lead to its folder`() throws {
    let scratch = try Scratch()
    let folder = try install("15.3", as: "real", in: scratch)
    try Files.makeDirectory(scratch.path + "/links")
    _ = try Subprocess(["ln", "-s", folder + "/postgres", scratch.path + "/links/postgres"]).run()
    #expect(ServerPlaces.serverFolder(scratch.path + "/links") == folder)
    #expect(ServerPlaces.serverFolder(scratch.path) == nil)
  }

  @Test func `The server that is installed here is found`() throws {
    #expect(try #require(ServerPrograms.installed(nil).first).major >= ServerPrograms.oldest)
  }
}
