/// The part of a stream that is in memory: a buffer that is filled, consumed from the front and used again.
struct StreamWindow: ~Copyable {
  private let source: any ByteStream
  /// The buffer; what has been read and not consumed lies in `start..<end`.
  private(set) var storage: [UInt8]
  private(set) var start = 0
  private(set) var end = 0
  /// The bytes of the stream before the buffer's first.
  private var base = 0
  /// Nothing comes after what is in the buffer.
  private(set) var isAtEnd = false

  init(_ source: any ByteStream, capacity: Int) {
    self.source = source
    storage = [UInt8](repeating: 0, count: max(4, capacity))
  }

  /// The number of bytes read and not consumed.
  var count: Int { end - start }

  /// The place of the first byte not consumed, in bytes from the start of the stream.
  var offset: Int { base + start }

  /// Lets go of the first bytes.
  mutating func consume(_ count: Int) {
    start += min(count, self.count)
  }

  /// Reads until the buffer is full or the stream at its end.
  ///
  /// A buffer that is full of bytes that have not been consumed is doubled.
  mutating func fill() throws(RecordsError) {
    if start > 0 {
      moveToFront()
    } else if end == storage.count {
      storage.append(contentsOf: repeatElement(0, count: storage.count))
    }
    while end < storage.count, !isAtEnd {
      let count = try source.read(into: &storage, from: end)
      isAtEnd = count == 0
      end += count
    }
  }

  private mutating func moveToFront() {
    let (from, length) = (start, count)
    storage.withUnsafeMutableBytes { bytes in
      bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[from..<(from + length)]))
    }
    base += from
    start = 0
    end = length
  }
}
