import Glibc
public import Host

/// A folder for the files of one execution after the other: in memory, where `TMPDIR` is.
///
/// Not to be used by two threads at once.
public final class FuzzFolder {
  private let temporary: TemporaryFolder
  private var files: [String] = []
  private var folders: [String] = []

  /// Makes one, which goes with this object.
  /// - Throws: `FileError`.
  public init() throws(FileError) { temporary = try TemporaryFolder() }

  /// Its path.
  var path: String { temporary.path }

  /// Puts one file in the place of what is there, and gives its path.
  func put(_ name: String, _ bytes: [UInt8]) throws -> String {
    try put([(name, bytes)])
    return Path.join(path, name)
  }

  /// Puts files in the place of what is there; those whose names lead out of the folder are left out.
  func put(_ new: [(name: String, bytes: [UInt8])]) throws {
    for file in files { unlink(file) }
    for folder in folders.reversed() { rmdir(folder) }
    (files, folders) = ([], [])
    for (name, bytes) in new.prefix(64) {
      let parts = name.split(separator: "/")
      guard let last = parts.last, parts.count < 8, name.utf8.count < 200, !name.utf8.contains(0),
        !parts.contains(".."), !parts.contains(".")
      else { continue }
      var place = path
      for part in parts.dropLast() {
        place = Path.join(place, String(part))
        if mkdir(place, 0o700) == 0 { folders.append(place) }
      }
      write(bytes, to: Path.join(place, String(last)))
    }
  }

  private func write(_ bytes: [UInt8], to file: String) {
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    files.append(file)
    _ = Glibc.write(descriptor, bytes, bytes.count)
    close(descriptor)
  }
}
