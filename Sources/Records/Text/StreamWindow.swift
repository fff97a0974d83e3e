import Values

/// The part of a stream that is in memory: a buffer that is filled, consumed from the front and used again.
struct StreamWindow: ~Copyable {
  private let stream: any ByteStream
  /// The stream where it is a text, whose encoding is decided and watched.
  private let text: TextStream?
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

  /// The window of a stream's bytes as they are.
  init(_ stream: any ByteStream, capacity: Int) {
    (self.stream, text) = (stream, nil)
    storage = [UInt8](repeating: 0, count: max(4, capacity))
  }

  /// The window of a text; if `encoding` is nil, that is found out.
  init(_ source: any ByteStream, encoding: TextEncoding?, capacity: Int) {
    let text = TextStream(source, encoding: encoding)
    (stream, self.text) = (text, text)
    storage = [UInt8](repeating: 0, count: max(4, capacity))
  }

  /// The number of bytes read and not consumed.
  var count: Int { end - start }

  /// The byte at a distance from the first that is not consumed.
  subscript(distance: Int) -> UInt8 { storage[start &+ distance] }

  /// The place of the first byte not consumed, in bytes from the start of the source.
  var offset: Int { wide ?? (base + start) }

  /// The encoding, as far as it is known.
  var encoding: TextEncoding { text?.encoding ?? .utf8 }

  /// The place, in bytes from the start of the source, of the first byte that the encoding does not define
  /// among so many of the bytes not consumed.
  @inline(__always)
  func undecodable(within count: Int) -> Int? {
    guard let fault = text?.fault(in: (base + start)..<(base + start + count)) else { return nil }
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
    if wide == nil, let text, text.isWide { wide = text.leading }
  }
}

extension StreamWindow {
  /// Passes over a byte order mark at the start of the stream; false if there is none.
  @discardableResult
  mutating func passByteOrderMark() throws(RecordsError) -> Bool {
    try fill()
    // That of UTF-16 has been passed already.
    guard storage[..<min(3, end)] == [0xEF, 0xBB, 0xBF] else { return offset > 0 }
    consume(3)
    return true
  }

  /// The first line end at or after a distance from the window's start and at most `limit` from it; nil if
  /// there is none.
  @inline(__always)
  func firstLineEnd(from distance: Int, limit: Int) -> Int? {
    let bytes = storage.span.extracting(start..<(start &+ min(count, limit &+ 1)))
    return LineEndSearch.first(in: bytes, from: min(distance, bytes.count))
  }

  /// The bytes up to and with the line end that begins at a distance from the window's start.
  func lineEnd(at distance: Int) -> Int {
    let place = start &+ distance
    let isPair = place &+ 1 < end && storage[place] == 0x0D && storage[place &+ 1] == 0x0A
    return distance &+ (isPair ? 2 : 1)
  }

  /// Consumes everything up to the line's end, which is sought from a distance from the window's start on,
  /// but for the bytes returned, which end with the line end.
  mutating func skipLine(from distance: Int) throws(RecordsError) -> Int {
    var distance = distance
    while true {
      if let found = firstLineEnd(from: distance, limit: count) {
        // A line feed that belongs to this carriage return may not have been read yet.
        if found + 1 == count, !isAtEnd { try fill() }
        return lineEnd(at: found)
      }
      consume(count)
      distance = 0
      if isAtEnd { return 0 }
      try fill()
    }
  }
}
