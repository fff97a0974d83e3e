/// Writes records as comma-separated values, quoted where it is needed.
final class CSVWriter: RecordWriter {
  private var output: LineOutput
  private let quotesAll: Bool
  private let hasEndMark: Bool
  private var width = 0

  init(_ quirks: Set<GeneralQuirk>, put: @escaping ([UInt8]) throws(SampleError) -> Void) {
    output = LineOutput(quirks, put: put)
    quotesAll = quirks.contains(.allQuoted)
    hasEndMark = quirks.contains(.ctrlZ)
  }

  func write(_ record: SampleRecord) throws(SampleError) {
    width = record.fields.count
    let quotesAll = quotesAll
    try output.line { buffer in
      for (number, field) in record.fields.enumerated() {
        if number > 0 { buffer.append(UInt8(ascii: ",")) }
        Self.append(field, isBare: number == record.bareField, quotesAll, to: &buffer)
      }
    }
  }

  func finish() throws(SampleError) {
    if hasEndMark {
      // A spreadsheet has made a record of the mark.
      let commas = [UInt8](repeating: UInt8(ascii: ","), count: max(0, width - 1))
      try output.line { $0 += [GeneralQuirk.endMark] + commas }
    }
    try output.finish()
  }

  private static func append(
    _ field: [UInt8], isBare: Bool, _ quotesAll: Bool, to buffer: inout [UInt8]
  ) {
    let needsQuotes = field.contains { $0 == 0x2C || $0 == 0x22 || $0 == 0x0D || $0 == 0x0A }
    guard !isBare, quotesAll || needsQuotes else {
      buffer += field
      return
    }
    buffer.append(0x22)
    for byte in field {
      if byte == 0x22 { buffer.append(byte) }
      buffer.append(byte)
    }
    buffer.append(0x22)
  }
}
