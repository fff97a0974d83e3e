/// The bytes of a field as COPY's text form has them.
///
/// Most fields are short and hold nothing to escape: they are copied in whole words, the last of which
/// overlaps the one before it, at less than half the time of going byte by byte.
enum CopyEscape {
  /// Copies a field in which nothing needs escaping, which `isChecked` makes sure of: false, the target half
  /// written, where something does.
  @inline(__always)
  static func copyPlain(
    _ source: RawSpan, to target: UnsafeMutableRawPointer, isChecked: Bool
  ) -> Bool {
    let size = source.byteCount
    if size >= 8 {
      let last = size - 8
      var place = 0
      while true {
        let word = source.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self)
        if isChecked && needsEscape(word) { return false }
        target.storeBytes(of: word, toByteOffset: place, as: UInt64.self)
        if place == last { return true }
        place = min(place + 8, last)
      }
    }
    if size >= 4 {
      let first = source.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt32.self)
      let second = source.unsafeLoadUnaligned(fromByteOffset: size - 4, as: UInt32.self)
      if isChecked && needsEscape(UInt64(first) << 32 | UInt64(second)) { return false }
      target.storeBytes(of: first, as: UInt32.self)
      target.storeBytes(of: second, toByteOffset: size - 4, as: UInt32.self)
      return true
    }
    for place in 0..<size {
      let byte = source.unsafeLoad(fromByteOffset: place, as: UInt8.self)
      if isChecked && (byte == 0x5c || byte < 0x10) { return false }
      target.storeBytes(of: byte, toByteOffset: place, as: UInt8.self)
    }
    return true
  }

  /// Copies a field byte by byte with what it needs of backslashes; at most twice its size.
  static func copyEscaped(_ bytes: Span<UInt8>, to target: UnsafeMutableRawPointer) -> Int {
    var size = 0
    for place in bytes.indices {
      let byte = bytes[place]
      let letter = letter(byte)
      if letter != 0 {
        target.storeBytes(of: 0x5c, toByteOffset: size, as: UInt8.self)
        size += 1
      }
      target.storeBytes(of: letter != 0 ? letter : byte, toByteOffset: size, as: UInt8.self)
      size += 1
    }
    return size
  }

  /// What follows the backslash that a byte needs; 0 where it needs none. Only these four mean something to
  /// COPY.
  private static func letter(_ byte: UInt8) -> UInt8 {
    switch byte {
    case 0x09: 0x74
    case 0x0a: 0x6e
    case 0x0d: 0x72
    case 0x5c: 0x5c
    default: 0
    }
  }

  /// Whether a byte of the word is a backslash, or below 16 and so perhaps a tab or a line end.
  ///
  /// A byte minus 16 sets its highest bit only if it was below 16 or that bit was set already; a borrow from
  /// the byte below can only come from one that is found itself.
  @inline(__always)
  private static func needsEscape(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let slash = word ^ (ones &* 0x5c)
    let found = (slash &- ones) & ~slash | (word &- (ones &* 0x10)) & ~word
    return found & (ones &* 0x80) != 0
  }
}
