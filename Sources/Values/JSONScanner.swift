/// What is wrong with JSON's bytes.
public enum JSONFault: Error, Sendable {
  /// They end before the value does.
  case truncated
  /// Something is where JSON has nothing like it.
  case badSyntax
  /// An escape is half a surrogate pair.
  case loneSurrogate
}

/// A place in JSON's bytes, and the moves from there over blanks, marks, texts, numbers and words. What they
/// mean is its users' affair.
///
/// The bytes are given to each call, since a span cannot be kept.
public struct JSONScanner: Sendable {
  /// The offset of the next byte.
  public var place: Int

  /// At a place.
  @inlinable public init(at place: Int = 0) { self.place = place }

  /// The next byte; nil at the end.
  @inlinable @inline(__always)
  public func next(_ bytes: Span<UInt8>) -> UInt8? { place < bytes.count ? bytes[place] : nil }

  /// Passes blanks.
  @inlinable @inline(__always)
  public mutating func passBlanks(_ bytes: Span<UInt8>) {
    while place < bytes.count, JSONBytes.isBlank(bytes[place]) { place &+= 1 }
  }

  /// Passes a byte; false where it is not the next one.
  @inlinable @inline(__always)
  public mutating func take(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
    guard place < bytes.count, bytes[place] == byte else { return false }
    place &+= 1
    return true
  }

  // MARK: Texts

  /// Passes a text without escapes, whose opening quote is next, and gives what is between its quotes. Nil
  /// for any other, which is not passed.
  @inlinable @inline(__always)
  public mutating func plainText(_ bytes: Span<UInt8>) -> Range<Int>? {
    let start = place &+ 1
    let end = JSONBytes.endOfPlainText(bytes, from: start)
    guard end < bytes.count, bytes[end] == 0x22 else { return nil }
    place = end &+ 1
    return start..<end
  }

  /// Passes a text whose opening quote is next, and appends what it says to `text`; gives why it cannot.
  public mutating func text(_ bytes: Span<UInt8>, onto text: inout [UInt8]) -> JSONFault? {
    place &+= 1
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
        if let fault = escape(bytes, &text) { return fault }
      default: return .badSyntax
      }
    }
  }

  /// Passes a text whose opening quote is next, without looking at its escapes; gives why it cannot.
  public mutating func passText(_ bytes: Span<UInt8>) -> JSONFault? {
    place &+= 1
    while true {
      place = JSONBytes.endOfPlainText(bytes, from: place)
      guard place < bytes.count else { return .truncated }
      switch bytes[place] {
      case 0x22:
        place &+= 1
        return nil
      case 0x5C: place &+= 2
      default: return .badSyntax
      }
    }
  }

  /// One escape, from its backslash on.
  private mutating func escape(_ bytes: Span<UInt8>, _ text: inout [UInt8]) -> JSONFault? {
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
      guard let unit = Self.unit(bytes, place) else { return .badSyntax }
      place &+= 4
      guard let scalar = scalar(unit, bytes) else { return .loneSurrogate }
      text.append(contentsOf: String(scalar).utf8)
    default: return .badSyntax
    }
    return nil
  }

  /// The character that begins with a unit of UTF-16; of a pair the other half is passed too.
  private mutating func scalar(_ unit: UInt32, _ bytes: Span<UInt8>) -> Unicode.Scalar? {
    guard unit & 0xFC00 == 0xD800 else { return Unicode.Scalar(unit) }
    guard bytes.count &- place >= 6, bytes[place] == 0x5C, bytes[place &+ 1] == UInt8(ascii: "u"),
      let low = Self.unit(bytes, place &+ 2), low & 0xFC00 == 0xDC00
    else { return nil }
    place &+= 6
    return Unicode.Scalar(0x10000 &+ (unit & 0x3FF) << 10 &+ low & 0x3FF)
  }

  /// Four hexadecimal digits.
  private static func unit(_ bytes: Span<UInt8>, _ place: Int) -> UInt32? {
    guard bytes.count &- place >= 4 else { return nil }
    var unit: UInt32 = 0
    for offset in 0..<4 {
      guard let digit = ASCII.hexadecimalDigit(bytes[place &+ offset]) else { return nil }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }

  // MARK: Numbers and words

  /// Passes a number, `true`, `false` or `null`; false where there is none, and the place is within it then.
  ///
  /// How large a number is does not matter, as it stays a text, unless its exponent may have only so many
  /// digits.
  public mutating func word(_ bytes: Span<UInt8>, mostExponentDigits: Int = .max) -> Bool {
    switch next(bytes) {
    case UInt8(ascii: "t"): passes("true", bytes)
    case UInt8(ascii: "f"): passes("false", bytes)
    case UInt8(ascii: "n"): passes("null", bytes)
    default: number(bytes, mostExponentDigits)
    }
  }

  private mutating func passes(_ word: StaticString, _ bytes: Span<UInt8>) -> Bool {
    guard bytes.count &- place >= word.utf8CodeUnitCount else { return false }
    for index in 0..<word.utf8CodeUnitCount where bytes[place &+ index] != word.utf8Start[index] {
      return false
    }
    place &+= word.utf8CodeUnitCount
    return true
  }

  private mutating func number(_ bytes: Span<UInt8>, _ mostExponentDigits: Int) -> Bool {
    _ = take(ASCII.minus, bytes)
    let whole = place
    guard digits(bytes) > 0, place == whole &+ 1 || bytes[whole] != ASCII.zero else { return false }
    if take(ASCII.point, bytes) {
      guard digits(bytes) > 0 else { return false }
    }
    if take(UInt8(ascii: "e"), bytes) || take(UInt8(ascii: "E"), bytes) {
      if !take(ASCII.plus, bytes) { _ = take(ASCII.minus, bytes) }
      let exponent = digits(bytes)
      guard exponent > 0, exponent <= mostExponentDigits else { return false }
    }
    return true
  }

  private mutating func digits(_ bytes: Span<UInt8>) -> Int {
    let start = place
    while place < bytes.count, ASCII.isDigit(bytes[place]) { place &+= 1 }
    return place &- start
  }
}
