import Testing
import Values

@Suite("A number written without its point")
struct ImpliedPointTests {
  @Test(
    "has it set, and one that has its point or is no number stays as it is",
    arguments: [
      ("1931", 2, "19.31"), ("   1931 ", 2, "19.31"), ("-5", 2, "-.05"), ("31", 2, ".31"),
      ("+100", 1, "+10.0"), ("19.31", 2, nil), ("", 2, nil), ("-", 2, nil), ("1 9", 2, nil), ("19x1", 2, nil),
    ])
  func point(text: String, decimals: Int, expected: String?) {
    let bytes = Array(text.utf8)
    var output: [UInt8] = []
    let isSet = bytes.span.writePointed(decimals: decimals, into: &output)
    #expect((isSet ? String(decoding: output, as: UTF8.self) : nil) == expected)
  }
}
