/// Finds where a JSON value ends, piece by piece, by its brackets and quotes alone.
public struct JSONBalance: Sendable {
  /// More brackets than anything meant to be read has within each other.
  public static let mostDepth = 512

  private var depth = 0
  private var isInText = false
  private var isEscaped = false
  private var isInWord = false

  /// At the first byte of a value.
  public init() {}

  /// Whether brackets were within each other deeper than ``mostDepth``.
  public private(set) var isTooDeep = false

  /// Whether what ended with the bytes was a number or a word, which nothing closes.
  public var isWhole: Bool { depth == 0 && isInWord }

  /// Goes on at a place, the first time at the value's first byte; gives the place after the value, or nil
  /// where the bytes end before it does.
  public mutating func end(_ bytes: Span<UInt8>, from start: Int) -> Int? {
    var place = start
    while place < bytes.count {
      if isEscaped {
        isEscaped = false
        place &+= 1
        continue
      }
      if isInText {
        place = JSONBytes.endOfPlainText(bytes, from: place)
        guard place < bytes.count else { return nil }
        let byte = bytes[place]
        place &+= 1
        if byte == 0x5C {
          isEscaped = true
        } else if byte == 0x22 {
          isInText = false
          if depth == 0 { return place }
        }
        continue
      }
      let byte = bytes[place]
      switch byte {
      case 0x22:
        if isInWord, depth == 0 { return place }
        isInText = true
      case 0x7B, 0x5B:
        if isInWord, depth == 0 { return place }
        depth &+= 1
        if depth > Self.mostDepth { isTooDeep = true }
      case 0x7D, 0x5D:
        // What closes what is around a number or word, or around nothing.
        if depth == 0 { return place }
        depth &-= 1
        if depth == 0 { return place &+ 1 }
      case 0x2C, 0x3A, 0x20, 0x0A, 0x0D, 0x09:
        if depth == 0 { return place }
      default:
        if depth == 0 { isInWord = true }
      }
      place &+= 1
    }
    return nil
  }
}
