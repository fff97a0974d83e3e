/// Where the characters of a text lie among its bytes, for places that count characters.
///
/// A fixed-width file has a byte for each character when its publisher writes it. Saved again as UTF-8 or
/// UTF-16 a character beyond ASCII has more, and all that follows it begins later.
public struct CharacterPlaces: Sendable {
  /// The first byte of each character, and the end.
  private var starts: [Int] = []

  /// The places of the characters of a text in UTF-8; a byte that is no part of a sequence counts as one.
  public init(in bytes: Span<UInt8>) {
    starts.reserveCapacity(bytes.count + 1)
    var missing = 0
    for place in bytes.indices {
      let byte = bytes[place]
      if missing > 0, byte & 0xC0 == 0x80 {
        missing &-= 1
      } else {
        starts.append(place)
        missing = byte < 0x80 ? 0 : UTF8Form(lead: byte)?.continuations ?? 0
      }
    }
    starts.append(bytes.count)
  }

  /// The number of characters.
  public var count: Int { starts.count - 1 }

  /// The bytes of characters, from 1, both ends included; of as many of them as there are.
  public func bytes(of characters: ClosedRange<Int>) -> Range<Int> {
    starts[min(characters.lowerBound - 1, count)]..<starts[min(characters.upperBound, count)]
  }
}
