import Records

/// Which byte is between the fields of a list, found by its first records.
enum DelimiterGuess {
  /// So many records are looked at.
  private static let searched = 40

  /// The delimiter that parts the first records into most fields, as many in almost all of them.
  static func find(_ entry: SourceEntry) throws -> UInt8 {
    var best: (delimiter: UInt8, width: Int) = (DelimitedFormat.usualDelimiters[0], 1)
    for delimiter in DelimitedFormat.usualDelimiters {
      let widths = try widths(entry, delimiter)
      let counts = Dictionary(widths.map { ($0, 1) }, uniquingKeysWith: +)
      guard let usual = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else { continue }
      // A comma within a text of a list with semicolons parts some records, not all.
      if usual.value * 2 > widths.count, usual.key > best.width { best = (delimiter, usual.key) }
    }
    return best.delimiter
  }

  private static func widths(_ entry: SourceEntry, _ delimiter: UInt8) throws -> [Int] {
    let format = RecordFormat.delimited(DelimitedFormat(delimiter: delimiter))
    var reader = try RecordReader(entry, format: format, bufferSize: 32 << 10)
    var widths: [Int] = []
    while widths.count < searched, try reader.next() {
      guard !reader.isBlank, reader.malformation == nil else { continue }
      widths.append(reader.withRecord { _, fields in fields.count })
    }
    return widths
  }
}
