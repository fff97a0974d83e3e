import CLibArchive

/// The zip that a workbook is: a file, or the bytes of an entry of another archive.
///
/// Its parts are read in several passes, so an entry's bytes are kept.
final class XLSXPackage {
  /// The workbook; parts are named by errors as its entries.
  let entry: SourceEntry
  /// The workbook's bytes; nil where they are a file of their own.
  private let kept: KeptBytes?
  /// The parts by their names in lower case, without a leading slash.
  private var parts: [String: SourceEntry] = [:]

  /// Finds the parts of a workbook.
  ///
  /// `mostInMemory`: the most bytes that are kept in memory of a workbook inside an archive.
  convenience init(_ entry: SourceEntry, mostInMemory: Int) throws(RecordsError) {
    guard entry.container != .none else {
      try self.init(entry, kept: nil)
      return
    }
    try self.init(entry, kept: KeptBytes(entry.open(), of: entry, mostInMemory: mostInMemory))
  }

  /// Finds the parts of a workbook in its file or in its bytes.
  init(_ entry: SourceEntry, kept: KeptBytes?) throws(RecordsError) {
    self.entry = entry
    self.kept = kept
    if let kept {
      try check(kept.head)
    } else {
      try check(FileKind.head(of: entry.location))
    }
    try ZipDirectory.check(entry, size: size) { offset, count in
      kept?.bytes(from: offset, count)
        ?? (try? FileStream(path: entry.location))?.bytes(from: offset, count) ?? []
    }
    try list()
  }

  /// How many bytes it has.
  private var size: Int { kept?.count ?? FileStream.size(of: entry.location) }

  /// The number and the SHA-256 of the workbook's bytes.
  func digest() throws(RecordsError) -> (byteCount: Int, sha256: String) {
    if let kept { return (kept.count, kept.sha256) }
    let stream = HashingStream(try FileStream(path: entry.location))
    try stream.drain()
    return (stream.byteCount, stream.sha256)
  }

  /// Opens a part; nil if there is none of that name.
  func open(_ part: String) throws(RecordsError) -> (any ByteStream)? {
    guard let source = parts[Self.normalised(part)] else { return nil }
    let archive = try archive()
    try archive.seek(source)
    return archive
  }

  /// Reads a part that may have so many bytes; false if it is not there.
  func read(_ part: String, _ events: XMLEvents, limit: Int = 32 << 20) throws(RecordsError) -> Bool {
    guard let stream = try open(part) else { return false }
    let place = place(part)
    let limited = LimitedStream(
      stream, limit: limit,
      excess: .brokenWorkbook(
        path: place.path, entry: place.entry, reason: "the part has more than \(limit >> 20) MiB"))
    try XMLPushParser(limited, events: events, place: place).run()
    return true
  }

  /// What errors call a part.
  func place(_ part: String) -> SourceEntry {
    parts[Self.normalised(part)] ?? SourceEntry(file: entry.description)
  }

  /// An error about the workbook as a whole.
  func broken(_ reason: String) -> RecordsError {
    .brokenWorkbook(path: entry.path, entry: entry.entry, reason: reason)
  }

  private func archive() throws(RecordsError) -> Archive {
    try Archive(zip: SourceEntry(file: entry.description), size: size, owner: self) { handle in
      kept?.open(handle) ?? archive_read_open_filename(handle, entry.location, 64 << 10)
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
