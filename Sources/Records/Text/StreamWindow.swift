import Values

/// The part of a text that is in memory: a buffer that is filled, consumed from the front and used again.
struct StreamWindow: ~Copyable {
  private let text: TextStream
  /// The buffer; what has been read and not consumed lies in `start..<end`.
  private(set) var storage: [UInt8]
  private(set) var start = 0
  private(set) var end = 0
  /// The bytes of the stream before the buffer's first.
  private var base = 0
  /// Nothing comes after what is in the buffer.
  private(set) var isAtEnd = false

  /// How many bytes of a source in UTF-16 have been consumed; nil where the source's bytes are as they are
  /// here.
  private var wide: Int?

  init(_ source: any ByteStream, encoding: TextEncoding?, capacity: Int) {
    text = TextStream(source, encoding: encoding)
    storage = [UInt8](repeating: 0, count: max(4, capacity))
  }

  /// The number of bytes read and not consumed.
  var count: Int { end - start }

  /// The place of the first byte not consumed, in bytes from the start of the source.
  var offset: Int { wide ?? (base + start) }

  /// The encoding, as far as it is known.
  var encoding: TextEncoding { text.encoding }

  /// The place, in bytes from the start of the source, of the first byte that the encoding does not define
  /// among so many of the bytes not consumed.
  @inline(__always)
  func undecodable(within count: Int) -> Int? {
    guard let fault = text.fault(in: (base + start)..<(base + start + count)) else { return nil }
    guard let wide else { return fault }
    return wide + UTF16Decoder.sourceCount(of: storage[start..<(fault - base)])
  }

  /// Lets go of the first bytes.
  mutating func consume(_ count: Int) {
    let count = min(count, self.count)
    if let wide { self.wide = wide + UTF16Decoder.sourceCount(of: storage[start..<(start + count)]) }
    start += count
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
      let count = try text.read(into: &storage, from: end)
      isAtEnd = count == 0
      end += count
    }
    if wide == nil, text.isWide { wide = text.leading }
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
