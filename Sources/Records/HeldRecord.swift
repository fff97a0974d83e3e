/// A copy of a record that outlives its reader's next step, so that the records that continue it can be
/// joined to it.
public struct HeldRecord {
  private var bytes: [UInt8] = []
  private var fields: [FieldRange] = []
  /// What was joined to each field, the field's own text first; a text for each such field, however many
  /// records continue it.
  private var joined: [Int: [UInt8]] = [:]
  private let limit: Int
  /// Where the record begins.
  public private(set) var place = RecordPlace(line: 1, byteOffset: 0)
  /// The bytes of the record and of those joined to it as they are in the source, a line each.
  public private(set) var raw: [UInt8] = []
  /// Where in ``raw`` the records begin that were joined.
  public private(set) var continuedAt: [Int] = []

  /// A place for a record.
  /// - Parameter limit: the most bytes that the record may have with those that are joined to it.
  public init(limit: Int = 1 << 20) { self.limit = limit }

  /// Takes the record that a reader is at, in the place of the one before.
  public mutating func hold(_ reader: borrowing some RecordSource & ~Copyable) {
    place = reader.place
    raw = reader.raw
    joined.removeAll()
    continuedAt.removeAll()
    (bytes, fields) = reader.withRecord { bytes, fields in
      (
        bytes.withUnsafeBufferPointer { Array($0) }, fields.withUnsafeBufferPointer { Array($0) }
      )
    }
  }

  /// Whether the record that a reader is at has the same text in some fields, or none.
  public func agrees(with reader: borrowing some RecordSource & ~Copyable, in same: [Int]) -> Bool {
    same.allSatisfy { field in
      let other = Self.text(of: field, reader)
      return other.isEmpty || other == text(of: field)
    }
  }

  /// Joins fields of the record that a reader is at to the same ones of this: one blank is between the texts.
  ///
  /// Gives false, and joins nothing, where the record would have more bytes than it may have.
  public mutating func join(_ reader: borrowing some RecordSource & ~Copyable, fields joined: [Int]) -> Bool {
    let more = reader.raw
    guard raw.count + more.count < limit else { return false }
    raw.append(UInt8(ascii: "\n"))
    continuedAt.append(raw.count)
    raw += more
    for field in joined where field < fields.count {
      let more = Self.text(of: field, reader)
      guard !more.isEmpty else { continue }
      if self.joined[field] == nil { self.joined[field] = text(of: field) }
      if self.joined[field]?.isEmpty == false { self.joined[field]?.append(UInt8(ascii: " ")) }
      self.joined[field]? += more
    }
    return true
  }

  /// Lends the record: its bytes, and where in them its fields are.
  /// - Throws: what `body` throws.
  public func withRecord<Result, Failure: Error>(
    _ body: (_ bytes: Span<UInt8>, _ fields: Span<FieldRange>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard !joined.isEmpty else { return try body(bytes.span, fields.span) }
    // The longer texts are behind the record's own bytes.
    var (bytes, fields) = (bytes, fields)
    for (field, text) in joined {
      fields[field] = FieldRange(bytes.count, bytes.count + text.count)
      bytes += text
    }
    return try body(bytes.span, fields.span)
  }

  private func text(of field: Int) -> [UInt8] {
    guard field < fields.count else { return [] }
    return Self.trimmed(bytes[fields[field].range])
  }

  private static func text(of field: Int, _ reader: borrowing some RecordSource & ~Copyable) -> [UInt8] {
    reader.withRecord { bytes, fields in
      guard field < fields.count else { return [] }
      return bytes.extracting(fields[field].range).withUnsafeBufferPointer { trimmed(Array($0)[...]) }
    }
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var rest = text.drop { $0 == 0x20 }
    while rest.last == 0x20 { rest = rest.dropLast() }
    return Array(rest)
  }
}
