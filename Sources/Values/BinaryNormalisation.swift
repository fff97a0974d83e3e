/// Bytes that come as text, into PostgreSQL's hexadecimal form of `bytea`.
enum BinaryNormalisation {
  /// Takes base64, also of the alphabet for addresses and without its padding, and what begins with `\x` as
  /// it is.
  static func bytes(_ field: Span<UInt8>, _ range: Range<Int>, _ scratch: inout [UInt8]) -> Normalised {
    let start = range.lowerBound
    if range.count >= 2, field[start] == UInt8(ascii: "\\"), field[start &+ 1] == UInt8(ascii: "x") {
      guard range.count.isMultiple(of: 2) else { return .invalid(.notBinary) }
      for place in (start &+ 2)..<range.upperBound where ASCII.hexadecimalDigit(field[place]) == nil {
        return .invalid(.notBinary)
      }
      return .slice(range)
    }
    var end = range.upperBound
    while end > start, range.upperBound &- end < 2, field[end &- 1] == UInt8(ascii: "=") { end &-= 1 }
    let padding = range.upperBound &- end
    guard padding == 0 || range.count.isMultiple(of: 4), (end &- start) % 4 != 1 else {
      return .invalid(.notBinary)
    }
    scratch.removeAll(keepingCapacity: true)
    scratch.append(contentsOf: "\\x".utf8)
    var (bits, count) = (UInt32(0), 0)
    for place in start..<end {
      guard let sextet = sextet(field[place]) else { return .invalid(.notBinary) }
      bits = bits << 6 | UInt32(sextet)
      count &+= 6
      if count >= 8 {
        count &-= 8
        append(UInt8(truncatingIfNeeded: bits >> UInt32(count)), to: &scratch)
      }
    }
    return .scratch
  }

  /// The SHA-256 digest of the text: what may be compared and must not be known. What is written as one, `\x`
  /// and 64 hexadecimal digits, is taken for it.
  static func digest(_ field: Span<UInt8>, _ range: Range<Int>, _ scratch: inout [UInt8]) -> Normalised {
    if range.count == 66, case .slice(let digest) = bytes(field, range, &scratch) { return .slice(digest) }
    var hash = SHA256()
    hash.update(field.extracting(range))
    scratch.removeAll(keepingCapacity: true)
    scratch.append(contentsOf: "\\x".utf8)
    for byte in hash.finish() { append(byte, to: &scratch) }
    return .scratch
  }

  private static func append(_ byte: UInt8, to output: inout [UInt8]) {
    output.append(ASCII.hexadecimal(byte >> 4))
    output.append(ASCII.hexadecimal(byte & 0xF))
  }

  private static func sextet(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x41...0x5A: byte &- 0x41
    case 0x61...0x7A: byte &- 0x61 &+ 26
    case 0x30...0x39: byte &- 0x30 &+ 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
