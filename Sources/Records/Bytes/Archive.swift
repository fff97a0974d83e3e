import CLibArchive
import Glibc

/// One pass over an archive or a compressed file, the only place that holds a libarchive handle. As a stream it
/// is the bytes of the entry that the pass is at, unpacked as they are read.
final class Archive: ByteStream {
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
  /// What libarchive reads where it does not read a file itself, and the error of that, for which libarchive
  /// has no place.
  private let stream: (any ByteStream)?
  private var streamError: RecordsError?
  private lazy var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 128 << 10, alignment: 16)
  /// What owns the bytes that libarchive reads, where they are not a file of their own.
  private let owner: AnyObject?
  /// All that is read must go through a filter of libarchive's.
  private let isFiltered: Bool
  /// What knows the dictionaries of the stream, where they are not zlib's.
  private var watch: DictionaryWatch?
  /// The most bytes that its entries may have in sum.
  private let mostBytes: Int
  /// The most bytes that a dictionary may have.
  private let mostDictionary: Int
  /// How many entries it has had up to here, and of how many bytes by their headers.
  private var passed = (entries: 0, bytes: 0)
  /// The entry that is being read, and how many of its bytes have been.
  private var current: Header?
  private var count = 0

  /// So many bytes of a file are read at a time: they are all unpacked for the first that is asked for.
  static let blockSize = 128 << 10
  /// The same where no more than the beginning of each entry is wanted.
  static let headBlockSize = 4 << 10

  /// Opens an archive or a compressed file, a file or an entry of another archive, at its start.
  ///
  /// What is compressed is read as it comes. An archive that is an entry is kept, because it is read out of
  /// order.
  ///
  /// `blockSize`: how many bytes of an archive that is a file are read at a time.
  convenience init(
    _ place: SourceEntry, kind: FileKind, blockSize: Int = Archive.blockSize
  ) throws(RecordsError) {
    switch kind {
    case .gzip: try self.init(unpacked: GzipStream(place.open(), of: place), of: place)
    case .compressed: try self.init(unpacked: Archive(decompressing: place.open(), of: place), of: place)
    default:
      let file = place.container == .none ? try FileStream(path: place.location) : nil
      let kept = file == nil ? try KeptBytes(place.open(), of: place) : nil
      func bytes(from offset: Int, _ count: Int) -> [UInt8] {
        kept?.bytes(from: offset, count) ?? file?.bytes(from: offset, count) ?? []
      }
      try ZipDirectory.check(place, size: kept?.count ?? Self.size(of: place), read: bytes)
      try SevenZipDirectory.check(place, read: bytes)
      try self.init(place, size: kept?.count ?? Self.size(of: place), owner: file ?? kept) { handle, _ in
        // Only the seekable reader: the one for streams would take a zip that has lost its directory for a
        // good one.
        archive_read_support_format_zip_seekable(handle)
        archive_read_support_format_7zip(handle)
        archive_read_support_format_tar(handle)
        return kept?.open(handle)
          ?? file?.open(handle, blockSize: max(blockSize, Archive.headBlockSize)) ?? ARCHIVE_FATAL
      }
    }
  }

  /// Opens what a compressed stream holds, once it is unpacked: a tar, or what is one file.
  private convenience init(
    unpacked stream: any ByteStream, of place: SourceEntry
  ) throws(RecordsError) {
    let size = Self.size(of: place)
    let limit = UnpackingLimit.bytes(of: size)
    let limited = LimitedStream(stream, limit: limit, excess: UnpackingLimit.excess(of: place, limit: limit))
    try self.init(place, size: size, stream: limited) { handle, archive in
      archive_read_support_format_tar(handle)
      archive_read_support_format_raw(handle)
      archive_read_support_format_empty(handle)
      return archive.openStream()
    }
  }

  /// Opens a stream compressed by bzip2, xz or zstd, whose bytes are then read unpacked.
  convenience init(decompressing stream: any ByteStream, of place: SourceEntry) throws(RecordsError) {
    let (size, watch) = (Self.size(of: place), DictionaryWatch(stream))
    try self.init(place, size: size, stream: watch, isFiltered: true) { handle, archive in
      archive_read_support_filter_bzip2(handle)
      archive_read_support_filter_xz(handle)
      archive_read_support_filter_zstd(handle)
      archive_read_support_format_raw(handle)
      archive_read_support_format_empty(handle)
      return archive.openStream()
    }
    self.watch = watch
    _ = try next()
  }

  /// Opens what is compressed by LZMA alone, whose bytes are then read unpacked: the directory of a 7z.
  convenience init(lzma stream: any ByteStream, of place: SourceEntry) throws(RecordsError) {
    try self.init(place, size: 0, stream: stream, isFiltered: true) { handle, archive in
      archive_read_support_filter_lzma(handle)
      archive_read_support_format_raw(handle)
      return archive.openStream()
    }
    _ = try next()
  }

  /// Opens a zip that `open` gives to libarchive.
  ///
  /// - `place`: what errors call the zip.
  /// - `size`: how many bytes the zip has.
  /// - `owner`: what the bytes belong to; kept as long as they are read.
  convenience init(
    zip place: SourceEntry, size: Int, owner: AnyObject, open: (OpaquePointer) -> CInt
  ) throws(RecordsError) {
    try self.init(place, size: size, owner: owner) { handle, _ in
      archive_read_support_format_zip_seekable(handle)
      return open(handle)
    }
  }

  private init(
    _ place: SourceEntry, size: Int, stream: (any ByteStream)? = nil, owner: AnyObject? = nil,
    isFiltered: Bool = false, open: (OpaquePointer, Archive) -> CInt
  ) throws(RecordsError) {
    guard let handle = archive_read_new() else {
      throw .unreadable(path: place.description, reason: "out of memory")
    }
    self.place = place
    mostBytes = UnpackingLimit.bytes(of: size)
    mostDictionary = UnpackingLimit.dictionary(of: place)
    self.handle = handle
    self.stream = stream
    self.owner = owner
    self.isFiltered = isFiltered
    guard open(handle, self) == ARCHIVE_OK else { throw failure() }
  }

  deinit {
    archive_read_free(handle)
    if stream != nil { buffer.deallocate() }
  }

  /// Has libarchive read the stream.
  private func openStream() -> CInt {
    archive_read_open(
      handle, Unmanaged.passUnretained(self).toOpaque(), nil,
      { _, client, bytes in
        guard let client else { return -1 }
        return Unmanaged<Archive>.fromOpaque(client).takeUnretainedValue().readStream(bytes)
      }, nil)
  }

  private func readStream(_ bytes: UnsafeMutablePointer<UnsafeRawPointer?>?) -> Int {
    do {
      bytes?.pointee = UnsafeRawPointer(buffer.baseAddress)
      return try stream?.read(into: buffer) ?? 0
    } catch {
      streamError = error
      return -1
    }
  }

  /// Goes on to an entry from the archive's start, or from behind some that were passed.
  /// - Throws: `entryGone` where another one is in its place, `encrypted`, and what is wrong with the archive.
  func seek(_ entry: SourceEntry, passed: Int = 0) throws(RecordsError) {
    var header: Header?
    for _ in passed...max(passed, entry.index) { header = try next() }
    guard let header, header.name == entry.member else {
      throw .entryGone(path: entry.path, entry: entry.entry ?? entry.name)
    }
    guard !header.isEncrypted else { throw .encrypted(path: entry.path, entry: entry.entry) }
    if zipMethod == "ppmd" {
      throw .unsupportedCompression(path: entry.path, entry: entry.entry ?? entry.name, method: "PPMd")
    }
  }

  /// In the locale of a nightly job, C, libarchive makes nothing of a name that is not in ASCII.
  nonisolated(unsafe) private static let locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)

  /// Goes on to the next entry; nil after the last.
  func next() throws(RecordsError) -> Header? {
    let before = Self.locale.map { uselocale($0) }
    defer { if let before { uselocale(before) } }
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
    // What is compressed again would be unpacked unseen.
    if isFiltered, archive_filter_count(handle) > 2 {
      throw .tooMuch(path: place.path, entry: place.entry, found: "is compressed more than once")
    }
    let header = Header(
      name: isRaw ? Self.uncompressedName(place.name) : Self.name(entry),
      size: archive_entry_size_is_set(entry) != 0 ? Int(archive_entry_size(entry)) : nil,
      // S_IFREG by libarchive's own numbering.
      isFile: isRaw || archive_entry_filetype(entry) == 0o100000,
      isEncrypted: archive_entry_is_encrypted(entry) != 0,
      isRaw: isRaw)
    (current, count) = (header, 0)
    passed.entries += 1
    if header.isFile { passed.bytes += min(max(0, header.size ?? 0), mostBytes + 1) }
    guard passed.entries <= UnpackingLimit.entries else {
      throw UnpackingLimit.excess(of: place.path, entry: place.entry)
    }
    guard passed.bytes <= mostBytes else { throw UnpackingLimit.excess(of: place, limit: mostBytes) }
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
    try stream?.drain()
  }

  /// Reads the next bytes of the current entry; 0 at its end, and where there is no entry.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(RecordsError) -> Int {
    guard let current else { return 0 }
    let read = archive_read_data(handle, buffer.baseAddress, buffer.count)
    // Also a warning counts: a wrong checksum is one in some of libarchive's formats.
    guard read >= 0 else { throw failure() }
    count += read
    if current.size == nil, count > mostBytes {
      throw UnpackingLimit.excess(of: place, entry: currentEntry, limit: mostBytes)
    }
    if count > mostDictionary {
      let dictionary = dictionary
      guard dictionary <= mostDictionary else {
        throw UnpackingLimit.excess(of: place, entry: currentEntry, dictionary: dictionary)
      }
    }
    if let size = current.size, read == 0 ? count != size : count > size {
      let found = read == 0 ? "\(count)" : "at least \(count)"
      throw .brokenArchive(
        path: place.path, entry: currentEntry,
        reason: "the entry has \(found) bytes where the archive's directory says \(size)")
    }
    return read
  }

  /// How the current entry of a zip is compressed, in libarchive's words without what is behind a hyphen; nil
  /// of anything else.
  private var zipMethod: String? {
    guard archive_format(handle) & ARCHIVE_FORMAT_BASE_MASK == ARCHIVE_FORMAT_ZIP,
      let name = archive_format_name(handle).map({ String(cString: $0) }), let open = name.firstIndex(of: "(")
    else { return nil }
    return String(name[name.index(after: open)...].prefix { $0 != ")" && $0 != "-" })
  }

  /// The bytes of the dictionary that the current entry may need; `Int.max` where nothing says how many.
  private var dictionary: Int {
    watch?.largest ?? (["lzma", "xz", "zstd"].contains(zipMethod) ? .max : 0)
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

  /// How many bytes there are of what is unpacked.
  private static func size(of place: SourceEntry) -> Int {
    place.container == .none ? FileStream.size(of: place.location) : place.size ?? 0
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
    if let streamError { return streamError }
    let text = archive_error_string(handle).map { String(cString: $0) } ?? "unknown error"
    return RecordsError(
      libarchive: text, path: place.path, entry: currentEntry, isInEntry: current != nil)
  }

  /// What errors call the entry that is being read, or the archive where that is an entry itself.
  private var currentEntry: String? {
    guard let outer = place.entry else { return current?.name }
    return current.map { outer + SourceEntry.nesting + $0.name } ?? outer
  }
}
