import Glibc

extension Files {
  /// Copies a file, or a folder with all that is in it. Links are followed, and the copies are this user's own,
  /// with the modes of new files.
  /// - Throws: ``FileError`` of the first that could not be read or written.
  public static func copy(_ path: String, to other: String) throws(FileError) {
    guard try FileStatus(path).kind == .folder else { return try write(read(path), to: other) }
    if mkdir(other, 0o777) != 0 && errno != EEXIST {
      throw FileError(path: other, code: errno, action: "make")
    }
    for name in try list(path) { try copy(Path.join(path, name), to: Path.join(other, name)) }
  }
}
