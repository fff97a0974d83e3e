import CLibArchive

/// Feeds libarchive from a stream and keeps the stream's error, for which libarchive has no place.
final class ArchiveSource {
  let stream: any ByteStream
  private(set) var error: RecordsError?
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 128 << 10, alignment: 16)

  init(_ stream: any ByteStream) {
    self.stream = stream
  }

  deinit {
    buffer.deallocate()
  }

  /// Opens a handle on the stream.
  ///
  /// The source must live as long as the handle is used.
  func open(_ handle: OpaquePointer) -> CInt {
    archive_read_open(
      handle, Unmanaged.passUnretained(self).toOpaque(), nil,
      { _, client, bytes in
        guard let client else { return -1 }
        return Unmanaged<ArchiveSource>.fromOpaque(client).takeUnretainedValue().read(bytes)
      }, nil)
  }

  private func read(_ bytes: UnsafeMutablePointer<UnsafeRawPointer?>?) -> Int {
    do {
      let count = try stream.read(into: buffer)
      bytes?.pointee = UnsafeRawPointer(buffer.baseAddress)
      return count
    } catch {
      self.error = error
      return -1
    }
  }
}
