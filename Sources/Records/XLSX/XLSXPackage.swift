import CLibArchive
import Glibc

/// The zip that a workbook is: a file, or the bytes of an entry of another archive.
///
/// Its parts are read in several passes, so an entry's bytes are kept: in memory, or if they are many in a file
/// that has no name.
final class XLSXPackage {
  private enum Storage {
    case file
    case memory(UnsafeMutableRawBufferPointer)
    case descriptor(CInt)
  }

  /// The workbook; parts are named by errors as its entries.
  let entry: SourceEntry
  private let storage: Storage
  /// The parts by their names in lower case, without a leading slash.
  private var parts: [String: SourceEntry] = [:]

  /// Finds the parts of a workbook.
  /// - Parameter memoryLimit: the most bytes that are kept in memory of a workbook inside an archive.
  init(_ entry: SourceEntry, memoryLimit: Int) throws(RecordsError) {
    self.entry = entry
    let head: [UInt8]
    if entry.container == .none {
      storage = .file
      let stream = try FileStream(path: entry.path)
      var bytes = [UInt8](repeating: 0, count: 512)
      let count = try stream.read(into: &bytes, from: 0)
      head = Array(bytes[..<count])
    } else {
      (storage, head) = try Self.keep(entry.open(), memoryLimit: memoryLimit)
    }
    try check(head)
    try list()
  }

  deinit {
    switch storage {
    case .file: break
    case .memory(let bytes): bytes.deallocate()
    case .descriptor(let descriptor): close(descriptor)
    }
  }

  /// Opens a part; nil if there is none of that name.
  func open(_ part: String) throws(RecordsError) -> ArchiveEntryStream? {
    guard let source = parts[Self.normalised(part)] else { return nil }
    return try ArchiveEntryStream(source, of: archive())
  }

  /// Whether there is a part of that name.
  func has(_ part: String) -> Bool { parts[Self.normalised(part)] != nil }

  /// What errors call a part.
  func place(_ part: String) -> SourceEntry {
    parts[Self.normalised(part)] ?? SourceEntry(file: entry.description)
  }

  /// An error about the workbook as a whole.
  func broken(_ reason: String) -> RecordsError {
    .brokenWorkbook(path: entry.path, entry: entry.entry, reason: reason)
  }

  private func archive() throws(RecordsError) -> Archive {
    try Archive(zip: entry.description, owner: self) { handle in
      switch storage {
      case .file: return archive_read_open_filename(handle, entry.path, 64 << 10)
      case .memory(let bytes): return archive_read_open_memory(handle, bytes.baseAddress, bytes.count)
      case .descriptor(let descriptor):
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { return ARCHIVE_FATAL }
        return archive_read_open_fd(handle, descriptor, 64 << 10)
      }
    }
  }

  private func check(_ head: [UInt8]) throws(RecordsError) {
    if head.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) {
      throw .protectedWorkbook(path: entry.path, entry: entry.entry)
    }
    guard !head.starts(with: [0x50, 0x4B]) else { return }
    let found =
      switch FileKind(head: head) {
      case .plain(let what): what
      case .empty: "empty"
      default: "an archive or compressed file of another kind"
      }
    throw .notAWorkbook(path: entry.path, entry: entry.entry, found: found)
  }

  private func list() throws(RecordsError) {
    let archive = try archive()
    var index = 0
    while let header = try archive.next() {
      let name = Self.normalised(header.name)
      if header.isFile, parts[name] == nil {
        parts[name] = SourceEntry(
          path: entry.description, entry: header.name, index: index, size: header.size, container: .archive)
      }
      index += 1
    }
    if parts["[content_types].xml"] == nil {
      throw .notAWorkbook(path: entry.path, entry: entry.entry, found: "a zip of other files")
    }
  }

  /// Names are compared as the packaging convention has it: without case.
  private static func normalised(_ name: String) -> String {
    let slashed = name.split(separator: "\\").joined(separator: "/").lowercased()
    return String(slashed.drop { $0 == "/" })
  }
}

extension XLSXPackage {
  /// Keeps all bytes of a stream, and gives the first of them.
  private static func keep(
    _ stream: any ByteStream, memoryLimit: Int
  ) throws(RecordsError) -> (Storage, head: [UInt8]) {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 128 << 10)
    while true {
      let count = try stream.read(into: &chunk, from: 0)
      if count == 0 { break }
      bytes.append(contentsOf: chunk[..<count])
      if bytes.count > memoryLimit {
        let head = Array(bytes.prefix(512))
        return (try spill(bytes, stream), head)
      }
    }
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
    memory.copyBytes(from: bytes)
    return (.memory(memory), Array(bytes.prefix(512)))
  }

  /// Writes what has been read of a stream, and the rest of it, to a file without a name.
  private static func spill(_ bytes: [UInt8], _ stream: any ByteStream) throws(RecordsError) -> Storage {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder)/rivulet-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw .system(folder) }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    do throws(RecordsError) {
      try write(bytes[...], descriptor, folder)
      var chunk = [UInt8](repeating: 0, count: 128 << 10)
      while true {
        let count = try stream.read(into: &chunk, from: 0)
        if count == 0 { return .descriptor(descriptor) }
        try write(chunk[..<count], descriptor, folder)
      }
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func write(
    _ bytes: ArraySlice<UInt8>, _ descriptor: CInt, _ folder: String
  ) throws(RecordsError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        guard errno == EINTR else { throw .system(folder) }
      } else {
        rest = rest.dropFirst(count)
      }
    }
  }
}
