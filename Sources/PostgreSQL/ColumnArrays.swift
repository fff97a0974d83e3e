/// A type whose arrays a column can be read as: `text[]`, `bigint[]`, and `bytea`, an array of bytes.
public protocol ColumnArrayElement {
  /// Reads PostgreSQL's text output of a one-dimensional array; nil where it is none of this type.
  static func array(columnText: String) -> [Self]?
}

extension Array: ColumnValue where Element: ColumnArrayElement {
  /// Reads PostgreSQL's text output of an array.
  public init?(columnText: String) {
    guard let elements = Element.array(columnText: columnText) else { return nil }
    self = elements
  }
}

extension UInt8: ColumnArrayElement {
  /// Reads `bytea` in its hexadecimal form: `\x00ff`.
  public static func array(columnText: String) -> [UInt8]? {
    let digits = Array(columnText.utf8)
    guard digits.starts(with: [0x5c, 0x78]), digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2 - 1)
    for index in stride(from: 2, to: digits.count, by: 2) {
      guard let high = nibble(digits[index]), let low = nibble(digits[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func nibble(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x61...0x66: digit - 0x57
    default: nil
    }
  }
}

extension String: ColumnArrayElement {}

extension Int: ColumnArrayElement {}

extension ColumnArrayElement where Self: ColumnValue {
  /// Reads an array without NULL: `{1,2}`, `{"a b","say \"so\""}`.
  public static func array(columnText: String) -> [Self]? {
    var rest = Substring(columnText).unicodeScalars
    guard rest.popFirst() == "{", rest.popLast() == "}" else { return nil }
    var elements: [Self] = []
    while !rest.isEmpty {
      guard let text = rest.first == "\"" ? quotedElement(&rest) : plainElement(&rest),
        let element = Self(columnText: text)
      else { return nil }
      elements.append(element)
      guard let mark = rest.popFirst() else { return elements }
      if mark != "," || rest.isEmpty { return nil }
    }
    return elements
  }

  private static func quotedElement(_ rest: inout Substring.UnicodeScalarView) -> String? {
    rest.removeFirst()
    var element = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar == "\"" { return String(element) }
      guard let kept = scalar == "\\" ? rest.popFirst() : scalar else { return nil }
      element.append(kept)
    }
    return nil
  }

  private static func plainElement(_ rest: inout Substring.UnicodeScalarView) -> String? {
    let element = String(rest.prefix { $0 != "," })
    rest = rest.drop { $0 != "," }
    return element.isEmpty || element.contains("{") || element == "NULL" ? nil : element
  }
}
