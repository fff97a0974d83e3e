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

  let path: String
  private let handle: OpaquePointer
  /// The name of the entry that is being read, for errors.
  private var current: String?

  /// Opens an archive at its start.
  init(path: String) throws(RecordsError) {
    guard let handle = archive_read_new() else {
      throw .unreadable(path: path, reason: "out of memory")
    }
    self.path = path
    self.handle = handle
    // Only the seekable reader: the one for streams would take a zip that has lost its directory for a good one.
    archive_read_support_format_zip_seekable(handle)
    archive_read_support_format_7zip(handle)
    archive_read_support_format_tar(handle)
    archive_read_support_format_raw(handle)
    archive_read_support_format_empty(handle)
    archive_read_support_filter_gzip(handle)
    archive_read_support_filter_bzip2(handle)
    archive_read_support_filter_xz(handle)
    archive_read_support_filter_zstd(handle)
    guard archive_read_open_filename(handle, path, 128 << 10) == ARCHIVE_OK else { throw failure() }
  }

  deinit {
    archive_read_free(handle)
  }

  /// Goes on to the next entry; nil after the last.
  func next() throws(RecordsError) -> Header? {
    var entry: OpaquePointer?
    try skip()
    let end = archive_filter_bytes(handle, 0)
    let result = archive_read_next_header(handle, &entry)
    if result == ARCHIVE_EOF, isTar, archive_filter_bytes(handle, 0) == end {
      // A tar ends with a block of zeros. One that is cut off between two entries would look like a whole one.
      throw .brokenArchive(path: path, entry: nil, reason: "its end mark is missing")
    }
    // A warning is about a name or an attribute that we do not need.
    guard result == ARCHIVE_OK || result == ARCHIVE_WARN, let entry else {
      if result == ARCHIVE_EOF { return nil }
      throw failure()
    }
    let isRaw = archive_format(handle) == ARCHIVE_FORMAT_RAW
    // Without a filter the raw reader has taken a damaged archive for a plain file.
    if isRaw, archive_filter_count(handle) < 2 {
      throw .brokenArchive(path: path, entry: nil, reason: "its directory is missing")
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

  /// Reads the next bytes of the current entry; 0 at its end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(RecordsError) -> Int {
    let count = archive_read_data(handle, buffer.baseAddress, buffer.count)
    // Also a warning counts: a wrong checksum is one in some of libarchive's formats.
    guard count >= 0 else { throw failure() }
    return count
  }

  /// The entries of a file that is an archive or compressed.
  static func entries(of path: String) throws(RecordsError) -> [SourceEntry] {
    let archive = try Archive(path: path)
    var entries: [SourceEntry] = []
    var index = 0
    while let header = try archive.next() {
      if header.isFile {
        entries.append(
          SourceEntry(
            path: path, entry: header.name, index: index, size: header.size,
            container: header.isRaw ? .compression : .archive))
      }
      index += 1
    }
    guard !entries.isEmpty else { throw .emptyArchive(path: path) }
    return entries
  }

  private var isTar: Bool {
    archive_format(handle) & ARCHIVE_FORMAT_BASE_MASK == ARCHIVE_FORMAT_TAR
  }

  /// Passes over what has not been read of the current entry.
  private func skip() throws(RecordsError) {
    guard current != nil else { return }
    guard archive_read_data_skip(handle) >= ARCHIVE_WARN else { throw failure() }
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
    let text = archive_error_string(handle).map { String(cString: $0) } ?? "unknown error"
    let lowered = text.lowercased()
    if lowered.contains("passphrase") || lowered.contains("encrypt") {
      return .encrypted(path: path, entry: current)
    }
    if lowered.contains("compression method"), let current {
      return .unsupportedCompression(path: path, entry: current, method: Self.method(text))
    }
    if lowered.contains("unrecognized archive format") {
      return .brokenArchive(path: path, entry: nil, reason: "its directory is missing")
    }
    let code = archive_errno(handle)
    // Codes of the operating system are small and positive; libarchive's own are negative or -1 for "its format".
    if current == nil, code > 0, lowered.contains("failed to open") {
      return .system(path, code: code)
    }
    return .brokenArchive(path: path, entry: current, reason: text)
  }

  /// The method's name out of "Unsupported ZIP compression method (9: deflation-64-bit)".
  private static func method(_ text: String) -> String {
    guard let open = text.lastIndex(of: "("), let close = text.lastIndex(of: ")"), open < close else {
      return text
    }
    let inside = String(text[text.index(after: open)..<close])
    return inside == "9" || inside.hasPrefix("9:") ? "Deflate64 (method 9)" : "method \(inside)"
  }
}
