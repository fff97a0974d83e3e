/// Walks the bytes that may mean something to a delimited file: delimiters, and everything not above the
/// quote and the line ends.
///
/// Most bytes are neither, so eight are looked at in one step.
struct CandidateBytes {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080
  private static let lows: UInt64 = 0x7F7F_7F7F_7F7F_7F7F

  /// The delimiter in each byte.
  private let delimiters: UInt64
  /// What lifts a byte above the highest candidate to 0x80 or more, in each byte.
  private let lift: UInt64
  /// The first of the eight bytes under view.
  private var base: Int
  /// The high bit of each byte under view that is a candidate and has not been given.
  private var mask: UInt64 = 0

  @inline(__always)
  init(_ bytes: Span<UInt8>, from start: Int, format: DelimitedFormat) {
    delimiters = Self.ones &* UInt64(format.delimiter)
    lift = Self.ones &* UInt64(0x7F &- max(format.quote, 0x0D))
    base = start
    mask = look(bytes)
  }

  /// The place of the next candidate; nil at the end of the bytes.
  @inline(__always)
  mutating func next(_ bytes: Span<UInt8>) -> Int? {
    while mask == 0 {
      base &+= 8
      guard base < bytes.count else { return nil }
      mask = look(bytes)
    }
    let place = base &+ mask.trailingZeroBitCount / 8
    mask &= mask &- 1
    return place
  }

  /// Goes on with the first candidate at or after a place, which is not before the last one given.
  @inline(__always)
  mutating func seek(_ place: Int, _ bytes: Span<UInt8>) {
    base = place
    mask = look(bytes)
  }

  /// The candidates among the eight bytes from `base` on, or as many as there are.
  @inline(__always)
  private func look(_ bytes: Span<UInt8>) -> UInt64 {
    guard bytes.count &- base >= 8 else { return lookAtTail(bytes) }
    return candidates(
      UInt64(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: base, as: UInt64.self)))
  }

  @inline(never)
  private func lookAtTail(_ bytes: Span<UInt8>) -> UInt64 {
    // Bytes above all candidates fill the word up.
    var word = UInt64.max
    for place in stride(from: bytes.count &- 1, through: base, by: -1) {
      word = word << 8 | UInt64(bytes[place])
    }
    return candidates(word)
  }

  @inline(__always)
  private func candidates(_ word: UInt64) -> UInt64 {
    // Exact in each byte, because a sum of seven bits never carries into the next.
    let notLow = (word & Self.lows) &+ lift | word
    let different = word ^ delimiters
    let notDelimiter = (different & Self.lows) &+ Self.lows | different
    return ~(notLow & notDelimiter) & Self.highs
  }
}
