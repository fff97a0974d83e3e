/// Windows code page 1252, the encoding of old Western files, and ISO 8859-1, whose bytes are the characters
/// of their numbers.
package enum Windows1252 {
  /// Whether the code page leaves a byte above 0x7F without a character.
  package static func isUndefined(_ byte: UInt8) -> Bool {
    byte >= 0x80 && byte < 0xA0 && middle[Int(byte &- 0x80)] == 0
  }

  /// Writes the bytes as UTF-8 into `output`, replacing its content; false if one of them is not defined.
  /// As Latin-1 all of them are.
  static func transcode(
    _ bytes: Span<UInt8>, _ range: Range<Int>, asLatin1: Bool, into output: inout [UInt8]
  ) -> Bool {
    output.removeAll(keepingCapacity: true)
    for index in range {
      let byte = bytes[index]
      switch byte {
      case 0x00..<0x80: output.append(byte)
      case 0x80..<0xA0 where !asLatin1:
        let scalar = middle[Int(byte &- 0x80)]
        guard scalar != 0 else { return false }
        append(scalar, to: &output)
      default: append(UInt16(byte), to: &output)
      }
    }
    return true
  }

  /// Appends a scalar from U+0080 on as UTF-8.
  static func append(_ scalar: UInt16, to output: inout [UInt8]) {
    if scalar < 0x800 {
      output.append(0xC0 | UInt8(truncatingIfNeeded: scalar >> 6))
    } else {
      output.append(0xE0 | UInt8(truncatingIfNeeded: scalar >> 12))
      output.append(0x80 | UInt8(truncatingIfNeeded: scalar >> 6) & 0x3F)
    }
    output.append(0x80 | UInt8(truncatingIfNeeded: scalar) & 0x3F)
  }

  /// 0x80 to 0x9F; zero where the code page defines nothing.
  ///
  /// From 0xA0 on it is Latin-1.
  private static let middle: [UInt16] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
    0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
  ]
}
