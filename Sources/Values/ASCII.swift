/// Bytes by the names of their characters.
public enum ASCII {
  static let zero = UInt8(ascii: "0")
  static let point = UInt8(ascii: ".")
  static let plus = UInt8(ascii: "+")
  static let minus = UInt8(ascii: "-")
  static let slash = UInt8(ascii: "/")

  /// Space, and the controls from tab to carriage return.
  @inlinable @inline(__always)
  public static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte &- 0x09 < 5 }

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte &- zero < 10 }

  @inline(__always)
  static func isUpper(_ byte: UInt8) -> Bool { byte &- 0x41 < 26 }

  @inline(__always)
  static func isLower(_ byte: UInt8) -> Bool { byte &- 0x61 < 26 }

  /// The byte in upper case.
  @inline(__always)
  static func upper(_ byte: UInt8) -> UInt8 { isLower(byte) ? byte & 0xDF : byte }

  /// The value of a hexadecimal digit in any case; nil for anything else.
  static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte &- 0x30
    case 0x41...0x46: byte &- 0x37
    case 0x61...0x66: byte &- 0x57
    default: nil
    }
  }

  /// The lower-case hexadecimal digit of a value below 16.
  static func hexadecimal(_ digit: UInt8) -> UInt8 { digit < 10 ? 0x30 &+ digit : 0x57 &+ digit }
}

extension Span<UInt8> {
  /// The range without blanks at both ends.
  @inlinable @inline(__always)
  public func trimmed() -> Range<Int> {
    var lower = 0
    var upper = count
    while lower < upper, ASCII.isBlank(self[lower]) { lower &+= 1 }
    while upper > lower, ASCII.isBlank(self[upper &- 1]) { upper &-= 1 }
    return lower..<upper
  }

  /// Whether a range holds nothing but digits.
  @inline(__always)
  func areDigits(_ range: Range<Int>) -> Bool {
    for place in range { guard ASCII.isDigit(self[place]) else { return false } }
    return true
  }

  /// Whether a range holds a word of capitals, in whatever letter case.
  func isWord(_ word: StaticString, at range: Range<Int>) -> Bool {
    guard word.utf8CodeUnitCount == range.count else { return false }
    let letters = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    for (letter, place) in zip(letters, range) where ASCII.upper(self[place]) != letter { return false }
    return true
  }

  /// Whether a range holds one of some words of capitals, in whatever letter case.
  func isAmong(_ words: [StaticString], _ range: Range<Int>) -> Bool {
    words.contains { isWord($0, at: range) }
  }
}

extension [UInt8] {
  /// Makes one byte the whole content and keeps the storage.
  mutating func replace(with byte: UInt8) {
    removeAll(keepingCapacity: true)
    append(byte)
  }

  /// Makes a text the whole content and keeps the storage.
  mutating func replace(with text: StaticString) {
    removeAll(keepingCapacity: true)
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Makes a range of a field the whole content and keeps the storage.
  mutating func replace(with field: Span<UInt8>, _ range: Range<Int>) {
    removeAll(keepingCapacity: true)
    append(field, range)
  }

  /// Appends a range of a field.
  mutating func append(_ field: Span<UInt8>, _ range: Range<Int>) {
    field.extracting(range).withUnsafeBufferPointer { append(contentsOf: $0) }
  }
}
