public import Values

/// Reads records of any format, one at a time, for those who need not know the format.
///
/// ```swift
/// var reader = try RecordReader(entry, format: .xlsx(XLSXFormat(sheet: .numbered(2))))
/// while try reader.next() {
///   reader.withRecord { bytes, fields in use(bytes.extracting(fields[0].range)) }
/// }
/// remember(reader.sha256, reader.byteCount)
/// ```
///
/// What is said of ``DelimitedReader``, ``FixedWidthReader``, ``XLSXReader`` and ``TreeReader`` holds here.
public struct RecordReader: RecordSource, ~Copyable {
  // One of the four is there. An enum of readers could not be changed in place.
  @usableFromInline var delimited: DelimitedReader?
  @usableFromInline var fixedWidth: FixedWidthReader?
  @usableFromInline var xlsx: XLSXReader?
  @usableFromInline var tree: TreeReader?
  /// What counts and digests the bytes of anything but a workbook.
  private let bytes: HashingStream?

  /// A reader at the start of a file or of an entry of an archive.
  /// - Parameters:
  ///   - entry: the file or entry.
  ///   - format: how its records are written.
  ///   - encoding: what a text is in where it has no byte order mark; if nil that is found out.
  ///   - bufferSize: the bytes read at a time; the buffer grows as long as a record needs.
  ///   - sequence: opens the entry behind others, where several are read one after the other.
  /// - Throws: what opening the entry throws, and for workbooks what ``XLSXReader`` throws. ``next()`` throws
  ///   `notText` and `notUTF8` where the entry's first bytes are not of the format.
  public init(
    _ entry: SourceEntry, format: RecordFormat, encoding: TextEncoding? = nil, bufferSize: Int = 256 << 10,
    in sequence: EntrySequence? = nil
  ) throws(RecordsError) {
    // Of an archive half as many bytes are read at a time, which are more once they are unpacked.
    let blockSize = bufferSize / 2
    switch format {
    case .xlsx(let format):
      try self.init(XLSXPackage(entry, mostInMemory: KeptBytes.mostInMemory), format: format)
    case .tree(let format):
      let stream = try Self.open(entry, blockSize, in: sequence)
      let document: any ByteStream =
        format.syntax == .xml ? stream : CheckedStream(stream, of: entry, is: .utf8)
      try self.init(document, as: format, place: entry, bufferSize: bufferSize)
    case .delimited, .fixedWidth:
      let stream = try Self.open(entry, blockSize, in: sequence)
      let text = CheckedStream(stream, of: entry, is: .text)
      try self.init(text, format: format, encoding: encoding, bufferSize: bufferSize)
    }
  }

  private static func open(
    _ entry: SourceEntry, _ blockSize: Int, in sequence: EntrySequence?
  ) throws(RecordsError) -> any ByteStream {
    if let sequence { return try sequence.open(entry, blockSize: blockSize) }
    return try entry.open(blockSize: blockSize)
  }

  /// A reader at the start of a stream; of a workbook the whole stream is kept.
  /// - Parameters:
  ///   - stream: the bytes.
  ///   - format: how its records are written.
  ///   - encoding: what a text is in where it has no byte order mark; if nil that is found out.
  ///   - bufferSize: the bytes read at a time; the buffer grows as long as a record needs.
  /// - Throws: for workbooks what the stream and ``XLSXReader`` throw, else nothing.
  public init(
    _ stream: any ByteStream, format: RecordFormat, encoding: TextEncoding? = nil, bufferSize: Int = 256 << 10
  ) throws(RecordsError) {
    switch format {
    case .delimited(let format):
      let bytes = HashingStream(stream)
      self.init(bytes)
      delimited = DelimitedReader(bytes, format: format, encoding: encoding, bufferSize: bufferSize)
    case .fixedWidth(let format):
      let bytes = HashingStream(stream)
      self.init(bytes)
      fixedWidth = FixedWidthReader(bytes, format: format, encoding: encoding, bufferSize: bufferSize)
    case .tree(let format):
      try self.init(
        stream, as: format, place: SourceEntry(file: "the document"), bufferSize: bufferSize)
    case .xlsx(let format):
      let place = SourceEntry(file: "the workbook")
      try self.init(XLSXPackage(place, kept: KeptBytes(stream, of: place)), format: format)
    }
  }

  /// A reader of nothing yet.
  private init(_ bytes: HashingStream?) {
    delimited = nil
    fixedWidth = nil
    xlsx = nil
    tree = nil
    self.bytes = bytes
  }

  private init(
    _ stream: any ByteStream, as format: TreeFormat, place: SourceEntry, bufferSize: Int
  ) throws(RecordsError) {
    let bytes = HashingStream(stream)
    self.init(bytes)
    tree = try TreeReader(bytes, format: format, place: place, bufferSize: bufferSize)
  }

  private init(_ package: XLSXPackage, format: XLSXFormat) throws(RecordsError) {
    self.init(nil)
    xlsx = try XLSXReader(package, format: format)
  }

  /// Goes on to the next record; false after the last, when everything has been read.
  /// - Throws: what the stream throws, of a workbook `brokenWorkbook` and `brokenArchive`, and of XML
  ///   `brokenXML`.
  @inlinable public mutating func next() throws(RecordsError) -> Bool {
    if let more = try delimited?.next() { return more }
    if let more = try fixedWidth?.next() { return more }
    if let more = try tree?.next() { return more }
    return try xlsx?.next() ?? false
  }

  /// Lends the record: its bytes, and where in them its fields are.
  /// - Throws: what `body` throws.
  @inlinable public func withRecord<Result, Failure: Error>(
    _ body: (_ bytes: Span<UInt8>, _ fields: Span<FieldRange>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch delimited {
    case .some(let reader): return try reader.withRecord(body)
    case .none: break
    }
    switch fixedWidth {
    case .some(let reader): return try reader.withRecord(body)
    case .none: break
    }
    switch tree {
    case .some(let reader): return try reader.withRecord(body)
    case .none: break
    }
    switch xlsx {
    case .some(let reader): return try reader.withRecord(body)
    case .none: return try body(Span(), Span())
    }
  }

  /// How many rows the record has of a group of a tree's plan; 0 for what is no tree.
  @inlinable public func rowCount(_ group: Int) -> Int { tree.borrowed { $0.rowCount(group) } ?? 0 }

  /// Which properties of a tree's plan the records had so far; nil for what is no tree.
  public var seen: SeenProperties? { tree.borrowed { $0.seen } }

  /// Counts what the record of a tree holds that no field has: to be called of those records that are taken.
  public mutating func countUnread() { tree?.countUnread() }

  /// What the records of a tree that were counted hold and no field has; nil for what is no tree.
  public var unread: UnreadElements? { tree.borrowed { $0.unread } }

  /// Where the record begins.
  @inlinable public var place: RecordPlace {
    delimited.borrowed { $0.place } ?? fixedWidth.borrowed { $0.place } ?? tree.borrowed { $0.place }
      ?? xlsx.borrowed { $0.place } ?? RecordPlace(line: 1, byteOffset: 0)
  }

  /// Why the record's fields are not to be trusted; nil for a good record.
  @inlinable public var malformation: Malformation? {
    delimited.borrowed { $0.malformation } ?? fixedWidth.borrowed { $0.malformation } ?? tree.borrowed {
      $0.malformation
    } ?? xlsx.borrowed { $0.malformation } ?? nil
  }

  /// The record's bytes as they are in the source, without the line end; of a sheet as a line of CSV.
  @inlinable public var raw: [UInt8] {
    delimited.borrowed { $0.raw } ?? fixedWidth.borrowed { $0.raw } ?? tree.borrowed { $0.raw }
      ?? xlsx.borrowed { $0.raw } ?? []
  }

  /// Whether the source ends with the record, without a line end; false for what is not fixed-width.
  public var isUnended: Bool { fixedWidth.borrowed { $0.isUnended } ?? false }

  /// Whether the record left out its last field, which is given as a blank one; false for what is not
  /// delimited.
  @inlinable public var lacksTrailing: Bool { delimited.borrowed { $0.lacksTrailing } ?? false }

  /// Whether the record holds nothing but blanks.
  ///
  /// False for a malformed record.
  @inlinable public var isBlank: Bool {
    delimited.borrowed { $0.isBlank } ?? fixedWidth.borrowed { $0.isBlank } ?? tree.borrowed { $0.isBlank }
      ?? xlsx.borrowed { $0.isBlank } ?? true
  }

  /// Where the first byte of the record is that the text's encoding does not define, in bytes from the start
  /// of the source; nil for a record without one, and always of a sheet.
  @inlinable public var undecodable: Int? {
    delimited.borrowed { $0.undecodable } ?? fixedWidth.borrowed { $0.undecodable } ?? nil
  }

  /// The encoding in which the fields are; ASCII where nothing else has been read yet.
  ///
  /// It is known for the record that is given, and at the end for the whole: see
  /// ``DelimitedReader/encoding``.
  @inlinable public var encoding: TextEncoding {
    delimited.borrowed { $0.encoding } ?? fixedWidth.borrowed { $0.encoding } ?? .utf8
  }

  /// Whether a field of the record is a numeric cell of a sheet, which has lost the leading zeros that a code
  /// may have had; false for everything else.
  public func isNumber(_ field: Int) -> Bool { xlsx.borrowed { $0.isNumber(field) } ?? false }

  /// The name of the sheet that is read; nil where there are no sheets.
  public var sheet: String? { xlsx.borrowed { $0.sheet } }

  /// The number of bytes of the entry, of a workbook all of them; whole once ``next()`` has answered false.
  public var byteCount: Int { bytes?.byteCount ?? xlsx.borrowed { $0.digest?.byteCount ?? 0 } ?? 0 }

  /// The SHA-256 of the entry's bytes as 64 lower-case hexadecimal digits; whole once ``next()`` has answered
  /// false, and of a workbook empty before.
  public var sha256: String { bytes?.sha256 ?? xlsx.borrowed { $0.digest?.sha256 ?? "" } ?? "" }
}
