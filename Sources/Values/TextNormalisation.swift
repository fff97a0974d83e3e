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
      return UTF8Check.isValid(field, range) ? .slice(range) : .invalid(.undecodable)
    case .windows1252:
      return Windows1252.transcode(field, range, into: &scratch) ? .scratch : .invalid(.undecodable)
    case .latin1:
      Latin1.transcode(field, range, into: &scratch)
      return .scratch
    }
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
