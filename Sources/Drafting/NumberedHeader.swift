/// The columns of a header that are called by numbers: years, `2023` and `2024`, or a count, `1` to `12`.
///
/// Numbers name columns where no record below has numbers of the same kind in their places.
struct NumberedHeader {
  private let fields: Set<Int>

  /// - Parameters:
  ///   - names: what may be a header.
  ///   - records: those below it that were looked at.
  init(_ names: [String], below records: ArraySlice<[String]>) {
    let fields = names.indices.filter { Self.number(names[$0]) != nil }
    let isNaming =
      !fields.isEmpty && !records.isEmpty && Self.areNames(fields.map { names[$0] })
      && !records.contains { record in
        fields.allSatisfy(record.indices.contains) && Self.areNames(fields.map { record[$0] })
      }
    self.fields = isNaming ? Set(fields) : []
  }

  /// Whether a number names the column of a field.
  func holds(_ field: Int) -> Bool { fields.contains(field) }

  /// Years of our time, each another; or two numbers and more, each greater by one than the one before.
  private static func areNames(_ texts: [String]) -> Bool {
    let numbers = texts.compactMap(number)
    guard numbers.count == texts.count, Set(numbers).count == numbers.count else { return false }
    if numbers.allSatisfy((1900...2100).contains) { return true }
    return numbers.count > 1 && zip(numbers, numbers.dropFirst()).allSatisfy { $0 + 1 == $1 }
  }

  private static func number(_ text: String) -> Int? {
    let digits = text.split(whereSeparator: \.isWhitespace)
    guard digits.count == 1, digits[0].utf8.count <= 4,
      digits[0].utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(digits[0])
  }
}
