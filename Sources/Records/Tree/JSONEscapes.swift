/// Writes a JSON text without its escapes.
enum JSONEscapes {
  /// Writes what stands from a place to the closing quote, and goes on behind that; gives why it cannot.
  static func rewrite(
    _ bytes: Span<UInt8>, from place: inout Int, onto text: inout [UInt8]
  ) -> Malformation? {
    while true {
      let end = JSONBytes.endOfPlainText(bytes, from: place)
      bytes.extracting(place..<end).withUnsafeBufferPointer { text.append(contentsOf: $0) }
      place = end
      guard place < bytes.count else { return .truncated }
      switch bytes[place] {
      case 0x22:
        place &+= 1
        return nil
      case 0x5C:
        if let malformation = escape(bytes, &place, &text) { return malformation }
      default: return .badSyntax
      }
    }
  }

  /// One escape, from its backslash on.
  private static func escape(
    _ bytes: Span<UInt8>, _ place: inout Int, _ text: inout [UInt8]
  ) -> Malformation? {
    guard bytes.count &- place >= 2 else { return .truncated }
    let letter = bytes[place &+ 1]
    place &+= 2
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      guard let unit = unit(bytes, place) else { return .badSyntax }
      place &+= 4
      guard let scalar = scalar(unit, bytes, &place) else { return .loneSurrogate }
      text.append(contentsOf: String(scalar).utf8)
    default: return .badSyntax
    }
    return nil
  }

  /// The character that begins with a unit of UTF-16; of a pair the other half is taken too.
  private static func scalar(_ unit: UInt32, _ bytes: Span<UInt8>, _ place: inout Int) -> Unicode.Scalar? {
    guard unit & 0xFC00 == 0xD800 else { return Unicode.Scalar(unit) }
    guard bytes.count &- place >= 6, bytes[place] == 0x5C, bytes[place &+ 1] == UInt8(ascii: "u"),
      let low = self.unit(bytes, place &+ 2), low & 0xFC00 == 0xDC00
    else { return nil }
    place &+= 6
    return Unicode.Scalar(0x10000 &+ (unit & 0x3FF) << 10 &+ low & 0x3FF)
  }

  /// Four hexadecimal digits.
  private static func unit(_ bytes: Span<UInt8>, _ place: Int) -> UInt32? {
    guard bytes.count &- place >= 4 else { return nil }
    var unit: UInt32 = 0
    for offset in 0..<4 {
      let byte = bytes[place &+ offset]
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte &- 0x30
      case 0x41...0x46, 0x61...0x66: digit = (byte | 0x20) &- 0x57
      default: return nil
      }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }
}
