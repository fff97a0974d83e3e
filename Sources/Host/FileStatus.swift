import Glibc

/// What the file system says of a file, links followed.
public struct FileStatus: Sendable, Equatable {
  /// What a path leads to.
  public enum Kind: Sendable {
    case file
    case folder
    /// A pipe, a socket or a device.
    case other
  }

  /// What it is.
  public let kind: Kind
  /// In bytes.
  public let size: Int
  /// When it was written to last, in seconds since 1970; its writer may have set this.
  public let modified: Double
  /// When this system changed anything about it last, in seconds since 1970.
  public let changed: Double

  /// Asks for it.
  /// - Throws: ``FileError`` where nothing is there, as behind a link that leads nowhere, or where it may not be
  ///   seen.
  public init(_ path: String) throws(FileError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileError(path: path, code: errno, action: "read") }
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      default: .other
      }
    size = Int(status.st_size)
    modified = FileStatus.seconds(status.st_mtim)
    changed = FileStatus.seconds(status.st_ctim)
  }

  /// For how many seconds nobody has written to it. Copying may set a time that is still to come: then this
  /// system's own counts.
  public var age: Double {
    let now = Machine.secondsSince1970
    return now >= modified ? now - modified : now - changed
  }

  private static func seconds(_ time: timespec) -> Double { Double(time.tv_sec) + Double(time.tv_nsec) / 1e9 }
}
