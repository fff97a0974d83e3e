import Glibc

/// A lock on a folder that the kernel drops when its holder ends, however it ends.
public struct FileLock: ~Copyable {
  private let descriptor: Int32

  /// Waits for the lock on an existing folder; a folder that is removed meanwhile throws as missing.
  public init(folder: String) throws(FileError) {
    while true {
      let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { throw FileError(path: folder, code: errno, action: "lock") }
      while flock(descriptor, LOCK_EX) != 0 {
        if errno != EINTR {
          let code = errno
          close(descriptor)
          throw FileError(path: folder, code: code, action: "lock")
        }
      }
      if FileLock.isOpen(descriptor, at: folder) {
        self.descriptor = descriptor
        return
      }
      // The folder was removed while its lock was waited for, and the lock on it excludes nobody.
      close(descriptor)
    }
  }

  deinit { close(descriptor) }

  private static func isOpen(_ descriptor: Int32, at folder: String) -> Bool {
    var held = stat()
    var present = stat()
    return fstat(descriptor, &held) == 0 && stat(folder, &present) == 0
      && held.st_ino == present.st_ino && held.st_dev == present.st_dev
  }
}
