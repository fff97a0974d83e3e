import Testing
import Values

@Suite struct PlainDecimalTests {
  private static let texts = [
    "0", "1", "12", "00", "007", "9999", "10000", "12.3", "12.34", "12.345", "12.340", "0.05", ".05", "5.",
    "9999.99", "10000.00", "999999.99", "1000000", "2147483647", "2147483648", "123456789012345678",
    "0.00000000000000001", "1234567890123456789", "0000000000000000001", "", ".", "1.2.3", "-1", "+1", " 1",
    "1 ", "1e3", "1,000", "x", "1/", "1:",
  ]
  private static let types = [
    "decimal(8,2)", "decimal(4,2)", "decimal(2,2)", "decimal(5,0)", "decimal(18,17)", "decimal(38,20)",
    "decimal(38,0)", "integer",
  ]
  private static let ranges = [nil, ("0", "9999"), ("0.05", "12.34"), ("-5", "-1"), ("-5", "12.3")]

  @Test(arguments: types)
  func `what it knows is right, and it knows what is plain`(name: String) throws {
    let type = try #require(ValueType(name))
    for bounds in Self.ranges {
      let range = try bounds.map { low, high in
        let (first, last) = (try #require(ScaledDecimal(low)), try #require(ScaledDecimal(high)))
        return try #require(DecimalRange(low: first, high: last))
      }
      let plain = try #require(PlainDecimal(type, in: range))
      for text in Self.texts {
        let bytes = Array(text.utf8)
        var scratch: [UInt8] = []
        let isRight =
          type.normalise(bytes.span, scratch: &scratch) == .slice(bytes.indices)
          && range.map { $0.contains(bytes.span) } ?? true
        // Zeros beyond the scale are left to others, as are signs and more than 18 characters.
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let isPlain =
          !["-", "+"].contains(text.prefix(1)) && text.count <= 18
          && (parts.count < 2 || parts[1].count <= type.scale)
        #expect(
          plain.holds(bytes.span) == (isRight && isPlain), "\(text) as \(name), \(range?.description ?? "")")
      }
    }
  }

  @Test func `other types have no numbers`() throws {
    for name in ["text", "code", "digits(5)", "date"] {
      let type = try #require(ValueType(name))
      #expect(PlainDecimal(type, in: nil) == nil)
    }
  }
}

extension ValueType {
  fileprivate var scale: Int { if case .decimal(_, let scale) = self { scale } else { 0 } }
}
