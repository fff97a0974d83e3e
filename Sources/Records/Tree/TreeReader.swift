import Values

/// Reads tree-shaped records, of JSON or XML, from a stream, one at a time, in memory that does not grow with
/// the stream.
///
/// ```swift
/// let plan = TreePlan(
///   fields: [.init([TreePath("id")])],
///   groups: [.init([TreePath("address")], fields: [.init([TreePath("city")])])])
/// var reader = try TreeReader(entry.open(), format: TreeFormat(.jsonLines, plan: plan))
/// while try reader.next() {
///   reader.withRecord { bytes, fields in use(bytes.extracting(fields[0].range), reader.rowCount(0)) }
/// }
/// ```
///
/// A record has a field for each one of the plan, then those of each row of its first group, and so on. A
/// field that the record lacks, or that is `null`, is empty. JSON is checked where something is wanted of it;
/// what is malformed is given as such, and reading goes on with the next line, or the next record of the
/// document as far as brackets and quotes tell where that begins. XML is read by its own parser and must be
/// well-formed as a whole; no DTD is read.
public struct TreeReader: RecordSource, ~Copyable {
  // One of the two is there. An enum of readers could not be changed in place.
  private var frame: JSONFrame?
  private var xml: XMLTreeReader?
  private let plan: TreePlan
  private var parser: JSONParser
  private var tape = TreeTape()
  private var fields: [FieldRange] = []
  private var rows: [Int] = []
  /// The record's bytes, and after them what had to be rewritten; empty where nothing had.
  private var rewritten: [UInt8] = []

  /// Why the record's fields are not to be trusted; nil for a good record.
  public private(set) var malformation: Malformation?

  /// A reader at the start of a stream.
  /// - Parameters:
  ///   - stream: the document, or the lines.
  ///   - format: how its records are written, and what is wanted of them.
  ///   - place: what errors call the stream.
  ///   - bufferSize: the bytes read at a time; the buffer grows as long as a record needs.
  /// - Throws: `unreadable` where there is no memory.
  public init(
    _ stream: any ByteStream, format: TreeFormat, place: SourceEntry = SourceEntry(file: "the document"),
    bufferSize: Int = 256 << 10
  ) throws(RecordsError) {
    plan = format.plan
    tape.seen = SeenNames(plan)
    tape.elements = UnreadElements(plan)
    parser = JSONParser(format.plan)
    frame = nil
    xml = nil
    if format.syntax == .xml {
      xml = try XMLTreeReader(stream, format: format, of: place)
    } else {
      frame = JSONFrame(stream, format: format, bufferSize: bufferSize)
    }
  }

  /// Goes on to the next record; false after the last, when the whole stream has been read.
  /// - Throws: ``RecordsError``: what the stream throws, and `brokenXML`.
  public mutating func next() throws(RecordsError) -> Bool {
    if let more = try xml?.next() {
      malformation = more ? xml?.malformation : nil
      return more
    }
    guard try frame?.next() == true else { return false }
    (malformation, rows) = readJSON()
    return true
  }

  /// Reads the JSON that is framed; gives why it cannot, and the number of rows of each group.
  private mutating func readJSON() -> (Malformation?, [Int]) {
    fields.removeAll(keepingCapacity: true)
    rewritten.removeAll(keepingCapacity: true)
    var rows: [Int] = []
    tape.clear()
    // Apart from the reader itself, so that the frame can be read while these are written.
    var (fields, tape, parser, rewritten) = (self.fields, self.tape, self.parser, self.rewritten)
    self.fields = []
    self.tape = TreeTape()
    self.rewritten = []
    defer { (self.fields, self.tape, self.rewritten) = (fields, tape, rewritten) }
    var malformation = frame.borrowed { $0.malformation } ?? nil
    let plan = plan
    frame.borrowed { frame in
      frame.withBytes { bytes in
        if malformation == nil {
          malformation = parser.read(bytes, onto: &tape)
          if malformation == nil, !UTF8Form.isValid(bytes) { malformation = .badUTF8 }
        }
        guard malformation == nil else { return }
        tape.resolve(plan, bytes, into: &fields, rows: &rows)
        guard !tape.rewritten.isEmpty else { return }
        rewritten.reserveCapacity(bytes.count + tape.rewritten.count)
        bytes.withUnsafeBufferPointer { rewritten.append(contentsOf: $0) }
        rewritten += tape.rewritten
      }
    }
    return (malformation, rows)
  }

  /// Lends the record: its bytes, and where in them its fields are. A malformed one has none.
  /// - Throws: what `body` throws.
  public func withRecord<Result, Failure: Error>(
    _ body: (_ bytes: Span<UInt8>, _ fields: Span<FieldRange>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch xml {
    case .some(let xml): return try xml.withRecord(body)
    case .none: break
    }
    if !rewritten.isEmpty { return try body(rewritten.span, fields.span) }
    switch frame {
    case .some(let frame):
      return try frame.withBytes { (bytes) throws(Failure) in try body(bytes, fields.span) }
    case .none: return try body(Span(), Span())
    }
  }

  /// Which properties the records had so far.
  public var seen: SeenProperties { SeenProperties(plan, xml.borrowed { $0.seen } ?? tape.seen) }

  /// Counts what the record holds that no field of the plan has: to be called of those records that are taken.
  public mutating func countUnread() {
    xml?.countUnread()
    tape.elements.count(tape.unread)
  }

  /// What the records that were counted hold and no field of the plan has.
  public var unread: UnreadElements { xml.borrowed { $0.unread } ?? tape.elements }

  /// How many rows the record has of a group of the plan.
  public func rowCount(_ group: Int) -> Int {
    xml.borrowed { $0.rowCount(group) } ?? (group < rows.count ? rows[group] : 0)
  }

  /// Where the record begins. Its line is that of the file where each line is a record, else the number of
  /// the record in its document, from 1: several may be on one line.
  public var place: RecordPlace {
    xml.borrowed { $0.place } ?? frame.borrowed { $0.place } ?? RecordPlace(line: 1, byteOffset: 0)
  }

  /// The record's bytes as they are in the source, without the line end; of one that is too long as many as a
  /// record may have.
  public var raw: [UInt8] { xml.borrowed { $0.raw } ?? frame.borrowed { $0.raw } ?? [] }

  /// False: what holds nothing is no record.
  public var isBlank: Bool { false }
}
