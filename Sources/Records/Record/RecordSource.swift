/// What gives records one at a time, whatever their format.
public protocol RecordSource: ~Copyable {
  /// Goes on to the next record; false after the last, when everything has been read.
  mutating func next() throws(RecordsError) -> Bool
  /// Lends the record: its bytes, and where in them its fields are.
  func withRecord<Result, Failure: Error>(
    _ body: (_ bytes: Span<UInt8>, _ fields: Span<FieldRange>) throws(Failure) -> Result
  ) throws(Failure) -> Result
  /// Where the record begins.
  var place: RecordPlace { get }
  /// Why the record's fields are not to be trusted; nil for a good record.
  var malformation: Malformation? { get }
  /// The record's bytes as they are in the source.
  var raw: [UInt8] { get }
  /// Whether the record holds nothing but blanks; false for a malformed one.
  var isBlank: Bool { get }
}

extension Optional where Wrapped: ~Copyable {
  /// What `body` makes of what is there, which is lent; nil where nothing is.
  @inlinable @inline(__always)
  func borrowed<Result>(_ body: (borrowing Wrapped) -> Result) -> Result? {
    switch self {
    case .some(let wrapped): body(wrapped)
    case .none: nil
    }
  }
}

/// What ends its data with a control-Z, as old systems did: that is no record, and what comes after it is
/// given as malformed rather than dropped.
protocol EndMarkedSource: RecordSource, ~Copyable {
  /// Reads the record after the current one, whatever it is.
  mutating func advance() throws(RecordsError) -> Bool
  /// Whether the record is the mark.
  var isEndMark: Bool { get }
  /// Whether the mark has been read.
  var isPastEndMark: Bool { get set }
  var malformation: Malformation? { get set }
}

extension EndMarkedSource where Self: ~Copyable {
  mutating func advanceToRecord() throws(RecordsError) -> Bool {
    while try advance() {
      if isEndMark {
        isPastEndMark = true
      } else if !isPastEndMark {
        return true
      } else if !isBlank {
        malformation = .afterEndMark
        return true
      }
    }
    return false
  }
}

/// Where a record begins in its source.
public struct RecordPlace: Equatable, Hashable, Sendable {
  /// The physical line, from 1.
  ///
  /// CRLF, LF and a bare CR each end a line, also inside quotes.
  public let line: Int
  /// Bytes from the start of the entry, its byte order mark included.
  public let byteOffset: Int

  /// A place by its line, from 1, and its byte offset, from 0.
  public init(line: Int, byteOffset: Int) {
    self.line = line
    self.byteOffset = byteOffset
  }
}

/// Where a field's content lies among the bytes of its record, without the quotes around it.
public struct FieldRange: Equatable, Sendable {
  // Four bytes each: a record has few bytes and many fields.
  private let lower: UInt32
  private let upper: UInt32

  /// The field from one place to before another, in bytes from the start of the record.
  @inline(__always)
  init(_ lower: Int, _ upper: Int) {
    self.lower = UInt32(truncatingIfNeeded: lower)
    self.upper = UInt32(truncatingIfNeeded: upper)
  }

  /// The first byte, from the start of the record.
  public var lowerBound: Int { Int(lower) }
  /// The byte after the last one, from the start of the record.
  public var upperBound: Int { Int(upper) }
  /// The number of bytes.
  public var count: Int { Int(upper) - Int(lower) }
  /// Whether there is no byte.
  public var isEmpty: Bool { lower == upper }
  /// The bytes' places.
  public var range: Range<Int> { Int(lower)..<Int(upper) }
}
