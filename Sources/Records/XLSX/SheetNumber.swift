import Values

/// A number of a sheet: the digits of a double, written longer than it is meant.
///
/// Spreadsheets keep 15 significant digits and write 17, so that 32.3465 is written as 32.346499999999999.
struct SheetNumber {
  private static let significant = 15

  /// The ASCII digits from the first that is not zero; at most 15, the last rounded and not zero.
  private var digits: [UInt8] = []
  /// How many digits are before the point; negative if zeros are between the point and the first.
  private var point = 0
  private var isNegative = false

  /// Reads a number as XML Schema writes a double; false if it is none.
  ///
  /// The same value is used again for the next number, so that its memory is.
  mutating func read(_ text: ArraySlice<UInt8>) -> Bool {
    digits.removeAll(keepingCapacity: true)
    (point, isNegative) = (0, false)
    var place = text.startIndex
    let end = text.endIndex
    if place < end, text[place] == UInt8(ascii: "-") || text[place] == UInt8(ascii: "+") {
      isNegative = text[place] == UInt8(ascii: "-")
      place += 1
    }
    var hasDigit = false
    var isPastPoint = false
    while place < end {
      let byte = text[place]
      if byte == UInt8(ascii: "."), !isPastPoint {
        isPastPoint = true
      } else if byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
        hasDigit = true
        let isLeading = digits.isEmpty && byte == UInt8(ascii: "0")
        if !isLeading, digits.count <= Self.significant { digits.append(byte) }
        // A zero after the point moves the first digit away from it; a digit before it is one more.
        if isPastPoint { if isLeading { point -= 1 } } else if !isLeading { point += 1 }
      } else {
        break
      }
      place += 1
    }
    guard hasDigit else { return false }
    if place < end {
      guard let exponent = exponent(text[place...]) else { return false }
      point += exponent
    }
    round()
    return true
  }

  private func exponent(_ text: ArraySlice<UInt8>) -> Int? {
    guard text.first.map({ $0 | 0x20 }) == UInt8(ascii: "e") else { return nil }
    var rest = text.dropFirst()
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    // A double has exponents from -324 to 308.
    guard let number = XMLName.number(rest), number <= 400 else { return nil }
    return isNegative ? -number : number
  }

  private mutating func round() {
    if digits.count > Self.significant {
      let isUp = digits.removeLast() >= UInt8(ascii: "5")
      if isUp {
        var place = digits.count - 1
        while place >= 0, digits[place] == UInt8(ascii: "9") { place -= 1 }
        digits.removeLast(digits.count - 1 - place)
        if place >= 0 {
          digits[place] += 1
        } else {
          digits.append(UInt8(ascii: "1"))
          point += 1
        }
      }
    }
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    if digits.isEmpty { (point, isNegative) = (0, false) }
  }

  /// Appends the shortest plain decimal: no exponent, no zeros at the end, no point without a digit after it.
  func append(to bytes: inout [UInt8]) {
    if isNegative { bytes.append(UInt8(ascii: "-")) }
    bytes.append(digits: digits[...], point: point)
  }

  /// The digits of a whole number that is not negative, zeros at its end included; nil for any other, and for
  /// one of more than 15 digits.
  var wholeDigits: [UInt8]? {
    guard !isNegative, point >= digits.count, point <= Self.significant else { return nil }
    return digits + Array(repeating: UInt8(ascii: "0"), count: point - digits.count)
  }

  /// The number as a double, exact enough for days and seconds.
  var approximate: Double {
    var value = 0.0
    for digit in digits { value = value * 10 + Double(digit - UInt8(ascii: "0")) }
    var shift = point - digits.count
    while shift > 0 {
      value *= 10
      shift -= 1
    }
    var divisor = 1.0
    while shift < 0 {
      divisor *= 10
      shift += 1
    }
    return (isNegative ? -value : value) / divisor
  }

  /// Whether a text is already as `append` would write it, which most are.
  static func isShortest(_ text: ArraySlice<UInt8>) -> Bool {
    var place = text.startIndex
    let end = text.endIndex
    if place < end, text[place] == UInt8(ascii: "-") { place += 1 }
    // Fifteen digits and a point; a leading zero is only right before the point.
    guard place < end, end - place <= significant else { return false }
    if text[place] == UInt8(ascii: "0") {
      // "05" and "-0" are not.
      let isAlone = end - place == 1
      if isAlone ? place > text.startIndex : text[place + 1] != UInt8(ascii: ".") { return false }
    }
    if text[place] == UInt8(ascii: ".") { return false }
    var hasPoint = false
    while place < end {
      if text[place] == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
      } else if text[place] < UInt8(ascii: "0") || text[place] > UInt8(ascii: "9") {
        return false
      }
      place += 1
    }
    // "1.50" and "1." can be shorter, and so can "-0.0".
    return !hasPoint || (text[end - 1] != UInt8(ascii: "0") && text[end - 1] != UInt8(ascii: "."))
  }
}
