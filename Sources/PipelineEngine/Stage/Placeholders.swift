/// The texts that say in a publisher's files that nothing is there.
struct Placeholders: Sendable {
  private let texts: [[UInt8]]
  /// For each byte whether a text begins with it: most fields need no more than a look at their first.
  private let begins: [Bool]

  init(_ texts: [String]) {
    self.texts = texts.map { Array($0.utf8) }
    let first = Set(self.texts.compactMap(\.first))
    begins = first.isEmpty ? [] : (0...UInt8.max).map(first.contains)
  }

  /// Whether a field is one of them, blanks at its end left out.
  @inline(__always)
  func hold(_ field: Span<UInt8>) -> Bool {
    guard !begins.isEmpty, field.count > 0, begins[Int(field[0])] else { return false }
    return isOne(field)
  }

  private func isOne(_ field: Span<UInt8>) -> Bool {
    var end = field.count
    while end > 0, field[end &- 1] == 0x20 { end &-= 1 }
    return texts.contains { text in
      guard text.count == end else { return false }
      for place in 0..<end where field[place] != text[place] { return false }
      return true
    }
  }
}
