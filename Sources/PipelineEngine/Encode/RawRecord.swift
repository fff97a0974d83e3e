import PipelineCore
import Records
import Store
import Values

/// A record as it stood in its source, with those that continue it; of social security numbers only their places.
struct RawRecord {
  /// Without the last line end.
  private(set) var bytes: [UInt8]
  /// Where in the bytes the records begin that continue the first; a line feed is before each.
  private(set) var continuedAt: [Int] = []

  init(_ bytes: [UInt8], continuedAt: [Int] = []) {
    self.bytes = bytes
    self.continuedAt = continuedAt
  }

  /// The record that a reader is at.
  init(_ reader: borrowing RecordReader, _ head: SourceHead) {
    self.init(reader.raw)
    withhold(head)
    if head.hasReasons { leaveOutReasons(head.delimiter) }
  }

  /// A record that was held, with those that were joined to it.
  init(_ held: HeldRecord, _ head: SourceHead) {
    self.init(held.raw, continuedAt: held.continuedAt)
    withhold(head)
    if head.hasReasons { leaveOutReasons(head.delimiter) }
  }

  /// Adds a record that continues it.
  mutating func join(_ other: RawRecord) {
    bytes.append(UInt8(ascii: "\n"))
    continuedAt.append(bytes.count)
    bytes += other.bytes
  }

  /// The records one by one.
  var records: [ArraySlice<UInt8>] {
    zip([0] + continuedAt, continuedAt.map { $0 - 1 } + [bytes.count]).map { bytes[$0..<max($0, $1)] }
  }

  private mutating func withhold(_ head: SourceHead) {
    SocialSecurityNumber.withhold(in: &bytes, areNamed: head.namesWithheld)
  }

  private mutating func leaveOutReasons(_ delimiter: UInt8) {
    let parts = records.map { RawRecord(ReasonColumn.removed(from: $0, delimiter: delimiter)) }
    self = parts.dropFirst().reduce(into: parts[0]) { $0.join($1) }
  }
}

extension SourceHead {
  /// Whether a field that a column takes has what is left of a number that was not kept.
  func hasWithheld(_ bytes: Span<UInt8>, _ fields: Span<FieldRange>) -> Bool {
    for field in isTree ? Array(fields.indices) : self.fields.compactMap(\.self) where field < fields.count {
      if SocialSecurityNumber.isWithheld(in: bytes.extracting(fields[field].range)) { return true }
    }
    return false
  }
}

extension Quarantine {
  /// Keeps a record.
  func take(_ record: Refused, _ raw: RawRecord) throws {
    try take(record, raw.bytes, continuedAt: raw.continuedAt)
  }
}
