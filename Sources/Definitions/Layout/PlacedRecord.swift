import Values

/// A record of a fixed-width file, whose places count characters.
struct PlacedRecord {
  let bytes: [UInt8]
  /// Nil where each character is a byte.
  private let characters: CharacterPlaces?

  /// A record of a file in an encoding; what was in UTF-16 is in UTF-8 here.
  init(_ bytes: [UInt8], encoding: TextEncoding) {
    self.bytes = bytes
    let isLong = encoding.hasLongCharacters && bytes.contains { $0 >= 0x80 }
    characters = isLong ? CharacterPlaces(in: bytes.span) : nil
  }

  /// The number of characters.
  var count: Int { characters?.count ?? bytes.count }

  /// The number of characters up to the last that is not a blank.
  var textCount: Int { count - bytes.reversed().prefix { $0 == 0x20 }.count }

  /// What is at a place, from 1; as much as there is.
  func bytes(at place: ClosedRange<Int>) -> [UInt8] {
    if let characters { return Array(bytes[characters.bytes(of: place)]) }
    return Array(bytes[min(place.lowerBound - 1, bytes.count)..<min(place.upperBound, bytes.count)])
  }
}
