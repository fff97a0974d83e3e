extension Span<UInt8> {
  /// Writes a number that is written without its decimal point, such as `1931` for 19.31, with its point.
  ///
  /// Blanks at both ends are dropped and zeros that are missing before the point filled in.
  /// - Parameters:
  ///   - decimals: how many of the digits are after the point.
  ///   - output: holds the number afterwards if the answer is true; its content is undefined otherwise.
  /// - Returns: false where the field is anything but digits with or without a sign, such as a number that
  ///   has its point: it is then to be taken as it is written.
  public func writePointed(decimals: Int, into output: inout [UInt8]) -> Bool {
    let range = trimmed()
    guard !range.isEmpty else { return false }
    output.removeAll(keepingCapacity: true)
    var digits = range
    let first = self[range.lowerBound]
    if first == ASCII.minus || first == ASCII.plus {
      output.append(first)
      digits = (range.lowerBound + 1)..<range.upperBound
    }
    guard !digits.isEmpty, digits.allSatisfy({ ASCII.isDigit(self[$0]) }) else { return false }
    let whole = Swift.max(0, digits.count - decimals)
    for place in digits.prefix(whole) { output.append(self[place]) }
    output.append(ASCII.point)
    for _ in 0..<Swift.max(0, decimals - digits.count) { output.append(ASCII.zero) }
    for place in digits.dropFirst(whole) { output.append(self[place]) }
    return true
  }
}
