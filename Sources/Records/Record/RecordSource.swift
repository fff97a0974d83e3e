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
