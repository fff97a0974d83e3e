/// The bytes that end a text or are between values.
public enum JSONBytes {
  /// The first quote, backslash or control character at or after a place; the number of bytes where there is
  /// none.
  ///
  /// Most of a text is none of these, so eight bytes are looked at in one step.
  @inlinable @inline(__always)
  public static func endOfPlainText(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var place = start
    let raw = bytes.bytes
    while bytes.count &- place >= 8 {
      let word = UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self))
      let mask = special(word)
      if mask != 0 { return place &+ mask.trailingZeroBitCount / 8 }
      place &+= 8
    }
    while place < bytes.count {
      let byte = bytes[place]
      if byte == 0x22 || byte == 0x5C || byte < 0x20 { return place }
      place &+= 1
    }
    return place
  }

  /// The high bit of each byte that is a quote, a backslash or below the blank; exact in each byte.
  @inlinable @inline(__always)
  static func special(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let lows: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5C)
    let notQuote = (quote & lows) &+ lows | quote
    let notBackslash = (backslash & lows) &+ lows | backslash
    let notControl = (word & lows) &+ ones &* 0x60 | word
    return ~(notQuote & notBackslash & notControl) & ~lows
  }

  /// Blank, tab, line feed or carriage return.
  @inlinable @inline(__always)
  public static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}
