import Reporting
import Testing
import Values

/// How rows and documents are written.
@Suite("Rows")
struct RowWriterTests {
  private let columns: [(name: String, kind: ColumnKind)] = [
    ("code", .text), ("amount", .number), ("paid", .boolean), ("more", .json),
  ]
  private let rows: [[String?]] = [
    ["00100", "12.50", "t", "{\"a\":1}"], ["a \"b\", c", nil, "f", nil], ["x", "NaN", nil, nil],
  ]

  private func written(_ format: RowFormat, batches: [[[String?]]]) throws -> String {
    var text = ""
    var writer = try RowWriter(format, columns: columns) { text += $0 }
    for batch in batches { try writer.add(batch) }
    try writer.finish()
    return text
  }

  @Test("become one JSON array whose numbers keep their digits")
  func json() throws {
    let text = try written(.json, batches: [[rows[0]], [rows[1], rows[2]]])
    #expect(
      text == """
        [{"code":"00100","amount":12.50,"paid":true,"more":{"a":1}},
         {"code":"a \\"b\\", c","amount":null,"paid":false,"more":null},
         {"code":"x","amount":"NaN","paid":null,"more":null}]

        """)
    #expect(try written(.json, batches: [[]]) == "[]\n")
  }

  @Test("become an object a line")
  func ndjson() throws {
    #expect(try written(.ndjson, batches: [rows]).split(separator: "\n").count == 3)
    #expect(try written(.ndjson, batches: [[]]) == "")
  }

  @Test("become CSV that tells empty text from NULL")
  func csv() throws {
    let text = try written(.csv, batches: [rows + [["", nil, nil, nil]]])
    #expect(
      text
        == "code,amount,paid,more\r\n00100,12.50,t,\"{\"\"a\"\":1}\"\r\n\"a \"\"b\"\", c\",,f,\r\nx,NaN,,\r\n\"\",,,\r\n"
    )
  }

  @Test("become a table whose numbers are on the right")
  func table() throws {
    let text = try written(.table, batches: [[rows[0], ["1", "3", "t", nil]]])
    #expect(
      text == """
        code   amount  paid  more
        -----  ------  ----  -------
        00100   12.50  t     {"a":1}
        1           3  t
        (2 rows)

        """)
  }

  @Test(
    "have counts with commas",
    arguments: [(0, "0"), (999, "999"), (19_090, "19,090"), (-1_234_567, "-1,234,567")])
  func grouped(number: Int, text: String) { #expect(number.grouped == text) }

  @Test("have JSON strings in which nothing breaks out")
  func quoting() {
    #expect(JSON.string("a\"\\\n\t\u{1}é").text == "\"a\\\"\\\\\\n\\t\\u0001é\"")
    #expect(JSON.seconds(1.2345).text == "1.235" && JSON.seconds(0.005).text == "0.005")
  }
}
