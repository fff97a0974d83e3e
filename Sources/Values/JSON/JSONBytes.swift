/// Walks JSON's bytes without looking at what they mean.
enum JSONBytes {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080
  private static let lows: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
  private static let quotes = ones &* 0x22
  private static let backslashes = ones &* 0x5C

  /// The first quote, backslash or control character at or after a place; the number of bytes where there is none.
  ///
  /// Most of a text is none of these, so eight bytes are looked at in one step.
  @inline(__always)
  static func endOfPlainText(_ bytes: Span<UInt8>, from start: Int) -> Int {
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
  @inline(__always)
  private static func special(_ word: UInt64) -> UInt64 {
    let quote = word ^ quotes
    let backslash = word ^ backslashes
    let notQuote = (quote & lows) &+ lows | quote
    let notBackslash = (backslash & lows) &+ lows | backslash
    let notControl = (word & lows) &+ ones &* 0x60 | word
    return ~(notQuote & notBackslash & notControl) & highs
  }

  /// Blank, tab, line feed or carriage return.
  @inline(__always)
  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}

/// Finds where a JSON value ends, piece by piece, by its brackets and quotes alone.
struct JSONBalance {
  /// More brackets than anything meant to be read has within each other.
  static let mostDepth = 512

  private var depth = 0
  private var isInText = false
  private var isEscaped = false
  private var isInWord = false
  /// Whether brackets were within each other deeper than ``mostDepth``.
  private(set) var isTooDeep = false

  /// Goes on at a place, the first time at the value's first byte; gives the place after the value, or nil where the
  /// bytes end before it does.
  mutating func end(_ bytes: Span<UInt8>, from start: Int) -> Int? {
    var place = start
    while place < bytes.count {
      if isEscaped {
        isEscaped = false
        place &+= 1
        continue
      }
      if isInText {
        place = JSONBytes.endOfPlainText(bytes, from: place)
        guard place < bytes.count else { return nil }
        let byte = bytes[place]
        place &+= 1
        if byte == 0x5C {
          isEscaped = true
        } else if byte == 0x22 {
          isInText = false
          if depth == 0 { return place }
        }
        continue
      }
      let byte = bytes[place]
      switch byte {
      case 0x22:
        if isInWord, depth == 0 { return place }
        isInText = true
      case 0x7B, 0x5B:
        if isInWord, depth == 0 { return place }
        depth &+= 1
        if depth > Self.mostDepth { isTooDeep = true }
      case 0x7D, 0x5D:
        // What closes what is around a number or word, or around nothing.
        if depth == 0 { return place }
        depth &-= 1
        if depth == 0 { return place &+ 1 }
      case 0x2C, 0x3A, 0x20, 0x0A, 0x0D, 0x09:
        if depth == 0 { return place }
      default:
        if depth == 0 { isInWord = true }
      }
      place &+= 1
    }
    return nil
  }

  /// Whether what ended with the bytes was a number or a word, which nothing closes.
  var isWhole: Bool { depth == 0 && isInWord }
}
