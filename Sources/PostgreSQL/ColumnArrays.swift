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

extension String: ColumnArrayElement {
  /// Reads an array of text without NULL.
  public static func array(columnText: String) -> [String]? {
    ArrayText.elements(columnText, of: String.self)
  }
}

extension Int: ColumnArrayElement {
  /// Reads an array of whole numbers without NULL.
  public static func array(columnText: String) -> [Int]? { ArrayText.elements(columnText, of: Int.self) }
}

extension Optional: ColumnArrayElement where Wrapped: ColumnValue {
  /// Reads an array that may hold NULL.
  public static func array(columnText: String) -> [Wrapped?]? {
    guard let texts = ArrayText.split(columnText) else { return nil }
    var values: [Wrapped?] = []
    for text in texts {
      let value = text.flatMap { Wrapped(columnText: $0) }
      if (value == nil) != (text == nil) { return nil }
      values.append(value)
    }
    return values
  }
}

/// The text form of arrays: `{1,2}`, `{"a b",NULL,"say \"so\""}`.
private enum ArrayText {
  static func elements<Value: ColumnValue>(_ text: String, of type: Value.Type) -> [Value]? {
    guard let texts = split(text) else { return nil }
    let values = texts.compactMap { $0.flatMap { Value(columnText: $0) } }
    return values.count == texts.count ? values : nil
  }

  /// The elements' texts, nil for NULL; nil for what is no array of one dimension.
  static func split(_ text: String) -> [String?]? {
    var rest = Substring(text).unicodeScalars
    guard rest.popFirst() == "{", rest.popLast() == "}" else { return nil }
    var elements: [String?] = []
    while !rest.isEmpty {
      guard let element = rest.first == "\"" ? quoted(&rest) : plain(&rest) else { return nil }
      elements.append(element)
      guard let mark = rest.popFirst() else { return elements }
      if mark != "," || rest.isEmpty { return nil }
    }
    return elements
  }

  private static func quoted(_ rest: inout Substring.UnicodeScalarView) -> String?? {
    rest.removeFirst()
    var element = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar == "\"" { return String(element) }
      guard let kept = scalar == "\\" ? rest.popFirst() : scalar else { return nil }
      element.append(kept)
    }
    return nil
  }

  private static func plain(_ rest: inout Substring.UnicodeScalarView) -> String?? {
    let element = String(rest.prefix { $0 != "," })
    rest = rest.drop { $0 != "," }
    if element.isEmpty || element.contains("{") { return nil }
    return .some(element == "NULL" ? nil : element)
  }
}
