import CLibArchive

/// One pass over an archive or a compressed file, the only place that holds a libarchive handle.
final class Archive {
  /// The header of an entry.
  struct Header {
    let name: String
    let size: Int?
    let isFile: Bool
    let isEncrypted: Bool
    /// The whole is one compressed stream and not an archive.
    let isRaw: Bool
  }

  /// What holds the archive: a file, or an entry of another archive.
  private let place: SourceEntry
  private let handle: OpaquePointer
  /// What libarchive reads where it does not read a file itself.
  private let source: ArchiveSource?
  /// What owns the bytes that libarchive reads, where they are not a file of their own.
  private let owner: AnyObject?
  /// All that is read must go through a filter of libarchive's.
  private let isFiltered: Bool
  /// The name of the entry that is being read, for errors.
  private var current: String?

  /// Opens an archive or a compressed file at its start.
  convenience init(path: String) throws(RecordsError) {
    let place = SourceEntry(file: path)
    let kind = try FileKind(path: path)
    switch kind {
    case .gzip, .compressed:
      try self.init(compressed: FileStream(path: path), of: place, kind: kind)
    default:
      try self.init(place) { handle, _ in
        Self.supportArchives(handle)
        return archive_read_open_filename(handle, path, 128 << 10)
      }
    }
  }

  /// Opens an archive or a compressed file that is an entry of another one.
  ///
  /// What is compressed is read as it comes. An archive is kept, because it is read out of order.
  convenience init(inside place: SourceEntry, kind: FileKind) throws(RecordsError) {
    switch kind {
    case .gzip, .compressed:
      try self.init(compressed: place.open(), of: place, kind: kind)
    default:
      let kept = try KeptBytes(place.open(), of: place)
      try self.init(place, owner: kept) { handle, _ in
        Self.supportArchives(handle)
        return kept.open(handle)
      }
    }
  }

  /// Opens what a compressed stream holds: a tar, or what is one file.
  private convenience init(
    compressed stream: any ByteStream, of place: SourceEntry, kind: FileKind
  ) throws(RecordsError) {
    let content: any ByteStream
    if kind == .gzip {
      content = try GzipStream(stream, of: place)
    } else {
      content = try DecompressedStream(stream, of: place)
    }
    try self.init(place, source: ArchiveSource(content)) { handle, source in
      archive_read_support_format_tar(handle)
      archive_read_support_format_raw(handle)
      archive_read_support_format_empty(handle)
      return source?.open(handle) ?? ARCHIVE_FATAL
    }
  }

  /// Opens a compressed stream as one stream.
  convenience init(decompressing stream: any ByteStream, of place: SourceEntry) throws(RecordsError) {
    try self.init(place, source: ArchiveSource(stream), isFiltered: true) { handle, source in
      archive_read_support_filter_bzip2(handle)
      archive_read_support_filter_xz(handle)
      archive_read_support_filter_zstd(handle)
      archive_read_support_format_raw(handle)
      archive_read_support_format_empty(handle)
      return source?.open(handle) ?? ARCHIVE_FATAL
    }
  }

  /// Opens a zip that `open` gives to libarchive.
  ///
  /// - `place`: what errors call the zip.
  /// - `owner`: what the bytes belong to; kept as long as they are read.
  convenience init(
    zip place: SourceEntry, owner: AnyObject, open: (OpaquePointer) -> CInt
  ) throws(RecordsError) {
    try self.init(place, owner: owner) { handle, _ in
      archive_read_support_format_zip_seekable(handle)
      return open(handle)
    }
  }

  private init(
    _ place: SourceEntry, source: ArchiveSource? = nil, owner: AnyObject? = nil, isFiltered: Bool = false,
    open: (OpaquePointer, ArchiveSource?) -> CInt
  ) throws(RecordsError) {
    guard let handle = archive_read_new() else {
      throw .unreadable(path: place.description, reason: "out of memory")
    }
    self.place = place
    self.handle = handle
    self.source = source
    self.owner = owner
    self.isFiltered = isFiltered
    guard open(handle, source) == ARCHIVE_OK else { throw failure() }
  }

  private static func supportArchives(_ handle: OpaquePointer) {
    // Only the seekable reader: the one for streams would take a zip that has lost its directory for a good
    // one.
    archive_read_support_format_zip_seekable(handle)
    archive_read_support_format_7zip(handle)
    archive_read_support_format_tar(handle)
  }

  deinit {
    archive_read_free(handle)
  }

  /// Goes on to the next entry; nil after the last.
  func next() throws(RecordsError) -> Header? {
    var entry: OpaquePointer?
    if current != nil, archive_read_data_skip(handle) < ARCHIVE_WARN { throw failure() }
    let end = archive_filter_bytes(handle, 0)
    let result = archive_read_next_header(handle, &entry)
    if result == ARCHIVE_EOF {
      try finish(lastEnd: end)
      return nil
    }
    // A warning is about a name or an attribute that we do not need.
    guard result == ARCHIVE_OK || result == ARCHIVE_WARN, let entry else { throw failure() }
    let isRaw = archive_format(handle) == ARCHIVE_FORMAT_RAW
    // Without a filter the header of what is compressed was not understood.
    if isRaw, isFiltered, archive_filter_count(handle) < 2 {
      throw .brokenArchive(path: place.path, entry: place.entry, reason: "its header is damaged")
    }
    let header = Header(
      name: isRaw ? Self.uncompressedName(place.name) : Self.name(entry),
      size: archive_entry_size_is_set(entry) != 0 ? Int(archive_entry_size(entry)) : nil,
      // S_IFREG by libarchive's own numbering.
      isFile: isRaw || archive_entry_filetype(entry) == 0o100000,
      isEncrypted: archive_entry_is_encrypted(entry) != 0,
      isRaw: isRaw)
    current = header.name
    return header
  }

  /// Makes sure after the last entry that nothing is missing.
  ///
  /// `lastEnd`: where the last entry ended.
  private func finish(lastEnd: Int64) throws(RecordsError) {
    // A tar ends with a block of zeros. One that is cut off between two entries would look like a whole one.
    let isTar = archive_format(handle) & ARCHIVE_FORMAT_BASE_MASK == ARCHIVE_FORMAT_TAR
    if isTar, archive_filter_bytes(handle, 0) == lastEnd {
      throw .brokenArchive(path: place.path, entry: place.entry, reason: "its end mark is missing")
    }
    // The checksum of what is compressed may come after the last entry.
    try source?.stream.drain()
  }

  /// Reads the next bytes of the current entry; 0 at its end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(RecordsError) -> Int {
    let count = archive_read_data(handle, buffer.baseAddress, buffer.count)
    // Also a warning counts: a wrong checksum is one in some of libarchive's formats.
    guard count >= 0 else { throw failure() }
    return count
  }

  /// The first 512 bytes of the current entry; nil if they cannot be had, which is reported when it is read.
  func head() -> [UInt8]? {
    var head = [UInt8](repeating: 0, count: 512)
    var count = 0
    while count < head.count {
      let read = head.withUnsafeMutableBytes {
        archive_read_data(handle, $0.baseAddress.map { $0 + count }, $0.count - count)
      }
      guard read >= 0 else { return nil }
      if read == 0 { break }
      count += read
    }
    return Array(head[..<count])
  }

  private static func name(_ entry: OpaquePointer) -> String {
    // The name in UTF-8 cannot be made of a name in an unknown code page: then its bytes, repaired.
    if let name = archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry) {
      return String(cString: name)
    }
    return ""
  }

  /// `b.ndjson.zst` holds `b.ndjson`.
  private static func uncompressedName(_ name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
    return String(name[..<dot])
  }

  private func failure() -> RecordsError {
    if let error = source?.error { return error }
    let text = archive_error_string(handle).map { String(cString: $0) } ?? "unknown error"
    let entry = place.entry.map { outer in current.map { outer + SourceEntry.nesting + $0 } ?? outer }
    return RecordsError(
      libarchive: text, path: place.path, entry: entry ?? current, isInEntry: current != nil)
  }
}
