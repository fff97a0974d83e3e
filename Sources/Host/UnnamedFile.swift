import Glibc

/// A file without a name, which is gone when nobody has it open any more.
enum UnnamedFile {
  /// Makes one, which programs that are started do not get.
  /// - Throws: ``FileError`` of the system call that failed.
  static func open() throws(FileError) -> Int32 {
    var name = Array((Machine.environment("TMPDIR") ?? "/tmp").utf8CString.dropLast())
    name += "/rivulet-XXXXXX".utf8CString
    let descriptor = mkstemp(&name)
    guard descriptor >= 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0, unlink(name) == 0 else {
      let code = errno
      if descriptor >= 0 { close(descriptor) }
      throw FileError(path: "a temporary file", code: code, action: "make")
    }
    return descriptor
  }
}
