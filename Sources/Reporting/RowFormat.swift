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

/// Writes rows as they come, in one of the forms.
public struct RowWriter {
  private let format: RowFormat
  private let columns: [(name: String, kind: ColumnKind)]
  private let write: (String) throws -> Void
  private var count = 0

  /// A writer of rows with these columns.
  /// - Throws: what `write` throws.
  public init(
    _ format: RowFormat, columns: [(name: String, kind: ColumnKind)], write: @escaping (String) throws -> Void
  ) throws {
    self.format = format
    self.columns = columns
    self.write = write
    if format == .csv { try write(RowWriter.csv(columns.map(\.name))) }
    if format == .json { try write("[") }
  }

  /// Writes a batch of rows; a table's columns are as wide as the batch needs.
  /// - Throws: what `write` throws.
  public mutating func add(_ rows: [[String?]]) throws {
    switch format {
    case .table: try writeTable(rows)
    case .csv: for row in rows { try write(RowWriter.csv(row)) }
    case .ndjson: for row in rows { try write(object(row).text + "\n") }
    case .json:
      for (index, row) in rows.enumerated() {
        try write((count + index > 0 ? ",\n " : "") + object(row).text)
      }
    }
    count += rows.count
  }

  /// Writes what comes after the last row.
  /// - Throws: what `write` throws.
  public mutating func finish() throws {
    if format == .json { try write("]\n") }
    if format == .table { try write("(\(count.grouped) row\(count == 1 ? "" : "s"))\n") }
  }

  private func writeTable(_ rows: [[String?]]) throws {
    guard !rows.isEmpty || count == 0 else { return }
    let table = TextTable(columns.map { .init($0.name, isNumber: $0.kind == .number) }, rows)
    try write(table.text)
  }

  private func object(_ row: [String?]) -> JSON {
    .object(zip(columns, row).map { ($0.name, $0.kind.json($1)) })
  }

  private static func csv(_ fields: [String?]) -> String {
    fields.map { field in
      guard let field else { return "" }
      let needsQuotes =
        field.isEmpty || field.unicodeScalars.contains { ["\"", ",", "\n", "\r"].contains($0) }
      guard needsQuotes else { return field }
      return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
        + "\""
    }.joined(separator: ",") + "\r\n"
  }
}
