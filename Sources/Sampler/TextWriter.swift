/// Writes records as fixed-width lines: texts from the left of their places, numbers from the right.
final class TextWriter: RecordWriter {
  private var output: LineOutput
  private let places: [(index: Int, column: SampleFile.Column, place: ClosedRange<Int>)]
  private let width: Int
  /// Whether a character takes one place however many bytes UTF-8 needs for it.
  private let countsCharacters: Bool
  private let length: Int
  private let trims: Bool
  /// Whether lines that go on with the one before end with their text.
  private let trimsContinuations: Bool
  private let hasEndMark: Bool

  /// Whether a line has a place for each character of the encoding that quirks ask for, rather than for each
  /// byte of UTF-8.
  static func countsCharacters(_ quirks: Set<GeneralQuirk>) -> Bool {
    quirks.contains { $0.group == "encodings" }
  }

  /// `length`: how many bytes a row has at the least, blanks at its end included.
  init(
    _ columns: [SampleFile.Column], length: Int, trimsContinuations: Bool = false,
    _ quirks: Set<GeneralQuirk>, put: @escaping ([UInt8]) throws(SampleError) -> Void
  ) {
    output = LineOutput(quirks, put: put)
    width = columns.count
    places = columns.enumerated().compactMap { index, column in
      column.textPlace.map { (index, column, $0) }
    }.sorted { $0.place.lowerBound < $1.place.lowerBound }
    countsCharacters = Self.countsCharacters(quirks)
    self.trimsContinuations = trimsContinuations
    self.length = length
    trims = quirks.contains(.shortLines)
    hasEndMark = quirks.contains(.ctrlZ)
  }

  func write(_ record: SampleRecord) throws(SampleError) {
    var line = record.isRow ? try row(record.fields) : Array(record.fields.joined())
    let trims = trims || trimsContinuations && record.isContinuation
    while trims, line.last == UInt8(ascii: " ") { line.removeLast() }
    try output.line { $0 += line }
  }

  func finish() throws(SampleError) {
    try output.finish(hasEndMark ? [GeneralQuirk.endMark] : [])
  }

  private func row(_ fields: [[UInt8]]) throws(SampleError) -> [UInt8] {
    var line = [UInt8](repeating: UInt8(ascii: " "), count: length)
    // How many bytes more than places the characters so far have.
    var shift = 0
    for (index, column, place) in places {
      let field = column.isNumber ? Self.number(fields[index], column, place.count) : fields[index]
      if column.isNumber, field.count > place.count {
        throw .numberTooWide(column: column.name, width: place.count)
      }
      let more =
        countsCharacters ? field.count - String(decoding: field, as: UTF8.self).unicodeScalars.count : 0
      let bytes = field.prefix(place.count + more)
      let count = bytes.count - more
      let start = shift + (column.isNumber ? place.upperBound - count : place.lowerBound - 1)
      let end = start + count
      if line.count < end { line += [UInt8](repeating: UInt8(ascii: " "), count: end - line.count) }
      line.replaceSubrange(start..<end, with: bytes)
      shift += more
    }
    // What a quirk has put behind the columns' fields goes behind the line.
    return line + fields.dropFirst(width).joined()
  }

  /// A number without its point where it is implied, and without the zero before the point where that does
  /// not fit.
  private static func number(_ field: [UInt8], _ column: SampleFile.Column, _ width: Int) -> [UInt8] {
    if column.impliedDecimals > 0 {
      let parts = field.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
      let fraction = parts.count > 1 ? Array(parts[1].prefix(column.impliedDecimals)) : []
      let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: column.impliedDecimals - fraction.count)
      return (Array(parts[0]) + fraction + zeros).withoutLeadingZeros
    }
    if field.count > width, field.starts(with: [UInt8(ascii: "0"), UInt8(ascii: ".")]) {
      return Array(field.dropFirst())
    }
    return field
  }
}
