import Values

/// Writes records as JSON objects: one a line, or the items of one array.
///
/// A property has the name that a header has for the column. Numbers and truths are such; what the layout
/// takes as JSON is as it is; a field with nothing in it is null.
final class JSONWriter: RecordWriter {
  private var output: LineOutput
  private let columns: [(name: [UInt8], type: ValueType)]
  private let isArray: Bool
  private var count = 0

  init(
    _ columns: [SampleFile.Column], isArray: Bool, put: @escaping ([UInt8]) throws(SampleError) -> Void
  ) {
    output = LineOutput([.lf], put: put)
    self.isArray = isArray
    self.columns = columns.map { column in
      (Array("\(JSON.string(column.header.last ?? column.name).text):".utf8), column.type)
    }
  }

  func write(_ record: SampleRecord) throws(SampleError) {
    guard record.isRow else { return }
    let (end, start) = isArray ? (count > 0 ? "," : "", count > 0 ? " {" : "[{") : ("", "{")
    let columns = columns
    try output.line(after: end) { buffer in
      buffer += start.utf8
      for (number, (column, field)) in zip(columns, record.fields).enumerated() {
        if number > 0 { buffer.append(UInt8(ascii: ",")) }
        buffer += column.name
        Self.append(field, column.type, to: &buffer)
      }
      buffer.append(UInt8(ascii: "}"))
    }
    count += 1
  }

  func finish() throws(SampleError) {
    if isArray {
      if count == 0 { try output.line { $0.append(UInt8(ascii: "[")) } }
      try output.line { $0.append(UInt8(ascii: "]")) }
    }
    try output.finish()
  }

  private static func append(_ field: [UInt8], _ type: ValueType, to bytes: inout [UInt8]) {
    if field.isEmpty { return bytes += "null".utf8 }
    switch type {
    case .integer, .decimal, .json, .texts: bytes += field
    case .boolean:
      bytes += (field.first == UInt8(ascii: "1") || field.first == UInt8(ascii: "t") ? "true" : "false").utf8
    default: bytes += JSON.string(String(decoding: field, as: UTF8.self)).text.utf8
    }
  }
}
