/// Bytes by the names of their characters.
enum ASCII {
  static let zero = UInt8(ascii: "0")
  static let point = UInt8(ascii: ".")
  static let plus = UInt8(ascii: "+")
  static let minus = UInt8(ascii: "-")
  static let slash = UInt8(ascii: "/")

  /// Space, and the controls from tab to carriage return.
  @inline(__always)
  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte &- 0x09 < 5
  }

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool {
    byte &- zero < 10
  }

  @inline(__always)
  static func isUpper(_ byte: UInt8) -> Bool {
    byte &- 0x41 < 26
  }

  @inline(__always)
  static func isLower(_ byte: UInt8) -> Bool {
    byte &- 0x61 < 26
  }

  /// The byte in upper case.
  @inline(__always)
  static func upper(_ byte: UInt8) -> UInt8 {
    isLower(byte) ? byte & 0xDF : byte
  }
}

extension Span<UInt8> {
  /// The range without blanks at both ends.
  @inline(__always)
  func trimmed() -> Range<Int> {
    var lower = 0
    var upper = count
    while lower < upper, ASCII.isBlank(self[lower]) { lower &+= 1 }
    while upper > lower, ASCII.isBlank(self[upper &- 1]) { upper &-= 1 }
    return lower..<upper
  }
}
