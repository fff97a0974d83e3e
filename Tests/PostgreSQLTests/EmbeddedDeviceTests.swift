import Foundation
import Host
import TestSupport
import Testing

@testable import PostgreSQL

/// What only root can set up: small devices, and folders that the server's user cannot enter.
@Suite(.serialized, .enabled(if: SmallDevice.isPossible, "needs root and the right to mount a tmpfs"))
struct EmbeddedDeviceTests {
  @Test func `A device too small to make the cluster is reported as full, and nothing stays on it`() throws {
    let own = try OwnCluster()
    let device = try SmallDevice(at: own.folder.path, megabytes: 16)
    let error = try #require(try own.refusal())
    guard case .diskFull(let folder) = error else { throw error }
    #expect(folder == own.folder.path)
    #expect(error.hint.contains("RIVULET_STATE_DIR"))
    #expect(try Files.list(own.folder.path) == [])
    withExtendedLifetime(device) {}
  }

  @Test
  func `A device that is full at the start is reported as full, and the server starts once there is room`()
    throws
  {
    let own = try OwnCluster()
    let device = try SmallDevice(at: own.folder.path, megabytes: 120)
    try own.up()
    try own.cluster.stop()
    try own.run("dd", "if=/dev/zero", "of=filler", "bs=64k")
    let error = try #require(try own.refusal())
    guard case .diskFull = error else { throw error }
    try own.run("rm", "filler")
    try own.up()
    try own.cluster.stop()
    withExtendedLifetime(device) {}
  }

  @Test func `A folder below one that postgres cannot enter is reported with the folder that bars the way`()
    throws
  {
    let own = try OwnCluster("closed/state")
    let closed = own.root + "/closed"
    try Files.makeDirectory(closed, mode: 0o700)
    let error = try #require(try own.refusal())
    guard case .barred(_, "postgres", let barrier) = error else { throw error }
    #expect(barrier == Path.canonical(closed))
    #expect(error.hint.hasPrefix("chmod o+x '\(barrier)'"))
    chmod(closed, 0o711)
    try own.up()
  }

  @Test func `A folder of somebody else's with something in it is left to him`() throws {
    let own = try OwnCluster()
    try Files.makeDirectory(own.folder.path, mode: 0o755)
    try Files.write("mine", to: own.folder.path + "/notes")
    let error = try #require(try own.refusal())
    guard case .barred(_, _, let barrier) = error else { throw error }
    #expect(barrier == own.folder.path)
    #expect(try Files.list(own.folder.path) == ["notes"])
  }
}
