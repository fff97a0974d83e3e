import Glibc

/// A folder for a while: it is gone, with all that is in it, as soon as nobody holds it.
public final class TemporaryFolder {
  /// Its path, in `TMPDIR`.
  public let path: String

  /// Makes one that only this user may look into.
  /// - Throws: ``FileError`` of the system call that failed.
  public init() throws(FileError) {
    let place = Machine.environment("TMPDIR") ?? "/tmp"
    var name = Array(Path.join(place, "rivulet.XXXXXX").utf8CString)
    guard mkdtemp(&name) != nil else { throw FileError(path: place, code: errno, action: "make a folder in") }
    path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { try? Files.remove(path) }
}
