import Glibc

/// A lock on a folder that the kernel drops when its holder ends, however it ends.
public struct FileLock: ~Copyable {
  private let descriptor: Int32

  /// Waits for the lock on an existing folder; nil when it was not released in time. A folder that is removed
  /// meanwhile throws as missing.
  /// - Parameters:
  ///   - folder: the folder.
  ///   - seconds: how long to wait, for ever where it is infinity; an interruption ends the wait at once.
  /// - Throws: ``FileError`` where the folder cannot be locked, ``Interrupted``.
  public init?(folder: String, wait seconds: Double) throws {
    let end = Machine.seconds + seconds
    while true {
      let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { throw FileError(path: folder, code: errno, action: "lock") }
      // Where the folder was removed meanwhile, the lock on it excludes nobody.
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0, FileLock.isOpen(descriptor, at: folder) {
        self.descriptor = descriptor
        return
      }
      close(descriptor)
      try Interruption.shared.check()
      if Machine.seconds >= end { return nil }
      Machine.sleep(seconds: 0.05)
    }
  }

  deinit {
    // A program that is being started at this moment still has a copy of the descriptor, which alone would
    // keep the lock.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  private static func isOpen(_ descriptor: Int32, at folder: String) -> Bool {
    var held = stat()
    var present = stat()
    return fstat(descriptor, &held) == 0 && stat(folder, &present) == 0
      && held.st_ino == present.st_ino && held.st_dev == present.st_dev
  }
}
