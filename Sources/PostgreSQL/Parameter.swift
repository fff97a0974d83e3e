/// A value bound to `$n` of a statement, sent in text form; the server infers the type or is given it.
public enum Parameter: Sendable {
  /// NULL.
  case null
  /// Text, or any type by its text form.
  case text(String)
  /// A whole number.
  case integer(Int)
  /// A double.
  case double(Double)
  /// true or false.
  case boolean(Bool)
  /// `bytea`.
  case bytes([UInt8])
  /// An array of text.
  case textArray([String])

  /// The text form that PostgreSQL's input functions read; nil is NULL.
  var encoded: String? {
    switch self {
    case .null: nil
    case .text(let value): value
    case .integer(let value): String(value)
    case .double(let value): String(value)
    case .boolean(let value): value ? "t" : "f"
    case .bytes(let value): Parameter.hex(value)
    case .textArray(let values):
      "{" + values.map { "\"\($0.escaping(["\"", "\\"], with: "\\"))\"" }.joined(separator: ",") + "}"
    }
  }

  /// The text form; NULL as the empty string.
  public var textForm: String { encoded ?? "" }

  private static func hex(_ bytes: [UInt8]) -> String {
    var digits: [UInt8] = [0x5c, 0x78]
    digits.reserveCapacity(2 + 2 * bytes.count)
    for byte in bytes {
      for nibble in [byte >> 4, byte & 15] { digits.append(nibble < 10 ? 0x30 + nibble : 0x57 + nibble) }
    }
    return String(decoding: digits, as: UTF8.self)
  }
}

extension Parameter: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByNilLiteral
{
  /// A literal of this kind.
  public init(stringLiteral value: String) { self = .text(value) }
  /// A literal of this kind.
  public init(integerLiteral value: Int) { self = .integer(value) }
  /// A literal of this kind.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// A literal of this kind.
  public init(nilLiteral: ()) { self = .null }

  /// Text or NULL.
  public init(_ value: String?) { self = value.map { .text($0) } ?? .null }
  /// A whole number or NULL.
  public init(_ value: Int?) { self = value.map { .integer($0) } ?? .null }
}
