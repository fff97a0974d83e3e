/// A copy of a record that outlives its reader's next step, so that the records that continue it can be joined to it.
public struct HeldRecord {
  private var bytes: [UInt8] = []
  private var fields: [FieldRange] = []
  /// Where the record begins.
  public private(set) var place = RecordPlace(line: 1, byteOffset: 0)
  /// The bytes of the record and of those joined to it as they are in the source, a line each.
  public private(set) var raw: [UInt8] = []

  /// A place for a record.
  public init() {}

  /// Takes the record that a reader stands at, in the place of the one before.
  public mutating func hold(_ reader: borrowing some RecordSource & ~Copyable) {
    place = reader.place
    raw = reader.raw
    (bytes, fields) = reader.withRecord { bytes, fields in
      (
        bytes.withUnsafeBufferPointer { Array($0) }, fields.withUnsafeBufferPointer { Array($0) }
      )
    }
  }

  /// Joins fields of the record that a reader stands at to the same ones of this: one blank stands between the texts.
  public mutating func join(_ reader: borrowing some RecordSource & ~Copyable, fields joined: [Int]) {
    raw.append(UInt8(ascii: "\n"))
    raw += reader.raw
    for field in joined {
      let more = reader.withRecord { bytes, fields -> [UInt8] in
        guard field < fields.count else { return [] }
        return bytes.extracting(fields[field].range).withUnsafeBufferPointer { Self.trimmed($0[...]) }
      }
      guard field < fields.count, !more.isEmpty else { continue }
      let text = bytes.withUnsafeBufferPointer { Self.trimmed($0[fields[field].range]) }
      // The longer text stands behind the record's own bytes.
      let start = bytes.count
      bytes += text
      if !text.isEmpty { bytes.append(UInt8(ascii: " ")) }
      bytes += more
      fields[field] = FieldRange(start, bytes.count)
    }
  }

  /// Lends the record: its bytes, and where in them its fields are.
  public func withRecord<Result, Failure: Error>(
    _ body: (_ bytes: Span<UInt8>, _ fields: Span<FieldRange>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(bytes.span, fields.span)
  }

  private static func trimmed(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
    var rest = text.drop { $0 == 0x20 }
    while rest.last == 0x20 { rest = rest.dropLast() }
    return Array(rest)
  }
}
