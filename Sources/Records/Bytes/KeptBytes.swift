import CLibArchive
import Glibc

/// All bytes of a stream, kept so that they can be read in several passes and out of order: in memory, or if
/// they are many in a temporary file that has no name.
final class KeptBytes {
  /// The most bytes that are kept at all: what is compressed can grow as it pleases.
  static let mostBytes = 4 << 30
  /// The most bytes that are kept in memory.
  static let mostInMemory = 16 << 20

  /// How many there are.
  private(set) var count = 0
  /// Their SHA-256 as 64 lower-case hexadecimal digits.
  private(set) var sha256 = ""
  /// The first 512 of them.
  private(set) var head: [UInt8] = []

  private let place: SourceEntry
  private var memory: UnsafeMutableRawPointer?
  private var capacity = 0
  private var descriptor: CInt = -1

  /// Keeps what a stream has.
  ///
  /// - `place`: what errors call it; if its size is known, room is made for that at once.
  /// - `mostInMemory`: the most bytes that are kept in memory.
  /// - `mostBytes`: the most bytes that are kept at all.
  /// - Throws: what the stream throws, `brokenArchive` where there are too many bytes, `unreadable` where
  ///   there is no room for them.
  init(
    _ stream: any ByteStream, of place: SourceEntry, mostInMemory: Int = KeptBytes.mostInMemory,
    mostBytes: Int = KeptBytes.mostBytes
  ) throws(RecordsError) {
    self.place = place
    let hashing = HashingStream(stream)
    // The size is the archive's own word, which need not be true.
    if let size = place.size, size <= mostInMemory { _ = grow(to: size) }
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while case let read = try hashing.read(into: &chunk, from: 0), read > 0 {
      guard hashing.byteCount <= mostBytes else {
        throw .brokenArchive(
          path: place.path, entry: place.entry,
          reason: "it unpacks to more than \(mostBytes >> 20) MiB, which is more than is kept of such a file")
      }
      if head.count < 512 { head.append(contentsOf: chunk[..<min(read, 512 - head.count)]) }
      try append(chunk[..<read], mostInMemory: mostInMemory, size: place.size)
      count += read
    }
    sha256 = hashing.sha256
  }

  deinit {
    free(memory)
    if descriptor >= 0 { close(descriptor) }
  }

  /// Gives the bytes to libarchive from the first on; only one handle at a time may have them.
  func open(_ handle: OpaquePointer) -> CInt {
    guard descriptor >= 0 else { return archive_read_open_memory(handle, memory, count) }
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { return ARCHIVE_FATAL }
    return archive_read_open_fd(handle, descriptor, 64 << 10)
  }

  /// Bytes from a place on; fewer at the end.
  func bytes(from offset: Int, _ count: Int) -> [UInt8] {
    guard let memory else { return FileStream.bytes(of: descriptor, from: offset, count) }
    let end = min(self.count, offset + count)
    return offset < end ? Array(UnsafeRawBufferPointer(start: memory + offset, count: end - offset)) : []
  }

  private func append(_ bytes: ArraySlice<UInt8>, mostInMemory: Int, size: Int?) throws(RecordsError) {
    if descriptor < 0 {
      let needed = count + bytes.count
      // What is known to be too much goes into the file at once.
      if max(needed, size ?? 0) <= mostInMemory, needed <= capacity || grow(to: max(needed, 2 * capacity)),
        let memory
      {
        bytes.withUnsafeBytes { source in
          UnsafeMutableRawBufferPointer(start: memory + count, count: source.count).copyMemory(from: source)
        }
        return
      }
      try spill()
    }
    try bytes.withUnsafeBufferPointer { (source) throws(RecordsError) in
      try write(UnsafeRawBufferPointer(source))
    }
  }

  /// Makes the room in memory larger; false if there is none.
  private func grow(to size: Int) -> Bool {
    guard let larger = realloc(memory, max(size, 64 << 10)) else { return false }
    (memory, capacity) = (larger, max(size, 64 << 10))
    return true
  }

  /// Goes over from memory to a file.
  private func spill() throws(RecordsError) {
    var template = Array("\(Self.folder)/rivulet-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw noRoom(errno) }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    try write(UnsafeRawBufferPointer(start: memory, count: count))
    free(memory)
    (memory, capacity) = (nil, 0)
  }

  private func write(_ bytes: UnsafeRawBufferPointer) throws(RecordsError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if written < 0 {
        guard errno == EINTR else { throw noRoom(errno) }
      } else {
        rest = rest.dropFirst(written)
      }
    }
  }

  /// Where large ones go.
  private static var folder: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

  private func noRoom(_ code: CInt) -> RecordsError {
    let reason = String(cString: strerror(code))
    return .unreadable(
      path: place.description,
      reason: "there is no temporary file for it in \(Self.folder) (TMPDIR): \(reason)")
  }
}
