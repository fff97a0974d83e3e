extension Span<UInt8> {
  /// Writes a number of JSON that has an exponent, such as `1.5e1`, in plain notation: `15`.
  ///
  /// Digits are moved and never computed with, so that the number is exactly the same. One that is too large
  /// or too small for any `decimal` is written so that it still is.
  /// - Parameter output: holds the number afterwards if the answer is true; its content is undefined
  ///   otherwise.
  /// - Returns: false where the field is anything but digits, a point, and an exponent behind them.
  public func writeWithoutExponent(into output: inout [UInt8]) -> Bool {
    let range = trimmed()
    var place = range.lowerBound
    guard place < range.upperBound else { return false }
    output.removeAll(keepingCapacity: true)
    if self[place] == ASCII.minus {
      output.append(ASCII.minus)
      place += 1
    }
    var digits: [UInt8] = []
    var point: Int?
    while place < range.upperBound, ASCII.isDigit(self[place]) || self[place] == ASCII.point && point == nil {
      if self[place] == ASCII.point { point = digits.count } else { digits.append(self[place]) }
      place += 1
    }
    guard !digits.isEmpty, place < range.upperBound, self[place] | 0x20 == UInt8(ascii: "e"),
      let exponent = exponent((place + 1)..<range.upperBound)
    else { return false }
    let zeros = digits.prefix { $0 == ASCII.zero }.count
    let significant = digits[zeros...]
    guard !significant.isEmpty else {
      output.append(ASCII.zero)
      return true
    }
    output.append(digits: significant, point: Self.bounded((point ?? digits.count) - zeros + exponent))
    return true
  }

  /// The power of ten at a place, bounded; nil where there is none.
  private func exponent(_ range: Range<Int>) -> Int? {
    guard let first = range.first else { return nil }
    let isSigned = self[first] == ASCII.minus || self[first] == ASCII.plus
    let digits = range.dropFirst(isSigned ? 1 : 0)
    guard !digits.isEmpty else { return nil }
    var power = 0
    for place in digits {
      guard ASCII.isDigit(self[place]) else { return nil }
      // Bounded far beyond the length that a record may have.
      power = Swift.min(power * 10 + Int(self[place] - ASCII.zero), 1 << 40)
    }
    return self[first] == ASCII.minus ? -power : power
  }

  /// A place of the point beyond that of every `decimal`, where it would be farther.
  private static func bounded(_ place: Int) -> Int {
    let most = 2 * ValueType.mostDigits
    return Swift.min(Swift.max(place, -most), most)
  }
}

extension [UInt8] {
  /// Appends a number of ASCII digits in plain notation, of which `point` are before the point; if it is
  /// negative, so many zeros are between the point and the first. No digits are zero.
  package mutating func append(digits: ArraySlice<UInt8>, point: Int) {
    if point <= 0 { append(ASCII.zero) }
    self += digits.prefix(Swift.max(0, point))
    self += repeatElement(ASCII.zero, count: Swift.max(0, point - digits.count))
    guard point < digits.count else { return }
    append(ASCII.point)
    self += repeatElement(ASCII.zero, count: Swift.max(0, -point))
    self += digits.dropFirst(Swift.max(0, point))
  }
}
