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
