/// UUIDs into their canonical form: 36 characters, lower case.
enum UUIDNormalisation {
  /// The places of the dashes among the digits.
  private static let dashes: Set<Int> = [8, 12, 16, 20]

  /// Takes 32 hexadecimal digits in any case, with all four dashes or none, in braces or not.
  static func uuid(_ field: Span<UInt8>, _ range: Range<Int>, _ scratch: inout [UInt8]) -> Normalised {
    var range = range
    if range.count >= 2, field[range.lowerBound] == UInt8(ascii: "{"),
      field[range.upperBound &- 1] == UInt8(ascii: "}")
    {
      range = (range.lowerBound &+ 1)..<(range.upperBound &- 1)
    }
    let hasDashes = range.count == 36
    guard hasDashes || range.count == 32 else { return .invalid(.notUUID) }
    scratch.removeAll(keepingCapacity: true)
    var digits = 0
    var isCanonical = hasDashes
    var place = range.lowerBound
    while place < range.upperBound {
      if dashes.contains(digits) {
        scratch.append(ASCII.minus)
        if hasDashes {
          guard field[place] == ASCII.minus else { return .invalid(.notUUID) }
          place &+= 1
        }
      }
      let byte = field[place]
      if ASCII.isUpper(byte) { isCanonical = false }
      guard let digit = ASCII.hexadecimalDigit(byte) else { return .invalid(.notUUID) }
      scratch.append(ASCII.hexadecimal(digit))
      digits &+= 1
      place &+= 1
    }
    return isCanonical ? .slice(range) : .scratch
  }
}
