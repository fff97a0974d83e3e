import CLibArchive
import Glibc

/// The bytes of a file, a pipe or a device.
public final class FileStream: ByteStream {
  private let path: String
  private let descriptor: CInt
  private let closes: Bool

  /// Opens a file for reading.
  /// - Throws: `missing` or `unreadable`.
  public init(path: String) throws(RecordsError) {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(path) }
    self.path = path
    self.descriptor = descriptor
    closes = true
    // Only a hint: what it returns for pipes does not matter.
    _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
  }

  /// A stream over a descriptor that stays the caller's, such as standard input.
  /// - Parameters:
  ///   - descriptor: the descriptor, open for reading.
  ///   - name: what errors call it.
  public init(descriptor: CInt, name: String) {
    path = name
    self.descriptor = descriptor
    closes = false
  }

  deinit {
    if closes { close(descriptor) }
  }

  /// Gives the bytes to libarchive, which reads so many of them at a time: of a file that it opens itself it
  /// takes 64 KiB at least.
  func open(_ handle: OpaquePointer, blockSize: Int) -> CInt {
    archive_read_open_fd(handle, descriptor, blockSize)
  }

  /// Reads the next bytes into the start of a buffer; 0 at the end.
  /// - Throws: `unreadable`.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(RecordsError) -> Int {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      guard errno == EINTR else { throw .system(path) }
    }
  }
}

extension RecordsError {
  /// The error that `errno` gives for a path.
  static func system(_ path: String, code: CInt = errno) -> RecordsError {
    code == ENOENT ? .missing(path: path) : .unreadable(path: path, reason: String(cString: strerror(code)))
  }
}
