/// Capitals and small letters in UTF-8: ASCII's, and those of two bytes up to U+017F, which is every letter
/// of the western and central European languages that are written in Latin letters.
///
/// A letter and its other case have as many bytes, so that a text is changed in place. Other scripts are left
/// alone.
enum LetterCase {
  /// What a character is.
  enum Kind {
    case capital, small, other
  }

  /// What the character at a place is; the second byte of one is `other`.
  @inline(__always)
  static func kind(of text: Span<UInt8>, at place: Int) -> Kind {
    let byte = text[place]
    if byte < 0x80 { return ASCII.isUpper(byte) ? .capital : ASCII.isLower(byte) ? .small : .other }
    guard byte >= 0xC3, byte <= 0xC5, place &+ 1 < text.count else { return .other }
    return kind(ofScalar: scalar(byte, text[place &+ 1]))
  }

  /// Whether a text has letters of one case only, so that its case says nothing.
  static func isUniform(_ text: Span<UInt8>) -> Bool {
    var (capitals, small) = (false, false)
    for place in text.indices {
      switch kind(of: text, at: place) {
      case .capital: capitals = true
      case .small: small = true
      case .other: continue
      }
      if capitals, small { return false }
    }
    return capitals || small
  }

  /// Whether a text has a small letter.
  static func hasSmall(_ text: Span<UInt8>) -> Bool {
    for place in text.indices where kind(of: text, at: place) == .small { return true }
    return false
  }

  /// Makes the letters at a place small.
  static func lower(_ text: inout [UInt8], _ range: Range<Int>) {
    for place in range where kind(of: text.span, at: place) == .capital { change(&text, at: place) }
  }

  /// Makes the letter at a place a capital.
  static func capitalise(_ text: inout [UInt8], at place: Int) {
    guard place < text.count, kind(of: text.span, at: place) == .small else { return }
    change(&text, at: place)
  }

  /// Makes the letters at a place capitals.
  static func upper(_ text: inout [UInt8], _ range: Range<Int>) {
    for place in range { capitalise(&text, at: place) }
  }

  /// Whether a byte is of a letter; of what is not ASCII nobody asks closer.
  @inline(__always)
  static func isLetter(_ byte: UInt8) -> Bool { byte >= 0x80 || ASCII.isUpper(ASCII.upper(byte)) }

  private static func change(_ text: inout [UInt8], at place: Int) {
    guard text[place] >= 0x80 else {
      text[place] ^= 0x20
      return
    }
    let old = scalar(text[place], text[place + 1])
    // Latin-1 has its cases 32 apart; beyond it a capital comes before its small letter.
    let isCapital = kind(ofScalar: old) == .capital
    let new = old < 0x100 ? old ^ 0x20 : isCapital ? old + 1 : old - 1
    text[place] = UInt8(0xC0 | new >> 6)
    text[place + 1] = UInt8(0x80 | new & 0x3F)
  }

  @inline(__always)
  private static func scalar(_ first: UInt8, _ second: UInt8) -> UInt32 {
    UInt32(first & 0x1F) << 6 | UInt32(second & 0x3F)
  }

  private static func kind(ofScalar scalar: UInt32) -> Kind {
    switch scalar {
    case 0xD7, 0xF7, 0xDF, 0xFF, 0x130, 0x131, 0x138, 0x149, 0x178, 0x17F: .other
    case 0xC0...0xDE: .capital
    case 0xE0...0xFE: .small
    case 0x100...0x137, 0x14A...0x177: scalar & 1 == 0 ? .capital : .small
    case 0x139...0x148, 0x179...0x17E: scalar & 1 == 1 ? .capital : .small
    default: .other
    }
  }
}
