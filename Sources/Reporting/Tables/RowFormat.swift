public import Values

/// A form in which rows of a query are written.
public enum RowFormat: String, CaseIterable, Sendable {
  /// Columns for people.
  case table
  /// One array of objects.
  case json
  /// An object a line.
  case ndjson
  /// RFC 4180, with a header.
  case csv
}

/// What a column's text stands for in JSON.
public enum ColumnKind: Sendable {
  /// Digits, kept as they are.
  case number
  /// `t` or `f`.
  case boolean
  /// JSON already.
  case json
  /// Anything else.
  case text

  /// The kind of a PostgreSQL type by its number (`pg_type.oid`).
  public init(typeNumber: UInt32) {
    switch typeNumber {
    case 20, 21, 23, 26, 700, 701, 1700: self = .number
    case 16: self = .boolean
    case 114, 3802: self = .json
    default: self = .text
    }
  }

  /// The value that PostgreSQL's text of one stands for; nil is NULL.
  public func json(_ text: String?) -> JSON {
    guard let text else { return .null }
    switch self {
    case .boolean: return .bool(text == "t")
    case .json: return .verbatim(text)
    case .number:
      // NaN and Infinity are numbers to PostgreSQL, but not to JSON.
      let isPlain = text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || [0x2d, 0x2b, 0x2e, 0x65].contains($0)
      }
      return isPlain ? .number(text) : .string(text)
    case .text: return .string(text)
    }
  }
}
