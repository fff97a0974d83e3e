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
    width = record.count
    let quotesAll = quotesAll
    try output.line { buffer in
      if quotesAll, record.bareField == nil { return Self.appendQuoted(record, to: &buffer) }
      for field in 0..<record.count {
        if field > 0 { buffer.append(UInt8(ascii: ",")) }
        Self.append(record[field], isBare: field == record.bareField, quotesAll, to: &buffer)
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

  /// All fields of a record in quotes: hundreds of them, most of which are blank, so that each byte counts.
  private static func appendQuoted(_ record: SampleRecord, to buffer: inout [UInt8]) {
    record.withFields { bytes, ends in
      // Every byte may be a quote, which is doubled.
      let most = bytes.count * 2 + ends.count * 3
      buffer.append(addingCapacity: most) { output in
        var start = 0
        for (field, end) in ends.enumerated() {
          if field > 0 { output.append(UInt8(ascii: ",")) }
          output.append(0x22)
          while start < end {
            let byte = bytes[start]
            if byte == 0x22 { output.append(byte) }
            output.append(byte)
            start += 1
          }
          output.append(0x22)
        }
      }
    }
  }

  private static func append(
    _ field: ArraySlice<UInt8>, isBare: Bool, _ quotesAll: Bool, to buffer: inout [UInt8]
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
