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

extension RecordSource where Self: ~Copyable {
  /// The fields of the record, as if they were UTF-8.
  public var texts: [String] {
    withRecord { bytes, fields in
      fields.indices.map { index in
        bytes.extracting(fields[index].range).withUnsafeBufferPointer {
          String(decoding: $0, as: UTF8.self)
        }
      }
    }
  }
}
