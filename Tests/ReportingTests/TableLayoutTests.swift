import Reporting
import Testing

/// How tables fit what they are shown on.
@Suite("Tables")
struct TableLayoutTests {
  private let table = TextTable(
    [.right("run"), "file", .state("state"), .prose("error")],
    [
      ["1", "RVU25D.zip", "published", nil],
      ["12", "providers.csv", "refused", "1 of 1,422 records were refused, and none is allowed"],
    ])

  private func lines(_ table: TextTable, _ width: Int?, isColoured: Bool = false) -> [String] {
    table.text(in: TableStyle(width: width, isColoured: isColoured)).split(separator: "\n").map(String.init)
  }

  @Test("that fit are the same as for programs")
  func wide() { #expect(lines(table, 200) == lines(table, nil)) }

  @Test("go on with sentences of their last column in the next line")
  func prose() {
    #expect(
      lines(table, 60) == [
        "run  file           state      error",
        "---  -------------  ---------  -----------------------------",
        "  1  RVU25D.zip     published",
        " 12  providers.csv  refused    1 of 1,422 records were",
        "                               refused, and none is allowed",
      ])
  }

  @Test("that are too wide become a record a row")
  func folded() {
    #expect(
      lines(table, 40) == [
        "-[ 1 ]----------------------------------", "run    1", "file   RVU25D.zip", "state  published",
        "error",
        "-[ 2 ]----------------------------------", "run    12", "file   providers.csv", "state  refused",
        "error  1 of 1,422 records were refused,", "       and none is allowed",
      ])
  }

  @Test("have no line wider than the terminal", arguments: [20, 40, 60, 80, 200])
  func fits(width: Int) {
    var table = table
    table.add(["3", "東京の病院の名簿.xlsx", "failed", String(repeating: "x", count: 300)])
    let lines = lines(table, width)
    #expect(lines.allSatisfy { $0.columns <= width }, "\(lines)")
    #expect(lines.joined().filter { $0 == "x" }.count > 300)
  }

  @Test("count letters by the columns that a terminal draws them in")
  func columns() {
    #expect("東京".columns == 4 && "e\u{301}".columns == 1 && "한국".columns == 4 && "👩‍⚕️".columns == 2)
    #expect("\u{1112}\u{1161}\u{11AB}".columns == 2 && "a\u{200B}b".columns == 2)
    let names = TextTable(["name", "code"], [["東京", "a"], ["e\u{301}", "b"]])
    #expect(lines(names, 80).suffix(2) == ["東京  a", "e\u{301}     b"])
    // Programs get what they always got.
    #expect(lines(names, nil).suffix(2) == ["東京    a", "e\u{301}     b"])
    #expect("東京都".cut(toColumns: 5) == "東京" && "abcdefghij".cut(toColumns: 8) == "abcde...")
  }

  @Test("colour states, which the words say too, and nothing else")
  func colours() {
    let text = lines(table, 80, isColoured: true)
    #expect(text[2] == "  1  RVU25D.zip     \u{1b}[32mpublished\u{1b}[0m")
    #expect(text[3].contains("\u{1b}[31mrefused\u{1b}[0m    1 of"))
    #expect(!lines(table, 80).joined().contains("\u{1b}"))
    let steering = TextTable([.state("state")], [["\u{1b}[31mfailed"]])
    #expect(lines(steering, 80, isColoured: true).last == "\\u{1b}[31mfailed")
  }

  @Test("of several batches number their records on")
  func batches() throws {
    var text = ""
    let style = TableStyle(width: 12, isColoured: false)
    var writer = try RowWriter(.table, columns: [("code", .text), ("amount", .number)], style: style) {
      text += $0
    }
    try writer.add([["00100", "1234.50"]])
    try writer.add([["00102", nil]])
    try writer.finish()
    // A value gets eight columns at least, however narrow the terminal is.
    #expect(
      text == """
        -[ 1 ]------
        code    00100
        amount  1234.50
        -[ 2 ]------
        code    00102
        amount
        (2 rows)

        """)
  }

  @Test("are parts of a text that is laid out when it is known for what")
  func consoleText() {
    let narrow = TextTable(["a"], [["1"]])
    let text = "x\u{7}\n" + ConsoleText(atTerminal: table, elsewhere: narrow) + "end\n"
    #expect(text.text(in: .plain) == "x\\u{7}\na\n-\n1\nend\n")
    #expect(text.text(in: TableStyle(width: 80, isColoured: false)).contains("providers.csv"))
    #expect(["a", "b"].map { ConsoleText($0) }.joined(separator: ", ").text(in: .plain) == "a, b")
  }
}
