import Values

/// Writes records as JSON objects: one a line, or the items of one array.
///
/// A property has the name that a header has for the column. Numbers and truths are such; what the layout
/// takes as JSON is as it is; a field with nothing in it is null.
final class JSONWriter: RecordWriter {
  private enum Form {
    case number, truth, verbatim, text
  }

  private var output: LineOutput
  private let columns: [(name: [UInt8], form: Form)]
  private let isArray: Bool
  private var count = 0
  /// The record that is written when it is known whether another one follows.
  private var held: [UInt8] = []

  init(
    _ columns: [SampleFile.Column], isArray: Bool, put: @escaping ([UInt8]) throws(SampleError) -> Void
  ) {
    output = LineOutput([.lf], put: put)
    self.isArray = isArray
    self.columns = columns.map { column in
      var name: [UInt8] = []
      Self.append(Array((column.header.last ?? column.name).utf8)[...], to: &name)
      return (name + [UInt8(ascii: ":")], Self.form(of: column))
    }
  }

  private static func form(of column: SampleFile.Column) -> Form {
    switch column.type {
    case .boolean: .truth
    case .json, .texts: .verbatim
    case .integer, .decimal: .number
    default: .text
    }
  }

  func write(_ record: SampleRecord) throws(SampleError) {
    guard record.isRow else { return }
    if isArray { try writeHeld(isLast: false) }
    held.removeAll(keepingCapacity: true)
    held.append(UInt8(ascii: "{"))
    for (field, column) in columns.enumerated() where field < record.count {
      if field > 0 { held.append(UInt8(ascii: ",")) }
      held += column.name
      Self.append(record[field], column.form, to: &held)
    }
    held.append(UInt8(ascii: "}"))
    count += 1
    if !isArray { try output.line { $0 += held } }
  }

  func finish() throws(SampleError) {
    if isArray {
      try writeHeld(isLast: true)
      if count == 0 { try output.line { $0.append(UInt8(ascii: "[")) } }
      try output.line { $0.append(UInt8(ascii: "]")) }
    }
    try output.finish()
  }

  private func writeHeld(isLast: Bool) throws(SampleError) {
    guard count > 0 else { return }
    let start = count == 1 ? UInt8(ascii: "[") : UInt8(ascii: " ")
    try output.line { buffer in
      buffer.append(start)
      buffer += held
      if !isLast { buffer.append(UInt8(ascii: ",")) }
    }
  }

  private static func append(_ field: ArraySlice<UInt8>, _ form: Form, to bytes: inout [UInt8]) {
    if field.isEmpty {
      bytes += "null".utf8
      return
    }
    switch form {
    case .number, .verbatim: bytes += field
    case .truth:
      bytes += (field.first == UInt8(ascii: "1") || field.first == UInt8(ascii: "t") ? "true" : "false").utf8
    case .text: append(field, to: &bytes)
    }
  }

  /// Writes a text in quotes.
  private static func append(_ text: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(0x22)
    for byte in text {
      switch byte {
      case 0x22, 0x5C: bytes += [0x5C, byte]
      case 0x0A: bytes += [0x5C, UInt8(ascii: "n")]
      case 0..<0x20: bytes += "\\u00".utf8 + hexadecimal(byte)
      default: bytes.append(byte)
      }
    }
    bytes.append(0x22)
  }

  private static func hexadecimal(_ byte: UInt8) -> [UInt8] {
    let text = String(byte, radix: 16)
    return Array((text.utf8.count == 1 ? "0" + text : text).utf8)
  }
}
