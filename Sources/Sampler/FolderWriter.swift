import Glibc
import Host

/// Writes the entries of a bundle as files of a folder, each of which appears when it is whole.
final class FolderWriter {
  private let folder: String
  private var file: (path: String, file: PendingFile)?

  /// Begins a folder, which is made where it is missing.
  init(_ folder: String) throws(SampleError) {
    self.folder = folder
    if mkdir(folder, 0o777) != 0, errno != EEXIST {
      throw .cannotWrite(path: folder, reason: systemMessage(errno))
    }
  }

  /// Whether a path means a folder: it ends in a slash, or there is one.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return path.hasSuffix("/") || stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Begins a file, and gives the one before its name.
  func beginEntry(_ name: String) throws(SampleError) {
    try finish()
    let path = Path.join(folder, name)
    do {
      file = (path, try PendingFile(path))
    } catch {
      throw .cannotWrite(path: path, reason: systemMessage(error.code))
    }
  }

  /// Adds bytes to the file.
  func write(_ bytes: [UInt8]) throws(SampleError) {
    guard let file else { return }
    try ZipWriter.write(bytes, to: file.file.descriptor, file.path)
  }

  /// Gives the last file its name.
  func finish() throws(SampleError) {
    guard let (path, last) = file else { return }
    file = nil
    do {
      try last.finish()
    } catch {
      throw .cannotWrite(path: path, reason: systemMessage(error.code))
    }
  }
}
