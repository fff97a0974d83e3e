/// What a version says of its fixed-width files besides the places of the columns.
public struct FixedWidthForm: Sendable, Hashable {
  /// How many characters a record has at least, and at most where the blanks at its end are not counted.
  public var length: ClosedRange<Int>
  /// Which records are no data.
  public var skips: [SkipRule]
  /// Whether lines above the first record that are shorter than a record are its heading, whatever they say.
  public var hasPreamble: Bool

  /// A form of records of a length.
  public init(length: ClosedRange<Int>, skips: [SkipRule] = [], hasPreamble: Bool = false) {
    self.length = length
    self.skips = skips
    self.hasPreamble = hasPreamble
  }
}
