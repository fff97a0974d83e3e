/// UTF-16 to UTF-8, piece by piece.
///
/// A surrogate without its other half, and a byte left over at the end, become a byte 0xFF, which no UTF-8
/// has.
struct UTF16Decoder {
  let isBigEndian: Bool
  /// The first byte of a unit whose second one has not come.
  private var half: UInt8?
  /// A high surrogate whose low one has not come.
  private var high: UInt16?

  init(isBigEndian: Bool) {
    self.isBigEndian = isBigEndian
  }

  /// Appends what some bytes say.
  ///
  /// `fault`: is given the place in `output` of each byte 0xFF.
  mutating func decode(
    _ bytes: ArraySlice<UInt8>, into output: inout [UInt8], fault: (_ place: Int) -> Void
  ) {
    for byte in bytes {
      guard let first = half else {
        half = byte
        continue
      }
      half = nil
      let unit = isBigEndian ? UInt16(first) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(first)
      take(unit, into: &output, fault: fault)
    }
  }

  /// Appends what is left at the end.
  mutating func finish(into output: inout [UInt8], fault: (_ place: Int) -> Void) {
    if high != nil { refuse(&output, fault) }
    if half != nil { refuse(&output, fault) }
    (high, half) = (nil, nil)
  }

  private mutating func take(_ unit: UInt16, into output: inout [UInt8], fault: (_ place: Int) -> Void) {
    if let high {
      self.high = nil
      if unit & 0xFC00 == 0xDC00 {
        return append(0x1_0000 + (UInt32(high & 0x3FF) << 10) + UInt32(unit & 0x3FF), to: &output)
      }
      refuse(&output, fault)
    }
    switch unit {
    case 0..<0x80: output.append(UInt8(unit))
    case 0xD800..<0xDC00: high = unit
    case 0xDC00..<0xE000: refuse(&output, fault)
    default: append(UInt32(unit), to: &output)
    }
  }

  private func append(_ scalar: UInt32, to output: inout [UInt8]) {
    if let bytes = Unicode.Scalar(scalar).flatMap(UTF8.encode) { output.append(contentsOf: bytes) }
  }

  private func refuse(_ output: inout [UInt8], _ fault: (_ place: Int) -> Void) {
    fault(output.count)
    output.append(0xFF)
  }

  /// How many bytes of UTF-16 some of the UTF-8 made of it were.
  static func sourceCount(of bytes: ArraySlice<UInt8>) -> Int {
    var count = 0
    for byte in bytes where byte & 0xC0 != 0x80 {
      count += (0xF0..<0xF8).contains(byte) ? 4 : 2
    }
    return count
  }
}
