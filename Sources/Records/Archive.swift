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

  private let path: String
  private let handle: OpaquePointer
  /// What a compressed file holds; nil for an archive that libarchive reads from the file itself.
  private let source: ArchiveSource?
  /// What owns the bytes that libarchive reads, where they are not a file of their own.
  private let owner: AnyObject?
  /// The name of the entry that is being read, for errors.
  private var current: String?

  /// Opens an archive or a compressed file at its start.
  convenience init(path: String) throws(RecordsError) {
    switch try FileKind(path: path) {
    case .gzip:
      try self.init(path: path, holding: GzipStream(FileStream(path: path), path: path))
    case .compressed:
      try self.init(path: path, holding: DecompressedStream(path: path))
    default:
      try self.init(path: path, source: nil) { handle, _ in
        // Only the seekable reader: the one for streams would take a zip that has lost its directory for a good one.
        archive_read_support_format_zip_seekable(handle)
        archive_read_support_format_7zip(handle)
        archive_read_support_format_tar(handle)
        return archive_read_open_filename(handle, path, 128 << 10)
      }
    }
  }

  /// Opens the content of a compressed file.
  private convenience init(path: String, holding content: any ByteStream) throws(RecordsError) {
    try self.init(path: path, source: ArchiveSource(content)) { handle, source in
      archive_read_support_format_tar(handle)
      archive_read_support_format_raw(handle)
      archive_read_support_format_empty(handle)
      return source?.open(handle) ?? ARCHIVE_FATAL
    }
  }

  /// Opens a compressed file as one stream.
  convenience init(decompressing path: String) throws(RecordsError) {
    try self.init(path: path, source: nil) { handle, _ in
      archive_read_support_filter_bzip2(handle)
      archive_read_support_filter_xz(handle)
      archive_read_support_filter_zstd(handle)
      archive_read_support_format_raw(handle)
      archive_read_support_format_empty(handle)
      return archive_read_open_filename(handle, path, 128 << 10)
    }
  }

  /// Opens a zip that `open` gives to libarchive.
  /// - Parameters:
  ///   - name: what errors call the zip.
  ///   - owner: what the bytes belong to; kept as long as they are read.
  convenience init(
    zip name: String, owner: AnyObject, open: (OpaquePointer) -> CInt
  ) throws(RecordsError) {
    try self.init(path: name, source: nil, owner: owner) { handle, _ in
      archive_read_support_format_zip_seekable(handle)
      return open(handle)
    }
  }

  private init(
    path: String, source: ArchiveSource?, owner: AnyObject? = nil,
    open: (OpaquePointer, ArchiveSource?) -> CInt
  ) throws(RecordsError) {
    guard let handle = archive_read_new() else {
      throw .unreadable(path: path, reason: "out of memory")
    }
    self.path = path
    self.handle = handle
    self.source = source
    self.owner = owner
    guard open(handle, source) == ARCHIVE_OK else { throw failure() }
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
    if isRaw, source == nil, archive_filter_count(handle) < 2 {
      throw .brokenArchive(path: path, entry: nil, reason: "its header is damaged")
    }
    let header = Header(
      name: isRaw ? Self.uncompressedName(path) : Self.name(entry),
      size: archive_entry_size_is_set(entry) != 0 ? Int(archive_entry_size(entry)) : nil,
      // S_IFREG by libarchive's own numbering.
      isFile: isRaw || archive_entry_filetype(entry) == 0o100000,
      isEncrypted: archive_entry_is_encrypted(entry) != 0,
      isRaw: isRaw)
    current = header.name
    return header
  }

  /// Makes sure after the last entry that nothing is missing.
  /// - Parameter lastEnd: where the last entry ended.
  private func finish(lastEnd: Int64) throws(RecordsError) {
    // A tar ends with a block of zeros. One that is cut off between two entries would look like a whole one.
    let isTar = archive_format(handle) & ARCHIVE_FORMAT_BASE_MASK == ARCHIVE_FORMAT_TAR
    if isTar, archive_filter_bytes(handle, 0) == lastEnd {
      throw .brokenArchive(path: path, entry: nil, reason: "its end mark is missing")
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

  private static func name(_ entry: OpaquePointer) -> String {
    // The name in UTF-8 cannot be made of a name in an unknown code page: then its bytes, repaired.
    if let name = archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry) {
      return String(cString: name)
    }
    return ""
  }

  /// `a/b.ndjson.zst` holds `b.ndjson`.
  private static func uncompressedName(_ path: String) -> String {
    let name = path.split(separator: "/").last ?? Substring(path)
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return String(name) }
    return String(name[..<dot])
  }

  private func failure() -> RecordsError {
    if let error = source?.error { return error }
    let text = archive_error_string(handle).map { String(cString: $0) } ?? "unknown error"
    return RecordsError(libarchive: text, path: path, entry: current)
  }
}
