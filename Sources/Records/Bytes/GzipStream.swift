import CZlib

/// What a gzip stream holds, every member of it, with its lengths and checksums verified.
final class GzipStream: ByteStream {
  private let source: any ByteStream
  /// What errors call the source.
  private let place: SourceEntry
  // zlib's state points back to its stream, which therefore must not move.
  private let zlib: UnsafeMutablePointer<z_stream>
  private var input = [UInt8](repeating: 0, count: 64 << 10)
  private var unread = 0..<0
  /// A member has begun and its checksum has not come by.
  private var isInMember = false
  private var isAtEnd = false

  init(_ source: any ByteStream, of place: SourceEntry) throws(RecordsError) {
    self.source = source
    self.place = place
    zlib = .allocate(capacity: 1)
    zlib.initialize(to: z_stream())
    guard zlib_inflate_init_gzip(zlib) == Z_OK else {
      throw .unreadable(path: place.description, reason: "out of memory")
    }
  }

  deinit {
    inflateEnd(zlib)
    zlib.deinitialize(count: 1)
    zlib.deallocate()
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(RecordsError) -> Int {
    while !isAtEnd {
      if unread.isEmpty {
        unread = 0..<(try source.read(into: &input, from: 0))
        if unread.isEmpty {
          guard !isInMember else { throw broken("the gzip stream is cut off") }
          isAtEnd = true
          break
        }
      }
      if !isInMember, !beginMember() { continue }
      let count = try inflate(into: buffer)
      if count > 0 { return count }
    }
    return 0
  }

  /// Looks for another member; false if there are only the zeros with which tapes are filled up.
  private func beginMember() -> Bool {
    while let place = unread.first, input[place] == 0 { unread.removeFirst() }
    guard !unread.isEmpty else { return false }
    isInMember = true
    return inflateReset(zlib) == Z_OK
  }

  private func inflate(into buffer: UnsafeMutableRawBufferPointer) throws(RecordsError) -> Int {
    let output = min(buffer.count, Int(UInt32.max))
    zlib.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: Bytef.self)
    zlib.pointee.avail_out = UInt32(output)
    let result = input.withUnsafeMutableBufferPointer { bytes in
      zlib.pointee.next_in = bytes.baseAddress?.advanced(by: unread.lowerBound)
      zlib.pointee.avail_in = UInt32(unread.count)
      return CZlib.inflate(zlib, Z_NO_FLUSH)
    }
    unread = (unread.upperBound - Int(zlib.pointee.avail_in))..<unread.upperBound
    switch result {
    case Z_OK, Z_BUF_ERROR: break
    case Z_STREAM_END: isInMember = false
    default: throw broken(zlib.pointee.msg.map { String(cString: $0) } ?? "error \(result) of zlib")
    }
    return output - Int(zlib.pointee.avail_out)
  }

  private func broken(_ reason: String) -> RecordsError {
    .brokenArchive(path: place.path, entry: place.entry, reason: reason)
  }
}
