import Foundation
import Host
import TestSupport
import Testing

/// The lock that keeps two programs from one folder.
@Suite("A lock on a folder")
struct FileLockTests {
  @Test(
    "is released at once, even while a copy of its descriptor is open, as in a program that is just being started"
  )
  func copied() throws {
    let scratch = try Scratch()
    let folder = scratch.path
    var copy: Int32 = -1
    try hold(folder) { copy = dup(try descriptor(of: folder)) }
    defer { close(copy) }
    #expect(copy >= 0)
    var isFree = false
    try hold(folder) { isFree = true }
    #expect(isFree)
  }

  /// Does something while the lock is held; nothing where it is not to be had.
  private func hold(_ folder: String, _ body: () throws -> Void) throws {
    guard let lock = try FileLock(folder: folder, wait: 0) else { return }
    try body()
    _ = consume lock
  }

  /// The descriptor of this process that is open on a folder.
  private func descriptor(of folder: String) throws -> Int32 {
    let files = FileManager.default
    let name = try files.contentsOfDirectory(atPath: "/proc/self/fd").first { name in
      (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)) == folder
    }
    return try #require(name.flatMap { Int32($0) })
  }
}
