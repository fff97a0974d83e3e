import CLibArchive
import Glibc

/// A zip made entry by entry, whose bytes depend on nothing but what is put in.
///
/// Entries have no time: a zip holds local times, which would differ from one time zone to the next.
final class ZipStream: BundleWriter {
  private let put: ([UInt8]) throws(SampleError) -> Void
  private let name: String
  private var archive: OpaquePointer?
  /// Why the bytes could not be handed on.
  private var error: SampleError?

  /// Begins a zip.
  ///
  /// - `name`: what an error calls it.
  /// - `put`: takes its bytes, in order.
  init(_ name: String, put: @escaping ([UInt8]) throws(SampleError) -> Void) throws(SampleError) {
    self.name = name
    self.put = put
    archive = archive_write_new()
    guard archive != nil else { throw .cannotWrite(path: name, reason: "no memory, or no libarchive.so.13") }
    try check(archive_write_set_format_zip(archive))
    try check(archive_write_set_options(archive, "zip:compression=deflate,zip:compression-level=6"))
    // No bytes to fill up the last block of a tape.
    try check(archive_write_set_bytes_in_last_block(archive, 1))
    let context = Unmanaged.passUnretained(self).toOpaque()
    try check(
      archive_write_open(
        archive, context, nil,
        { _, context, bytes, count in
          guard let context else { return -1 }
          return Unmanaged<ZipStream>.fromOpaque(context).takeUnretainedValue().take(bytes, count)
        }, nil))
  }

  deinit {
    // What libarchive would still write has nowhere to go.
    isOver = true
    if archive != nil { archive_write_free(archive) }
  }

  private var isOver = false

  func beginEntry(_ name: String) throws(SampleError) {
    let entry = archive_entry_new()
    defer { archive_entry_free(entry) }
    archive_entry_set_pathname(entry, name)
    archive_entry_set_filetype(entry, 0o100000)
    archive_entry_set_perm(entry, 0o644)
    try check(archive_write_header(archive, entry))
  }

  func write(_ bytes: [UInt8]) throws(SampleError) {
    let written = bytes.withUnsafeBytes { archive_write_data(archive, $0.baseAddress, $0.count) }
    if written != bytes.count { throw failure() }
  }

  func finish() throws(SampleError) {
    try check(archive_write_close(archive))
    archive_write_free(archive)
    archive = nil
  }

  private func take(_ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    if isOver { return count }
    do throws(SampleError) {
      try put(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
      return count
    } catch {
      self.error = error
      return -1
    }
  }

  private func check(_ result: Int32) throws(SampleError) {
    if result != ARCHIVE_OK { throw failure() }
  }

  private func failure() -> SampleError {
    if let error { return error }
    let reason = archive_error_string(archive).map { String(cString: $0) } ?? "unknown reason"
    return .cannotWrite(path: name, reason: reason)
  }
}
