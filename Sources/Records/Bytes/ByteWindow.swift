/// The part of a stream that is in memory, its bytes as they are: filled at the end, let go of at the front.
struct ByteWindow: ~Copyable {
  private let stream: any ByteStream
  private(set) var storage: [UInt8]
  private(set) var start = 0
  private(set) var end = 0
  /// The bytes of the stream before the buffer's first.
  private var base = 0
  /// Nothing comes after what is in the buffer.
  private(set) var isAtEnd = false

  init(_ stream: any ByteStream, capacity: Int) {
    self.stream = stream
    storage = [UInt8](repeating: 0, count: max(16, capacity))
  }

  /// The number of bytes that are there.
  var count: Int { end - start }

  /// The place of the first of them, in bytes from the start of the stream.
  var offset: Int { base + start }

  /// The byte at a distance from the first.
  subscript(distance: Int) -> UInt8 { storage[start &+ distance] }

  /// Lets go of the first bytes.
  mutating func consume(_ count: Int) { start += min(count, self.count) }

  /// Reads until the buffer is full or the stream at its end; a buffer that is full already is doubled.
  mutating func fill() throws(RecordsError) {
    if start > 0 {
      let (from, length) = (start, count)
      storage.withUnsafeMutableBytes { bytes in
        bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[from..<(from + length)]))
      }
      base += from
      (start, end) = (0, length)
    } else if end == storage.count {
      storage.append(contentsOf: repeatElement(0, count: storage.count))
    }
    while end < storage.count, !isAtEnd {
      let count = try stream.read(into: &storage, from: end)
      isAtEnd = count == 0
      end += count
    }
  }

  /// Passes over the byte order mark of UTF-8 at the start of the stream.
  mutating func passByteOrderMark() throws(RecordsError) {
    try fill()
    if storage[..<min(3, end)] == [0xEF, 0xBB, 0xBF] { consume(3) }
  }
}
