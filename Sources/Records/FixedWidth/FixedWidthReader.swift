public import Values

/// Reads fixed-width records from a stream, one a line, in memory that does not grow with the stream.
///
/// ```swift
/// let format = FixedWidthFormat(fields: [1...5, 6...7, 60...65], length: 171...171)
/// var reader = FixedWidthReader(try entry.open(), format: format)
/// while try reader.next() {
///   if let malformation = reader.malformation { quarantine(reader.raw, reader.place, malformation) }
///   reader.withRecord { bytes, fields in use(bytes.extracting(fields[0].range)) }
/// }
/// ```
///
/// LF, CRLF and bare CR end a line, mixed as they come; the last line end may be missing; a byte order mark
/// is passed over. A line of nothing but control-Z and blanks ends the data, as does control-Z after the last
/// record; text on lines after it is given as malformed, not dropped.
///
/// Places count characters: those of a file in UTF-8 or UTF-16 may have several bytes.
///
/// A line is as if filled up with blanks: fields beyond its end are empty. A line that is not blank and has
/// fewer characters than the shortest record, or more than the longest before the blanks at its end, is
/// malformed.
public struct FixedWidthReader: EndMarkedSource, ~Copyable {
  private let format: FixedWidthFormat
  private var window: StreamWindow
  /// The fields of a line that reaches them all and has a byte for each character.
  private let fields: [FieldRange]
  /// The last byte of any field.
  private let reach: Int
  /// The fields of a line of which that is not so.
  private var ownFields: [FieldRange]
  private var hasOwnFields = false
  /// The record's content in the window.
  private var content = 0..<0
  /// The beginning of a line that is longer than is read.
  private var head: [UInt8] = []
  private var isHead = false
  /// The bytes of the record, line end included, that are let go by the next `next()`.
  private var length = 0
  private var hasBegun = false
  /// Good records have been read that have all bytes a record may have, and that have fewer.
  private var (hasFull, hasShort) = (false, false)
  var isPastEndMark = false

  /// Where the record begins.
  public private(set) var place = RecordPlace(line: 1, byteOffset: 0)
  /// Why the record's fields are not to be trusted; nil for a good record.
  public internal(set) var malformation: Malformation?

  /// A reader at the start of a stream.
  /// - Parameters:
  ///   - stream: the text.
  ///   - format: how its records are written.
  ///   - encoding: what the text is in where it has no byte order mark; if nil that is found out.
  ///   - bufferSize: the bytes read at a time; the buffer grows as long as a line needs, at most to about
  ///     twice the format's limit.
  public init(
    _ stream: any ByteStream, format: FixedWidthFormat, encoding: TextEncoding? = nil,
    bufferSize: Int = 256 << 10
  ) {
    self.format = format
    window = StreamWindow(stream, encoding: encoding, capacity: bufferSize)
    fields = format.fields.map { FieldRange($0.lowerBound - 1, $0.upperBound) }
    ownFields = fields
    reach = format.fields.map(\.upperBound).max() ?? 0
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

  /// Lends the record: its bytes, and where in them its fields are, blanks around them included.
  /// - Throws: what `body` throws.
  public func withRecord<Result, Failure: Error>(
    _ body: (_ bytes: Span<UInt8>, _ fields: Span<FieldRange>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let places = hasOwnFields ? ownFields.span : fields.span
    if isHead {
      return try body(head.span, places)
    }
    return try body(window.storage.span.extracting(content), places)
  }

  /// Whether the source ends with the record, without a line end: if the record is short, the source was cut
  /// off.
  public private(set) var isUnended = false

  /// The record's bytes as they are in the source, without the line end; of a line that is too long as many
  /// as are read.
  public var raw: [UInt8] { isHead ? head : Array(window.storage[content]) }

  /// Whether the record holds nothing but blanks, between its fields either.
  ///
  /// False for a malformed record.
  public var isBlank: Bool { malformation == nil && isAllBlank }
}

extension FixedWidthReader {
  /// Reads the line after the current one, whatever it is.
  mutating func advance() throws(RecordsError) -> Bool {
    if hasBegun {
      window.consume(length)
      place = RecordPlace(line: place.line &+ 1, byteOffset: window.offset)
    } else {
      hasBegun = true
      if try window.passByteOrderMark() { place = RecordPlace(line: 1, byteOffset: window.offset) }
    }
    (length, content, malformation, hasOwnFields, isHead) = (0, 0..<0, nil, false, false)
    isUnended = false
    var searched = 0
    while true {
      if let end = window.firstLineEnd(from: searched, limit: format.recordLimit) {
        // A line feed that belongs to this carriage return may not have been read yet.
        if end &+ 1 == window.count, !window.isAtEnd { try window.fill() }
        accept(end, length: window.lineEnd(at: end))
        return true
      }
      if window.count > format.recordLimit {
        try cutOff()
        return true
      }
      if window.isAtEnd {
        guard window.count > 0 else { return false }
        acceptLast()
        return true
      }
      searched = window.count
      try window.fill()
    }
  }

  /// Takes the first bytes of the window for a record.
  private mutating func accept(_ count: Int, length: Int) {
    self.length = length
    content = window.start..<(window.start &+ count)
    let size = placeFields()
    if size > format.length.upperBound, size &- blanksAtEnd > format.length.upperBound {
      malformation = .longerThanLayout
    } else if size < format.length.lowerBound, !isAllBlank {
      malformation = .shorterThanLayout
    } else if length > count, !isAllBlank {
      if size < format.length.upperBound { hasShort = true } else { hasFull = true }
    }
  }

  /// Takes what has no line end for a record, without the control-Z that may follow it.
  private mutating func acceptLast() {
    var count = window.count
    while count > 0, window.storage[window.start + count - 1] == 0x1A { count -= 1 }
    // Control-Z on a line of its own is distinguished from text by `isEndMark`.
    accept(count == 0 ? window.count : count, length: window.count)
    isUnended = length == content.count
    // Where all lines have all their blanks, one that is cut off in them is reported by its length.
    if isUnended, malformation == nil, content.count < format.length.upperBound, hasFull, !hasShort,
      !isAllBlank
    {
      malformation = .shorterThanLayout
    }
  }

  /// Keeps the beginning of a line that is longer than is read, and passes over the rest.
  private mutating func cutOff() throws(RecordsError) {
    let start = window.start
    head = Array(window.storage[start..<(start + format.recordLimit)])
    isHead = true
    clip(to: head.count)
    malformation = .tooLong
    length = try window.skipLine(from: format.recordLimit)
  }

  /// Finds the fields of the record, and gives its number of characters.
  private mutating func placeFields() -> Int {
    guard window.encoding.hasLongCharacters, isBeyondASCII else {
      clip(to: content.count)
      return content.count
    }
    let characters = CharacterPlaces(in: window.storage.span.extracting(content))
    hasOwnFields = true
    for (index, field) in format.fields.enumerated() {
      let bytes = characters.bytes(of: field)
      ownFields[index] = FieldRange(bytes.lowerBound, bytes.upperBound)
    }
    return characters.count
  }

  /// Ends the fields with the record.
  private mutating func clip(to count: Int) {
    guard count < reach else { return }
    hasOwnFields = true
    for index in fields.indices {
      let field = fields[index]
      ownFields[index] = FieldRange(min(field.lowerBound, count), min(field.upperBound, count))
    }
  }

  /// Whether the record has a byte beyond ASCII.
  private var isBeyondASCII: Bool {
    window.storage.withUnsafeBytes { bytes in
      ASCIISearch.firstBeyond(bytes, from: content.lowerBound, to: content.upperBound) != nil
    }
  }

  /// The number of blanks after the last byte that is not one.
  private var blanksAtEnd: Int {
    var end = content.upperBound
    while end > content.lowerBound, ASCII.isBlank(window.storage[end &- 1]) { end &-= 1 }
    return content.upperBound &- end
  }

  private var isAllBlank: Bool {
    for place in content where !ASCII.isBlank(window.storage[place]) { return false }
    return !isHead
  }

  /// Whether the line holds a control-Z and nothing else but blanks.
  var isEndMark: Bool {
    var isMarked = false
    for place in content {
      let byte = window.storage[place]
      if byte == 0x1A {
        isMarked = true
      } else if !ASCII.isBlank(byte) {
        return false
      }
    }
    return isMarked
  }
}
