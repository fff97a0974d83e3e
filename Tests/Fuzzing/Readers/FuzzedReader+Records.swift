import Records
import Values

/// Lists of records, one a line.
extension FuzzedReader {
  static let records = [
    FuzzedReader("delimited", words: ["\"", "\"\"", ",", "\t", "|", ";", "\r\n", "\r", "\u{1A}", "\u{FEFF}"])
    {
      input, _ in
      let delimiter = input.choice(of: DelimitedFormat.usualDelimiters)
      let width: Int? = input.choice(of: [nil, 2, 3])
      let format = DelimitedFormat(
        delimiter: delimiter, recordLimit: input.choice(of: [1 << 20, 40]), widthWithTrailing: width)
      try readAlike(&input, .delimited(format))
    },
    FuzzedReader("fixed", words: ["\r\n", "\r", "\u{1A}", "\u{FEFF}", "     "]) { input, _ in
      let format: FixedWidthFormat = input.choice(of: [
        FixedWidthFormat(fields: [1...5, 6...7, 9...20], length: 20...20),
        FixedWidthFormat(fields: [1...1, 1...3, 12...12], length: 4...12, recordLimit: 64),
        FixedWidthFormat(fields: [], length: 3...3),
      ])
      try readAlike(&input, .fixedWidth(format))
    },
  ]

  /// Reads the same bytes as they come from a file, and in pieces: what is read must be the same, where the
  /// encoding is not decided by the first piece that has more than ASCII.
  private static func readAlike(_ input: inout FuzzInput, _ format: RecordFormat) throws {
    let encoding: TextEncoding? = input.choice(of: [nil] + TextEncoding.allCases)
    let (most, size) = (input.choice(of: [1, 3, 7, 64]), input.choice(of: [64, 16, 1 << 10]))
    let bytes = input.rest
    var whole = try RecordReader(
      Pieces(bytes, most: .max), format: format, encoding: encoding, bufferSize: 64 << 10)
    let one = try Transcript(&whole)
    var pieces = try RecordReader(
      Pieces(bytes, most: most), format: format, encoding: encoding, bufferSize: size)
    let other = try Transcript(&pieces)
    if encoding != nil { one.expect(other) }
  }
}
