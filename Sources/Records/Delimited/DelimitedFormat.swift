/// How a delimited file is written.
public struct DelimitedFormat: Sendable {
  /// The byte between fields.
  public let delimiter: UInt8
  /// The byte around fields that hold delimiters, line ends or itself (then doubled).
  public let quote: UInt8
  /// The most bytes a record may have, its line end not counted.
  public let recordLimit: Int

  /// A format; by default RFC 4180's, with records of at most 1 MiB.
  ///
  /// Delimiter and quote must be ASCII.
  public init(
    delimiter: UInt8 = UInt8(ascii: ","), quote: UInt8 = UInt8(ascii: "\""), recordLimit: Int = 1 << 20
  ) {
    precondition(delimiter < 0x80 && quote < 0x80, "delimiter and quote are ASCII")
    self.delimiter = delimiter
    self.quote = quote
    // Places in a record are kept in 32 bits.
    self.recordLimit = min(max(1, recordLimit), 1 << 30)
  }
}
