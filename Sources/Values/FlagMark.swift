/// The text that says true in a flag's field: one to eight bytes, kept in place so that a type needs no
/// memory.
public struct FlagMark: Hashable, Sendable {
  private let bytes: UInt64
  let count: Int

  /// The mark a text is; nil if it is empty, longer than eight bytes of UTF-8, or begins or ends with a
  /// blank.
  public init?(_ text: String) {
    let utf8 = Array(text.utf8)
    guard !utf8.isEmpty, utf8.count <= 8, utf8.span.trimmed().count == utf8.count else { return nil }
    bytes = utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    count = utf8.count
  }

  /// The byte at a place from 0.
  subscript(place: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: bytes >> UInt64(place &* 8))
  }
}

extension FlagMark: CustomStringConvertible {
  /// The mark as it is written.
  public var description: String {
    String(decoding: (0..<count).map { self[$0] }, as: UTF8.self)
  }
}
