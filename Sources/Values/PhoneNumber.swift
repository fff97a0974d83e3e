/// Telephone numbers as E.164, with what is dialled after them apart.
///
/// ```
/// 8607144820             +18607144820
/// (860) 549-2020 x12     +18605492020, extension 12
/// +44 20 7946 0958       +442079460958
/// 9999999999             blank: all digits are the same, which means none
/// ```
enum PhoneNumber {
  /// A number with its country's code; without one it is of the North American plan.
  static func number(_ field: Span<UInt8>, _ range: Range<Int>, _ scratch: inout [UInt8]) -> Normalised {
    var end = range.upperBound
    if range.count != 10 || !field.areDigits(range) {
      guard let found = endOfNumber(field, range) else { return .invalid(.notPhone) }
      end = found
    }
    scratch.removeAll(keepingCapacity: true)
    scratch.append(ASCII.plus)
    for place in range.lowerBound..<end where ASCII.isDigit(field[place]) { scratch.append(field[place]) }
    let count = scratch.count &- 1
    if isFiller(scratch) { return .blank }
    // 011 is what North America dials before the code of another country.
    let isDialled = count > 11 && scratch[1] == 0x30 && scratch[2] == 0x31 && scratch[3] == 0x31
    if isDialled { scratch.removeSubrange(1...3) }
    if isDialled || field[range.lowerBound] == ASCII.plus {
      return (8...15).contains(scratch.count &- 1) ? .scratch : .invalid(.notPhone)
    }
    if count == 10 { scratch.insert(ASCII.zero &+ 1, at: 1) }
    // No area code begins with 0 or 1.
    guard scratch.count == 12, scratch[1] == ASCII.zero &+ 1, scratch[2] >= ASCII.zero &+ 2 else {
      return .invalid(.notPhone)
    }
    return .scratch
  }

  /// The digits that follow a number after `x`, `ext`, `extension` or `#`.
  static func `extension`(
    _ field: Span<UInt8>, _ range: Range<Int>, _ scratch: inout [UInt8]
  ) -> Normalised {
    if field.areDigits(range) { return .blank }
    guard let end = endOfNumber(field, range) else { return .invalid(.notPhone) }
    scratch.removeAll(keepingCapacity: true)
    for place in end..<range.upperBound where ASCII.isDigit(field[place]) { scratch.append(field[place]) }
    return scratch.isEmpty ? .blank : .scratch
  }

  /// A number, and behind `;ext=` what is dialled after it.
  static func numberAndExtension(
    _ field: Span<UInt8>, _ range: Range<Int>, _ scratch: inout [UInt8]
  ) -> Normalised {
    let number = self.number(field, range, &scratch)
    guard case .scratch = number, !field.areDigits(range), let end = endOfNumber(field, range) else {
      return number
    }
    var hasExtension = false
    for place in end..<range.upperBound where ASCII.isDigit(field[place]) {
      if !hasExtension { scratch.append(contentsOf: ";ext=".utf8) }
      hasExtension = true
      scratch.append(field[place])
    }
    return number
  }

  /// Where the number ends and its extension begins; nil where something is there that neither has.
  private static func endOfNumber(_ field: Span<UInt8>, _ range: Range<Int>) -> Int? {
    var place = range.lowerBound
    while place < range.upperBound, isOfNumber(field[place], isFirst: place == range.lowerBound) {
      place &+= 1
    }
    let end = place
    guard place < range.upperBound else { return end }
    // A semicolon or a comma may be before the word.
    while place < range.upperBound, isSeparator(field[place]) { place &+= 1 }
    let word = place
    while place < range.upperBound, ASCII.isUpper(ASCII.upper(field[place])) { place &+= 1 }
    let isMarked = word..<place
    guard
      field.isAmong(marks, isMarked) || isMarked.isEmpty && place < range.upperBound && field[place] == 0x23
    else {
      return nil
    }
    if isMarked.isEmpty { place &+= 1 }
    let digits = place
    while place < range.upperBound, ASCII.isDigit(field[place]) || isSeparator(field[place]) { place &+= 1 }
    return place == range.upperBound && place > digits ? end : nil
  }

  private static func isOfNumber(_ byte: UInt8, isFirst: Bool) -> Bool {
    switch byte {
    case 0x20, 0x28, 0x29, 0x2D, 0x2E, 0x2F: true  // blank ( ) - . /
    case ASCII.plus: isFirst
    default: ASCII.isDigit(byte)
    }
  }

  /// Blank, comma, point, colon, semicolon, equals sign.
  private static func isSeparator(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x2C, 0x2E, 0x3A, 0x3B, 0x3D: true
    default: false
    }
  }

  private static let marks: [StaticString] = ["X", "EXT", "EXTN", "EXTENSION"]

  /// Whether all digits are the same, which is how "none" is written where a number must be.
  private static func isFiller(_ number: [UInt8]) -> Bool {
    guard number.count > 7 else { return false }
    for place in 2..<number.count where number[place] != number[1] { return false }
    return true
  }
}
