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

  /// How many bytes the file at a path has; 0 where that cannot be seen.
  static func size(of path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  deinit {
    if closes { close(descriptor) }
  }

  /// Gives the bytes to libarchive, which reads so many of them at a time: of a file that it opens itself it
  /// takes 64 KiB at least.
  func open(_ handle: OpaquePointer, blockSize: Int) -> CInt {
    archive_read_open_fd(handle, descriptor, blockSize)
  }

  /// Bytes from a place on, whatever was read before; fewer at the end, and none where they cannot be read.
  func bytes(from offset: Int, _ count: Int) -> [UInt8] { Self.bytes(of: descriptor, from: offset, count) }

  static func bytes(of descriptor: CInt, from offset: Int, _ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let place = buffer.baseAddress.map { $0 + filled }
        let read = pread(descriptor, place, count - filled, off_t(offset + filled))
        if read < 0, errno == EINTR { continue }
        guard read > 0 else { break }
        filled += read
      }
    }
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
