import CLibArchive
import TestSupport

extension Scratch {
  /// Writes a file, with its folders, and gives its path.
  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> String { try write(name, bytes: bytes) }
}

/// Makes archives in memory.
enum ArchiveFixture {
  enum Kind: String, CaseIterable {
    case zip, storedZip, zip64, sevenZip, tar, tarGzip, tarZstd
    /// Compressed files that are no archives.
    case gzip, bzip2, xz, zstd
    /// The same, as a zip or a 7z has it within, and never alone.
    case lzma

    /// Those that are files.
    static let allCases: [Kind] = [
      .zip, .storedZip, .zip64, .sevenZip, .tar, .tarGzip, .tarZstd, .gzip, .bzip2, .xz, .zstd,
    ]

    var isSingle: Bool { [.gzip, .bzip2, .xz, .zstd].contains(self) }
  }

  struct Failure: Error { let reason: String }

  static func make(
    _ kind: Kind, _ entries: [(name: String, bytes: [UInt8])], password: String? = nil
  ) throws -> [UInt8] {
    guard let archive = archive_write_new() else { throw Failure(reason: "no memory") }
    defer { archive_write_free(archive) }
    func check(_ result: CInt) throws {
      guard result == ARCHIVE_OK else {
        throw Failure(reason: String(cString: archive_error_string(archive)))
      }
    }
    switch kind {
    case .zip, .storedZip, .zip64: try check(archive_write_set_format_zip(archive))
    case .sevenZip: try check(archive_write_set_format_7zip(archive))
    case .tar, .tarGzip, .tarZstd: try check(archive_write_set_format_pax_restricted(archive))
    default: try check(archive_write_set_format_raw(archive))
    }
    switch kind {
    case .tarGzip, .gzip: try check(archive_write_add_filter_gzip(archive))
    case .tarZstd, .zstd: try check(archive_write_add_filter_zstd(archive))
    case .bzip2: try check(archive_write_add_filter_bzip2(archive))
    case .xz: try check(archive_write_add_filter_xz(archive))
    case .lzma: try check(archive_write_add_filter_lzma(archive))
    default: break
    }
    if kind == .storedZip { try check(archive_write_set_options(archive, "zip:compression=store")) }
    if kind == .zip64 { try check(archive_write_set_options(archive, "zip:zip64")) }
    if let password {
      try check(archive_write_set_options(archive, "zip:encryption=traditional"))
      try check(archive_write_set_passphrase(archive, password))
    }
    var output = [UInt8](repeating: 0, count: entries.reduce(1 << 20) { $0 + $1.bytes.count })
    var used = 0
    try output.withUnsafeMutableBytes { buffer in
      try check(archive_write_set_bytes_in_last_block(archive, 1))
      try check(archive_write_open_memory(archive, buffer.baseAddress, buffer.count, &used))
      for (name, bytes) in entries {
        let entry = archive_entry_new()
        defer { archive_entry_free(entry) }
        let isFolder = name.hasSuffix("/")
        archive_entry_set_pathname(entry, name)
        archive_entry_set_filetype(entry, isFolder ? 0o040000 : 0o100000)
        archive_entry_set_perm(entry, 0o644)
        archive_entry_set_size(entry, la_int64_t(bytes.count))
        try check(archive_write_header(archive, entry))
        guard archive_write_data(archive, bytes, bytes.count) == bytes.count else {
          throw Failure(reason: "cannot write")
        }
      }
      try check(archive_write_close(archive))
    }
    return Array(output[..<used])
  }
}
