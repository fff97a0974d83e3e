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
