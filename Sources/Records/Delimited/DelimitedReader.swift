public import Values

/// Reads delimited records (CSV) from a stream, one at a time, in memory that does not grow with the stream.
///
/// ```swift
/// var reader = DelimitedReader(try entry.open())
/// while try reader.next() {
///   if let malformation = reader.malformation { quarantine(reader.raw, reader.place, malformation) }
///   reader.withRecord { bytes, fields in
///     for field in fields.indices { use(bytes.extracting(fields[field].range)) }
///   }
/// }
/// ```
///
/// It reads RFC 4180 and what goes by that name: LF, CRLF and bare CR as line ends, mixed as they come; a
/// missing last line end; a byte order mark. What is in UTF-16 is given as UTF-8. A record of nothing but
/// control-Z, delimiters and blanks ends the data; text that comes after it is given as malformed, not
/// dropped. A blank line is a record of one empty field.
///
/// A record whose quoting is broken is given as malformed, and reading goes on so that no good record is lost
/// with it: at its line end, or, where a quoted field turns out never to have been closed, at the end of the
/// line on which that field began. The rest of a broken field that had line ends in it may so come as records
/// of its own.
public struct DelimitedReader: EndMarkedSource, ~Copyable {
  private let format: DelimitedFormat
  private var window: StreamWindow
  private var fields = [FieldRange](repeating: FieldRange(0, 0), count: 64)
  private var fieldCount = 0
  /// The record's content in the window.
  private var content = 0..<0
  /// The record's content, and after it what had to be rewritten: fields without the doubling of their
  /// quotes.
  private var rewritten: [UInt8] = []
  private var isRewritten = false
  /// The bytes and lines of the record, line end included, that are let go by the next `next()`.
  private var length = 0
  private var lines = 0
  private var hasBegun = false
  var isPastEndMark = false

  /// Where the record begins.
  public private(set) var place = RecordPlace(line: 1, byteOffset: 0)
  /// Why the record's fields are not to be trusted; nil for a good record.
  public internal(set) var malformation: Malformation?

  /// Whether the record left out its last field, which is given as a blank one.
  public private(set) var lacksTrailing = false
  private var hasBlankTrailing = false

  /// A reader at the start of a stream.
  /// - Parameters:
  ///   - stream: the text.
  ///   - format: how its records are written.
  ///   - encoding: what the text is in where it has no byte order mark; if nil that is found out.
  ///   - bufferSize: the bytes read at a time; the buffer grows as long as a record needs, at most to about
  ///     twice the format's limit for a record.
  public init(
    _ stream: any ByteStream, format: DelimitedFormat = DelimitedFormat(), encoding: TextEncoding? = nil,
    bufferSize: Int = 256 << 10
  ) {
    self.format = format
    window = StreamWindow(stream, encoding: encoding, capacity: bufferSize)
  }

  /// Goes on to the next record; false after the last, when the whole stream has been read.
  /// - Throws: ``RecordsError``, what the stream throws.
  public mutating func next() throws(RecordsError) -> Bool { try advanceToRecord() }

  /// The encoding of the text; ASCII where nothing else has been read yet.
  ///
  /// It is known for the record that is given, and at the end for the whole text. Only one change comes after
  /// that from ASCII: Latin-1 turns out to be Windows-1252, in which all that has been given is the same.
  public var encoding: TextEncoding { window.encoding }

  /// Where the first byte of the record is that the text's encoding does not define, in bytes from the start
  /// of the source; nil for a record without one.
  public var undecodable: Int? { window.undecodable(within: length) }

  /// Lends the record: its bytes, and where in them its fields are, without quotes and without their
  /// doubling.
  ///
  /// The fields of a malformed record are as far as they could be found.
  /// - Throws: what `body` throws.
  public func withRecord<Result, Failure: Error>(
    _ body: (_ bytes: Span<UInt8>, _ fields: Span<FieldRange>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let places = fields.span.extracting(0..<fieldCount)
    if isRewritten {
      return try body(rewritten.span, places)
    }
    return try body(window.storage.span.extracting(content), places)
  }

  /// The record's bytes as they are in the source (of UTF-16 as UTF-8), without the line end; of a record
  /// that is too long as many as a record may have.
  public var raw: [UInt8] {
    isRewritten ? Array(rewritten[..<content.count]) : Array(window.storage[content])
  }

  /// Whether no field of the record holds anything but blanks.
  ///
  /// False for a malformed record.
  public var isBlank: Bool {
    guard malformation == nil else { return false }
    return withRecord { bytes, fields in
      for index in fields.indices {
        for place in fields[index].range where !ASCII.isBlank(bytes[place]) { return false }
      }
      return true
    }
  }
}

extension DelimitedReader {
  /// Reads the record after the current one, whatever it is.
  mutating func advance() throws(RecordsError) -> Bool {
    window.consume(length)
    place = RecordPlace(line: place.line + lines, byteOffset: window.offset)
    (length, lines, fieldCount, content, malformation, isRewritten) = (0, 0, 0, 0..<0, nil, false)
    lacksTrailing = false
    if !hasBegun { try begin() }
    // Room for a record that is as long as it may be, and for its line end.
    let most = format.recordLimit + 2
    while true {
      let size = min(window.count, most)
      if size > 0 {
        let isLast = window.isAtEnd && size == window.count && size < most
        let scan = self.scan(size, isLast: isLast)
        switch scan.outcome {
        case .record:
          accept(scan)
          return true
        case .fieldsFull:
          fields.append(contentsOf: repeatElement(FieldRange(0, 0), count: fields.count))
          continue
        case .incomplete where size == most:
          try cutOff(scan)
          return true
        case .incomplete: break
        }
      } else if window.isAtEnd {
        return false
      }
      try window.fill()
    }
  }

  private mutating func begin() throws(RecordsError) {
    hasBegun = true
    if try window.passByteOrderMark() { place = RecordPlace(line: 1, byteOffset: window.offset) }
  }

  private mutating func scan(_ size: Int, isLast: Bool) -> DelimitedScan {
    Self.scan(window, size, isLast: isLast, format, &fields)
  }

  /// Apart from the reader itself, so that the window can be read while the fields are written.
  private static func scan(
    _ window: borrowing StreamWindow, _ size: Int, isLast: Bool, _ format: DelimitedFormat,
    _ fields: inout [FieldRange]
  ) -> DelimitedScan {
    var places = fields.mutableSpan
    let bytes = window.storage.span.extracting(window.start..<(window.start &+ size))
    return DelimitedScan(bytes, isLast: isLast, format: format, fields: &places)
  }

  private mutating func accept(_ scan: DelimitedScan) {
    length = scan.next
    lines = scan.innerBreaks + 1
    if scan.contentEnd > format.recordLimit {
      keepHead()
      return
    }
    malformation = scan.malformation
    fieldCount = scan.fieldCount
    content = window.start..<(window.start + scan.contentEnd)
    if scan.hasDoubledQuotes { undouble() }
    if let width = format.widthWithTrailing, malformation == nil { lookAtTrailing(width) }
  }

  /// Gives a record its last field that has left it out, as long as none has had a blank one: where some do and
  /// others do not, the others may have lost any.
  private mutating func lookAtTrailing(_ width: Int) {
    if fieldCount == width - 1 {
      if !hasBlankTrailing { addTrailing() }
    } else if fieldCount >= width, !hasBlankTrailing {
      hasBlankTrailing =
        withRecord { bytes, fields in
          !fields[width - 1].range.contains { !ASCII.isBlank(bytes[$0]) }
        } && !isBlank
    }
  }

  /// Gives the record a blank field at its end.
  private mutating func addTrailing() {
    let end = isRewritten ? rewritten.count : content.count
    if fieldCount == fields.count { fields.append(FieldRange(end, end)) }
    fields[fieldCount] = FieldRange(end, end)
    fieldCount += 1
    lacksTrailing = true
  }

  /// Ends a record that is not whole although it has all the bytes that a record may have.
  private mutating func cutOff(_ scan: DelimitedScan) throws(RecordsError) {
    if scan.firstBreak >= 0, scan.firstBreak <= format.recordLimit {
      // It is a quoted field that is never closed: the same as at the end of the stream.
      let cut = self.scan(scan.firstBreak + 1, isLast: true)
      accept(cut)
      length = window.lineEnd(at: scan.firstBreak)
      return
    }
    keepHead()
    lines = scan.innerBreaks + 1
    length = try window.skipLine(from: format.recordLimit)
  }

  /// Keeps of a record that is too long as much as it may have.
  private mutating func keepHead() {
    malformation = .tooLong
    let start = window.start
    rewritten.removeAll(keepingCapacity: true)
    rewritten.append(contentsOf: window.storage[start..<(start + format.recordLimit)])
    isRewritten = true
    content = 0..<format.recordLimit
  }

  /// Writes the fields that have doubled quotes without the doubling, behind the record; the others stay
  /// where they are.
  private mutating func undouble() {
    rewritten.removeAll(keepingCapacity: true)
    rewritten.append(contentsOf: window.storage[content])
    for index in 0..<fieldCount {
      let range = fields[index].range
      // Only a whole quoted field begins right after a quote.
      guard range.lowerBound > 0, rewritten[range.lowerBound - 1] == format.quote,
        rewritten[range].contains(format.quote)
      else { continue }
      let lower = rewritten.count
      var place = range.lowerBound
      while place < range.upperBound {
        let byte = rewritten[place]
        rewritten.append(byte)
        place += byte == format.quote ? 2 : 1
      }
      fields[index] = FieldRange(lower, rewritten.count)
    }
    isRewritten = true
  }

  /// Whether the record holds a control-Z and nothing else but delimiters and blanks.
  var isEndMark: Bool {
    guard !isRewritten else { return false }
    var isMarked = false
    for place in content {
      let byte = window.storage[place]
      if byte == 0x1A {
        isMarked = true
      } else if byte != format.delimiter, !ASCII.isBlank(byte) {
        return false
      }
    }
    return isMarked
  }
}
