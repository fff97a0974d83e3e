import CLibArchive

/// A zip that is written entry by entry.
final class ZipFile {
  private let path: String
  private let handle: OpaquePointer

  /// Begins a file.
  init(_ path: String) throws(BenchError) {
    guard let handle = archive_write_new() else {
      throw .cannotWrite(path: path, reason: "out of memory")
    }
    self.path = path
    self.handle = handle
    try check(archive_write_set_format_zip(handle))
    try check(archive_write_open_filename(handle, path))
  }

  deinit { archive_write_free(handle) }

  /// Begins an entry; what is written next is its content.
  func beginEntry(_ name: String) throws(BenchError) {
    let entry = archive_entry_new()
    defer { archive_entry_free(entry) }
    archive_entry_set_pathname(entry, name)
    // S_IFREG by libarchive's own numbering.
    archive_entry_set_filetype(entry, 0o100000)
    archive_entry_set_perm(entry, 0o644)
    try check(archive_write_header(handle, entry))
  }

  /// Adds bytes to the entry.
  func write(_ bytes: ArraySlice<UInt8>) throws(BenchError) {
    let written = bytes.withUnsafeBytes { archive_write_data(handle, $0.baseAddress, $0.count) }
    if written != bytes.count { throw failure() }
  }

  /// Writes the directory and closes the file.
  func finish() throws(BenchError) { try check(archive_write_close(handle)) }

  private func check(_ result: Int32) throws(BenchError) {
    if result != ARCHIVE_OK { throw failure() }
  }

  private func failure() -> BenchError {
    let reason = archive_error_string(handle).map { String(cString: $0) } ?? "unknown reason"
    return .cannotWrite(path: path, reason: reason)
  }
}
