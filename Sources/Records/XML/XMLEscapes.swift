/// The escapes `_xHHHH_` by which a workbook writes characters that XML does not have.
enum XMLEscapes {
  /// Replaces the escapes in the bytes from a place on, such as `_x001A_` by control-Z and `_x005F_` by an
  /// underscore.
  ///
  /// Two halves of a character, `_xD83D__xDE00_`, become one; a half alone stays as it is written.
  static func decode(_ bytes: inout [UInt8], from start: Int) {
    guard bytes.count - start >= 7, var place = firstMark(bytes, from: start) else { return }
    var write = place
    while place < bytes.count {
      if let unit = unit(bytes, at: place) {
        if let scalar = Unicode.Scalar(UInt32(unit)) {
          write = put(scalar, in: &bytes, at: write)
          place += 7
          continue
        }
        if unit & 0xFC00 == 0xD800, let low = self.unit(bytes, at: place + 7), low & 0xFC00 == 0xDC00,
          let scalar = Unicode.Scalar(0x10000 + (UInt32(unit & 0x3FF) << 10) + UInt32(low & 0x3FF))
        {
          write = put(scalar, in: &bytes, at: write)
          place += 14
          continue
        }
      }
      bytes[write] = bytes[place]
      write += 1
      place += 1
    }
    bytes.removeLast(bytes.count - write)
  }

  private static func firstMark(_ bytes: [UInt8], from start: Int) -> Int? {
    var place = start
    while place + 6 < bytes.count {
      if bytes[place] == UInt8(ascii: "_"), bytes[place + 1] == UInt8(ascii: "x") { return place }
      place += 1
    }
    return nil
  }

  /// The number of the escape at a place; nil if there is none.
  private static func unit(_ bytes: [UInt8], at place: Int) -> UInt16? {
    guard place + 6 < bytes.count, bytes[place] == UInt8(ascii: "_"), bytes[place + 1] == UInt8(ascii: "x"),
      bytes[place + 6] == UInt8(ascii: "_")
    else { return nil }
    var unit: UInt16 = 0
    for byte in bytes[(place + 2)..<(place + 6)] {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt16(byte - 0x30)
      case UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "a")...UInt8(ascii: "f"):
        unit = unit << 4 | UInt16((byte | 0x20) - 0x57)
      default: return nil
      }
    }
    return unit
  }

  /// Writes a character over the escape, which is longer.
  private static func put(_ scalar: Unicode.Scalar, in bytes: inout [UInt8], at place: Int) -> Int {
    var place = place
    for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
      bytes[place] = byte
      place += 1
    }
    return place
  }
}
