import PipelineCore
import Testing
import Values

@Suite("What is shown of a record that is refused")
struct RejectTests {
  @Test(arguments: [
    ("1.2.3", "1.2.3"), ("1\u{202E}\n'2", "1\\u{202e}\\n\\'2"), ("a\tb\\c", "a\\tb\\\\c"),
    (String(repeating: "1", count: 40), String(repeating: "1", count: 40)),
    (String(repeating: "1", count: 50), String(repeating: "1", count: 37) + "..."),
    ("\u{0}", "\\u{00}"),
  ])
  func `A value is one line, escaped and cut off`(value: String, shown: String) {
    #expect(ShownValue.text(value) == shown)
  }

  @Test func `What is no text in its encoding is shown by its numbers`() {
    #expect(ShownValue.text([0x61, 0xFF].span, encoding: .utf8) == "a\\xff")
  }

  private func reason(_ rule: String, _ records: Int, column: String? = nil) -> RejectReason {
    RejectReason(
      sourceFileID: 1, source: "items", file: "ITEM.csv", entry: nil, column: column, rule: rule,
      records: records,
      examples: [.init(line: 7, value: records == 2 ? "x" : nil, explanation: "it is wrong")])
  }

  @Test func `The ten commonest reasons are shown, each with its examples`() {
    let reasons = RejectReason.ordered(
      [reason("required", 1, column: "code"), reason("not-a-decimal", 2, column: "price")]
        + (0..<11).map { reason("odd\($0)", 1) })
    let lines = RejectReason.text(reasons).split(separator: "\n")
    #expect(lines.count == 21)
    #expect(
      lines.prefix(2) == ["  2 not-a-decimal in price of items", "    ITEM.csv:7, price: it is wrong: 'x'"])
    #expect(lines.last == "  3 for 3 other reasons")
  }

  @Test func `Three examples are kept of a reason, and all records counted`() {
    var tally = RejectTally()
    for line in 1...5 {
      tally.count(Fault(column: "price", rule: "required", explanation: ""), line: line, value: nil)
    }
    let reasons = tally.reasons(of: SourceReport(sourceFileID: 1, source: "items", file: "f", entry: nil))
    #expect(reasons.map(\.records) == [5] && reasons[0].examples.map(\.line) == [1, 2, 3])
  }

  @Test(arguments: [
    ("\"line 3, price: not-a-decimal\",b,3", "b,3"), ("\"say \"\"so\"\", then\",b,3", "b,3"),
    ("plain,b,3", "b,3"),
    (",b", "b"), ("alone", "alone"),
  ])
  func `A record that is exported again is without the reasons of before`(exported: String, record: String) {
    let left = ReasonColumn.removed(from: Array(exported.utf8), delimiter: UInt8(ascii: ","))
    #expect(String(decoding: left, as: UTF8.self) == record)
  }

  @Test func `A reason is one field, whatever is in its name`() {
    let field = ReasonColumn.field(line: 3, column: "a\"b", rule: "required", delimiter: UInt8(ascii: ";"))
    #expect(field == "\"line 3, a\"\"b: required\";")
  }
}
