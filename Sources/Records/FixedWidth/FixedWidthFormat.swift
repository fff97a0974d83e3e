/// How a file of fixed-width records is written.
public struct FixedWidthFormat: Sendable {
  /// The characters of each field, from 1, both ends included; fields may overlap and leave gaps.
  public let fields: [ClosedRange<Int>]
  /// How many characters a record has at least, and at most where the blanks at its end are not counted.
  public let length: ClosedRange<Int>
  /// The most bytes a line is read for, its line end not counted; it is malformed beyond `length` already.
  public let recordLimit: Int

  /// A format of fields and a record length.
  ///
  /// Fields must begin at character 1 or after it. The length is a range where publishers cut the blanks at
  /// the end of records in some years.
  public init(fields: [ClosedRange<Int>], length: ClosedRange<Int>, recordLimit: Int = 1 << 20) {
    precondition(fields.allSatisfy { $0.lowerBound >= 1 }, "fields begin at character 1 or after it")
    self.fields = fields
    self.length = length
    // Places in a record are kept in 32 bits.
    self.recordLimit = min(max(1, recordLimit, length.upperBound), 1 << 30)
  }
}
