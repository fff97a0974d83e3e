import Definitions
import PostgreSQL
import Records
import Values

/// Turns records into rows of COPY: each field is normalised, judged and written in one pass over its bytes,
/// without a String.
struct RowEncoder {
  /// What is wrong with a record.
  struct Fault {
    /// The column, where one is to blame.
    let column: String?
    /// The rule's name, such as `not-a-decimal` or `required`.
    let rule: String
    /// What is wrong in words, without the value.
    let explanation: String
  }

  private struct Column {
    enum Source {
      case field(Int)
      case constant([UInt8])
      case recordNumber
      /// A column that the layout allows the file to lack.
      case absent
    }

    let name: String
    let source: Source
    let type: ValueType
    /// How many digits stand after a point that is not written.
    let impliedDecimals: Int
    let isRequired: Bool
    let defaultBytes: [UInt8]?
    let range: DecimalRange?
    let allowed: [[UInt8]]
    let fillsDown: Bool
    /// Whether a value may hold what COPY's text form escapes.
    let needsEscape: Bool
    var above: [UInt8] = []
    var hasAbove = false
  }

  private var columns: [Column]
  private var scratch: [UInt8] = []
  private var pointed: [UInt8] = []
  private let release: [UInt8]
  private let sourceFileID: [UInt8]
  /// The index of the last field that any column needs.
  private let lastField: Int
  /// How many fields the header names.
  private let width: Int

  /// The columns of the table in the order in which rows are written.
  let columnNames: [String]

  /// An encoder for the records of an entry.
  init(_ head: SourceHead, release: String, sourceFileID: Int) {
    let isFixedWidth = if case .fixedWidth = head.format { true } else { false }
    columns = zip(head.layout.columns, head.fields).map { column, field in
      let source: Column.Source =
        switch column.origin {
        case .constant(let text): .constant(Array(text.utf8))
        case .recordNumber: .recordNumber
        case .field: field.map { .field($0) } ?? .absent
        }
      return Column(
        name: column.name, source: source, type: column.type,
        impliedDecimals: isFixedWidth ? column.place?.impliedDecimals ?? 0 : 0,
        isRequired: column.isRequired, defaultBytes: column.defaultText.map { Array($0.utf8) },
        range: column.range,
        allowed: column.oneOf.map { Array($0.utf8) }, fillsDown: column.fillsDown,
        needsEscape: column.type == .text || column.type == .code)
    }
    self.release = Array(release.utf8)
    self.sourceFileID = Array(String(sourceFileID).utf8)
    width = head.width
    lastField = head.fields.compactMap(\.self).max() ?? -1
    columnNames = ["release"] + head.layout.columns.map(\.name) + ["source_file_id", "source_line"]
  }

  /// A blank line: what is filled down stops here.
  mutating func endBlock() {
    for index in columns.indices where columns[index].hasAbove { columns[index].hasAbove = false }
  }

  /// Writes one row, ended; on a fault the row is taken back.
  mutating func encode(
    _ bytes: Span<UInt8>, _ fields: Span<FieldRange>, record: Int, line: Int, into buffer: inout CopyBuffer
  ) throws -> Fault? {
    if fields.count <= lastField {
      return Fault(
        column: nil, rule: "too-few-fields",
        explanation: "the record has \(fields.count) fields, the header \(width)")
    }
    if fields.count > width, let fault = surplus(bytes, fields) { return fault }
    let mark = buffer.rowMark
    buffer.field(release.span)
    for index in columns.indices {
      switch columns[index].source {
      case .constant(let text): buffer.field(text.span)
      case .recordNumber: buffer.field(record)
      case .absent: write(columns[index].defaultBytes, into: &buffer)
      case .field(let place):
        if let fault = read(bytes.extracting(fields[place].range), column: index, into: &buffer) {
          buffer.dropRow(from: mark)
          return fault
        }
      }
    }
    buffer.plainField(sourceFileID.span)
    buffer.field(line)
    try buffer.endRow()
    return nil
  }

  /// Text beyond the last named column means that the record's fields have shifted.
  private func surplus(_ bytes: Span<UInt8>, _ fields: Span<FieldRange>) -> Fault? {
    for index in width..<fields.count {
      for place in fields[index].range where bytes[place] != 0x20 {
        return Fault(
          column: nil, rule: "too-many-fields",
          explanation: "the record has \(fields.count) fields, the header \(width)")
      }
    }
    return nil
  }

  /// Sets the point of a number that is written without it, and encodes the field.
  private mutating func read(_ field: Span<UInt8>, column index: Int, into buffer: inout CopyBuffer)
    -> Fault?
  {
    let decimals = columns[index].impliedDecimals
    guard decimals > 0, field.writePointed(decimals: decimals, into: &pointed) else {
      return encode(field, column: index, into: &buffer)
    }
    let value = pointed
    return encode(value.span, column: index, into: &buffer)
  }

  private mutating func encode(_ field: Span<UInt8>, column index: Int, into buffer: inout CopyBuffer)
    -> Fault?
  {
    switch columns[index].type.normalise(field, scratch: &scratch) {
    case .slice(let range): return put(field.extracting(range), column: index, into: &buffer)
    case .scratch:
      let value = scratch
      return put(value.span, column: index, into: &buffer)
    case .blank:
      if columns[index].fillsDown && columns[index].hasAbove {
        let above = columns[index].above
        buffer.field(above.span)
        return nil
      }
      if columns[index].isRequired {
        return Fault(column: columns[index].name, rule: "required", explanation: "the value is missing")
      }
      write(columns[index].defaultBytes, into: &buffer)
      return nil
    case .invalid(let failure):
      return Fault(
        column: columns[index].name, rule: failure.name, explanation: "the value \(failure.description)")
    }
  }

  private mutating func put(_ value: Span<UInt8>, column index: Int, into buffer: inout CopyBuffer) -> Fault?
  {
    if let range = columns[index].range, !range.contains(value) {
      return Fault(
        column: columns[index].name, rule: "range",
        explanation: "the value must be \(range.description)")
    }
    if !columns[index].allowed.isEmpty && !isAllowed(value, columns[index].allowed) {
      return Fault(
        column: columns[index].name, rule: "one-of", explanation: "the value is not one of those known")
    }
    if columns[index].fillsDown {
      columns[index].above = value.withUnsafeBufferPointer { Array($0) }
      columns[index].hasAbove = true
    }
    if columns[index].needsEscape {
      buffer.field(value)
    } else {
      buffer.plainField(value)
    }
    return nil
  }

  private func isAllowed(_ value: Span<UInt8>, _ allowed: [[UInt8]]) -> Bool {
    value.withUnsafeBufferPointer { bytes in allowed.contains { $0.elementsEqual(bytes) } }
  }

  private func write(_ value: [UInt8]?, into buffer: inout CopyBuffer) {
    if let value {
      buffer.field(value.span)
    } else {
      buffer.null()
    }
  }
}
