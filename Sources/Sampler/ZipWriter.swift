import CLibArchive
import Host

/// Writes a zip file whose bytes depend on nothing but what is put in.
///
/// Entries have no time: a zip holds local times, which would differ from one time zone to the next.
public final class ZipWriter {
  private let path: String
  private let file: PendingFile
  private var archive: OpaquePointer?

  /// Begins a file.
  ///
  /// It appears under its name when it is whole: see ``finish()``.
  public init(_ path: String) throws(SampleError) {
    self.path = path
    do {
      file = try PendingFile(path)
    } catch {
      throw .cannotWrite(path: path, reason: systemMessage(error.code))
    }
    archive = archive_write_new()
    guard archive != nil else { throw .cannotWrite(path: path, reason: "no memory") }
    try check(archive_write_set_format_zip(archive))
    try check(archive_write_set_options(archive, "zip:compression=deflate,zip:compression-level=6"))
    try check(archive_write_open_fd(archive, file.descriptor))
  }

  deinit {
    if archive != nil { archive_write_free(archive) }
  }

  /// Begins an entry; what is put in next is its content.
  public func beginEntry(_ name: String) throws(SampleError) {
    let entry = archive_entry_new()
    defer { archive_entry_free(entry) }
    archive_entry_set_pathname(entry, name)
    archive_entry_set_filetype(entry, 0o100000)
    archive_entry_set_perm(entry, 0o644)
    try check(archive_write_header(archive, entry))
  }

  /// Adds bytes to the entry.
  public func write(_ bytes: [UInt8]) throws(SampleError) {
    let written = bytes.withUnsafeBytes { archive_write_data(archive, $0.baseAddress, $0.count) }
    if written != bytes.count { throw failure() }
  }

  /// Ends the file and gives it its name.
  public func finish() throws(SampleError) {
    try check(archive_write_close(archive))
    archive_write_free(archive)
    archive = nil
    do {
      try file.finish()
    } catch {
      throw .cannotWrite(path: path, reason: systemMessage(error.code))
    }
  }

  private func check(_ result: Int32) throws(SampleError) {
    if result != ARCHIVE_OK { throw failure() }
  }

  private func failure() -> SampleError {
    let reason = archive_error_string(archive).map { String(cString: $0) } ?? "unknown reason"
    return .cannotWrite(path: path, reason: reason)
  }
}
