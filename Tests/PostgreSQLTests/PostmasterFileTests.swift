import Glibc
import Host
import TestSupport
import Testing

@testable import PostgreSQL

@Suite struct PostmasterFileTests {
  private func read(_ text: String) throws -> PostmasterFile? {
    let scratch = try Scratch()
    try scratch.write("postmaster.pid", text)
    return PostmasterFile(dataFolder: scratch.path)
  }

  @Test func `Process, start and readiness are read`() throws {
    let file = try #require(
      try read("811\n/d\n1763700000\n5432\n/run\n\n  5432001    3\nready   \n"))
    #expect(file.process == 811)
    #expect(file.started == 1_763_700_000)
    #expect(file.isReady)
  }

  @Test(arguments: [
    "811\n/d\n1763700000\n5432\n/run\n\n  5432001    3\nstarting\n",
    "811\n/d\n1763700000\n5432\n/run\n\n  5432001    3\nstopping\n", "811\n/d\n", "811",
    "-811\n/d\n1763700000\n",
  ])
  func `A file half written, or of a server that does not serve, is not ready`(_ text: String) throws {
    let file = try #require(try read(text))
    #expect(file.process == 811)
    #expect(!file.isReady)
  }

  @Test(arguments: ["", "\n", "x\n/d\n", "0\n", "-2147483648\n", "99999999999\n"])
  func `A file without a process is none`(_ text: String) throws { #expect(try read(text) == nil) }

  @Test func `A process that works elsewhere is not the data folder's server`() throws {
    let file = try #require(try read("\(getpid())\n"))
    #expect(!file.isAlive(in: "/nowhere"))
    #expect(file.isAlive(in: Path.current))
  }
}
