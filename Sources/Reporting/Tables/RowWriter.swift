import Values

/// Writes rows as they come, in one of the forms.
public struct RowWriter {
  private let format: RowFormat
  private let style: TableStyle
  private let columns: [(name: String, kind: ColumnKind)]
  private let write: (String) throws -> Void
  private var count = 0

  /// A writer of rows with these columns, and tables in a style.
  /// - Throws: what `write` throws.
  public init(
    _ format: RowFormat, columns: [(name: String, kind: ColumnKind)], style: TableStyle = .plain,
    write: @escaping (String) throws -> Void
  ) throws {
    self.format = format
    self.style = style
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
    var table = TextTable(columns.map { .init($0.name, $0.kind == .number ? .number : .text) }, rows)
    table.rowsBefore = count
    try write(table.text(in: style))
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
