/// Text in the encoding of its file, which has been decided for all of it.
enum TextNormalisation {
  static func text(
    _ field: Span<UInt8>, _ range: Range<Int>, _ encoding: TextEncoding, _ scratch: inout [UInt8]
  ) -> Normalised {
    switch scan(field, range) {
    case .ascii: return .slice(range)
    case .nul: return .invalid(.nulByte)
    case .other: break
    }
    switch encoding {
    case .ascii: return .invalid(.undecodable)
    // What was UTF-16 comes from its reader as UTF-8.
    case .utf8, .utf16LE, .utf16BE:
      return UTF8Form.isValid(field.extracting(range)) ? .slice(range) : .invalid(.undecodable)
    case .windows1252, .latin1:
      let isDefined = Windows1252.transcode(field, range, asLatin1: encoding == .latin1, into: &scratch)
      return isDefined ? .scratch : .invalid(.undecodable)
    }
  }

  /// A text whose runs of blanks, those that do not break included, are one blank each.
  static func line(
    _ field: Span<UInt8>, _ range: Range<Int>, _ encoding: TextEncoding, _ scratch: inout [UInt8]
  ) -> Normalised {
    switch text(field, range, encoding, &scratch) {
    case .slice(let range):
      guard !isOneLine(field.extracting(range)) else { return .slice(range) }
      scratch.replace(with: field, range)
    case .scratch: break
    case let other: return other
    }
    squeeze(&scratch)
    return scratch.isEmpty ? .blank : .scratch
  }

  /// What `body` makes of a text on one line; it may use the scratch array, too.
  static func onLine(
    _ field: Span<UInt8>, _ range: Range<Int>, _ encoding: TextEncoding, _ scratch: inout [UInt8],
    _ body: (_ text: [UInt8], _ scratch: inout [UInt8]) -> Normalised
  ) -> Normalised {
    let line = line(field, range, encoding, &scratch)
    switch line {
    case .slice(let range): scratch.replace(with: field, range)
    case .scratch: break
    default: return line
    }
    return body(Array(scratch), &scratch)
  }

  /// A text on one line without the mark of a footnote at its end, digits in square brackets.
  static func unmarked(
    _ field: Span<UInt8>, _ range: Range<Int>, _ encoding: TextEncoding, _ scratch: inout [UInt8]
  ) -> Normalised {
    switch line(field, range, encoding, &scratch) {
    case .slice(let range):
      let text = range.lowerBound..<endWithoutMark(field.extracting(range), from: range.lowerBound)
      return text.isEmpty ? .blank : .slice(text)
    case .scratch:
      scratch.removeSubrange(endWithoutMark(scratch.span, from: 0)...)
      return scratch.isEmpty ? .blank : .scratch
    case let other: return other
    }
  }

  /// Where a text ends whose mark, and the blank before that, are left out, if it begins at a place.
  private static func endWithoutMark(_ text: Span<UInt8>, from start: Int) -> Int {
    var end = text.count
    guard end > 0, text[end &- 1] == UInt8(ascii: "]") else { return start &+ end }
    end &-= 1
    while end > 0, ASCII.isDigit(text[end &- 1]) { end &-= 1 }
    guard end > 0, end < text.count &- 1, text[end &- 1] == UInt8(ascii: "[") else {
      return start &+ text.count
    }
    end &-= 1
    while end > 0, text[end &- 1] == 0x20 { end &-= 1 }
    return start &+ end
  }

  private static func isOneLine(_ text: Span<UInt8>) -> Bool {
    var wasBlank = false
    for place in text.indices {
      let byte = text[place]
      let isBlank = ASCII.isBlank(byte)
      // A blank that does not break is 0xC2 0xA0.
      if isBlank && (wasBlank || byte != 0x20) || byte == 0xA0 { return false }
      wasBlank = isBlank
    }
    return true
  }

  private static func squeeze(_ text: inout [UInt8]) {
    var end = 0
    var place = 0
    while place < text.count {
      let isUnbreaking = text[place] == 0xC2 && place + 1 < text.count && text[place + 1] == 0xA0
      if isUnbreaking || ASCII.isBlank(text[place]) {
        if end > 0, text[end - 1] != 0x20 {
          text[end] = 0x20
          end += 1
        }
        place += isUnbreaking ? 2 : 1
      } else {
        text[end] = text[place]
        end += 1
        place += 1
      }
    }
    if end > 0, text[end - 1] == 0x20 { end -= 1 }
    text.removeSubrange(end...)
  }

  enum Content {
    case ascii, nul, other
  }

  /// Looks for NUL and for bytes beyond ASCII, eight bytes a step.
  static func scan(_ field: Span<UInt8>, _ range: Range<Int>) -> Content {
    let bytes = field.bytes
    let highs: UInt64 = 0x8080_8080_8080_8080
    let ones: UInt64 = 0x0101_0101_0101_0101
    var index = range.lowerBound
    var seen: UInt64 = 0
    while range.upperBound &- index >= 8 {
      let word = bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
      // The well-known test for a zero byte: exact in whether there is one.
      if (word &- ones) & ~word & highs != 0 { return .nul }
      seen |= word
      index &+= 8
    }
    while index < range.upperBound {
      let byte = field[index]
      if byte == 0 { return .nul }
      seen |= UInt64(byte)
      index &+= 1
    }
    return seen & highs == 0 ? .ascii : .other
  }
}
