import Testing

@testable import Values

@Suite struct ExponentFormTests {
  static let numbers: [(written: String, plain: String?)] = [
    ("1.5e1", "15"), ("1.5E1", "15"), ("1.5e+1", "15"), ("-1.5e-3", "-0.0015"), ("1e0", "1"), ("0e999", "0"),
    ("12345e-2", "123.45"), ("0.00012e4", "1.2"), ("1.50e1", "15.0"), ("1e3", "1000"), (" 1e1 ", "10"),
    ("9007199254740993e0", "9007199254740993"), ("0.1e-37", "0." + String(repeating: "0", count: 37) + "1"),
    ("1e\(String(repeating: "9", count: 400))", "1" + String(repeating: "0", count: 75)),
    ("1e-99999999999999999999", "0." + String(repeating: "0", count: 76) + "1"), ("15", nil), ("true", nil),
    ("e1", nil), ("1e", nil), ("1e+", nil), ("1e1.5", nil), ("1e1e1", nil), ("", nil), ("+1e1", nil),
    ("1.2.3e1", nil), ("0x1e1", nil),
  ]

  @Test(arguments: numbers) func `a number is the same without its exponent`(written: String, plain: String?)
  {
    var output: [UInt8] = []
    let bytes = Array(written.utf8)
    let isWritten = bytes.span.writeWithoutExponent(into: &output)
    #expect((isWritten ? String(decoding: output, as: UTF8.self) : nil) == plain)
  }

  @Test func `what no decimal can hold is refused, whatever its exponent`() {
    let type = ValueType.decimal(precision: 38, scale: 19)
    for (written, failure) in [
      ("1e19", ValueFailure.decimalTooLarge), ("1e4000", .decimalTooLarge), ("1e-20", .tooManyDecimals),
      ("1e-4000", .tooManyDecimals),
    ] {
      var (plain, scratch): ([UInt8], [UInt8]) = ([], [])
      let bytes = Array(written.utf8)
      let isWritten = bytes.span.writeWithoutExponent(into: &plain)
      #expect(isWritten)
      guard case .invalid(let found) = type.normalise(plain.span, scratch: &scratch) else {
        Issue.record("\(written) is taken")
        continue
      }
      #expect(found == failure)
    }
  }
}
