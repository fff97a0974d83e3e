public import Records

/// The bytes of an array as a stream.
public final class MemoryStream: ByteStream {
  private let bytes: [UInt8]
  private let chunk: Int
  private var position = 0

  /// A stream of `bytes` that gives at most `chunk` of them at a time.
  public init(_ bytes: [UInt8], chunk: Int = .max) {
    self.bytes = bytes
    self.chunk = max(1, chunk)
  }

  /// Reads the next bytes into the start of a buffer; 0 at the end.
  /// - Throws: ``RecordsError`` of the source.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(RecordsError) -> Int {
    let count = min(buffer.count, chunk, bytes.count - position)
    buffer.copyBytes(from: bytes[position..<(position + count)])
    position += count
    return count
  }
}
