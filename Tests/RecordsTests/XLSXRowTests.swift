import Records
import Testing

@Suite struct XLSXRowTests {
  private func cell(_ reference: String, _ text: String) -> String {
    "<c r=\"\(reference)\" t=\"str\"><v>\(text)</v></c>"
  }

  @Test func `absent cells are empty fields and absent rows blank records`() throws {
    let rows = """
      <row r="2">\(cell("B2", "b"))\(cell("D2", "d"))</row><row r="5">\(cell("A5", "a"))<c r="B5" s="3"/></row>
      """
    let records = try XLSXFixture(rows: rows).read()
    #expect(
      records.map(\.fields) == [
        [""], ["", "b", "", "d"], ["", "", "", ""], ["", "", "", ""], ["a", "", "", ""],
      ])
    #expect(records.map(\.line) == [1, 2, 3, 4, 5])
    #expect(records.map(\.isBlank) == [true, false, true, true, false])
  }

  @Test func `rows and cells without a reference follow the one before`() throws {
    let rows = """
      <row><c><v>1</v></c>\(cell("C1", "c"))<c><v>4</v></c></row><row r="3"><c><v>3</v></c></row>\
      <row><c><v>4</v></c></row>
      """
    let records = try XLSXFixture(rows: rows).read()
    #expect(records.map(\.line) == [1, 2, 3, 4])
    #expect(records[0].fields == ["1", "", "c", "4"])
  }

  @Test func `the byte offset is that of the row in the sheet`() throws {
    let rows = "<row r=\"1\">\(cell("A1", "é"))</row><row r=\"2\"/><row r=\"3\">\(cell("A3", "x"))</row>"
    let sheet = Array(XLSXFixture.sheet(rows).utf8)
    for record in try XLSXFixture(rows: rows).read() {
      let begin = Array("<row r=\"\(record.line)\"".utf8)
      #expect(sheet[record.byteOffset...].starts(with: begin), "line \(record.line)")
    }
  }

  @Test func `the raw record is a line of CSV`() throws {
    let row = "<row>\(cell("A1", "a,b"))\(cell("B1", "say &quot;x&quot;"))\(cell("D1", "one&#10;two"))</row>"
    let record = try #require(try XLSXFixture(rows: row).read().first)
    #expect(record.raw == "\"a,b\",\"say \"\"x\"\"\",,\"one\ntwo\"")
  }

  @Test func `a row of control-Z ends the data and text after it is malformed`() throws {
    let records = try XLSXFixture(rows: XLSXFixture.lines(["a", " _x001A_ ", " ", "b"])).read()
    #expect(records.map(\.fields) == [["a"], ["b"]])
    #expect(records.map(\.malformation) == [nil, .afterEndMark])
    #expect(records.map(\.line) == [1, 4])
  }

  @Test(arguments: ["XFE1", "AAAA1", "A", "1", ""])
  func `an impossible cell reference makes its record malformed and not the next`(reference: String) throws {
    let rows = "<row r=\"1\">\(cell(reference, "x"))</row><row r=\"2\">\(cell("A2", "y"))</row>"
    let records = try XLSXFixture(rows: rows).read()
    #expect(records.map(\.malformation) == [.badReference, nil])
    #expect(records.last?.fields == ["y"])
  }

  @Test func `the last column there can be is one`() throws {
    let record = try #require(try XLSXFixture(rows: "<row>\(cell("XFD1", "x"))</row>").read().first)
    #expect(record.fields.count == 16_384)
    #expect(record.fields.last == "x")
  }

  @Test func `cells that go backwards make their record malformed`() throws {
    let row = "<row>\(cell("B1", "b"))\(cell("A1", "a"))\(cell("B1", "c"))</row>"
    let records = try XLSXFixture(rows: row).read()
    #expect(records.map(\.malformation) == [.badReference])
    #expect(records[0].fields == ["", "b"])
  }

  @Test(arguments: ["2", "1", "0", "x", "1048577", "99999999999999999999", "-4"])
  func `a row number that cannot be makes its record malformed and not the next`(number: String) throws {
    let rows = """
      <row r="2">\(cell("A2", "a"))</row><row r="\(number)">\(cell("A9", "b"))</row>\
      <row r="3">\(cell("A3", "c"))</row>
      """
    let records = try XLSXFixture(rows: rows).read()
    #expect(records.map(\.malformation) == [nil, nil, .badReference, nil])
    #expect(records.last?.line == 3)
  }

  @Test(arguments: ["2", "-1", "x", "", "4294967296", "99999999999999999999"])
  func `a shared string that is not there makes its record malformed`(index: String) throws {
    let rows = "<row><c t=\"s\"><v>\(index)</v></c></row><row><c t=\"s\"><v>1</v></c></row>"
    let records = try XLSXFixture(rows: rows, strings: "<si><t>a</t></si><si><t>b</t></si>").read()
    #expect(records.map(\.malformation) == [index.isEmpty ? nil : .badCell, nil])
    #expect(records.last?.fields == ["b"])
  }

  @Test func `a record longer than it may be is malformed and not the next`() throws {
    let long = String(repeating: "x", count: 200_000)
    let own = try XLSXFixture(rows: XLSXFixture.lines([long, "b"])).read(recordLimit: 1000)
    #expect(own.map(\.malformation) == [.tooLong, nil])
    // Each string may be short enough, and their sum not.
    let cells = String(repeating: "<c t=\"s\"><v>0</v></c>", count: 400)
    let shared = XLSXFixture(
      rows: "<row>\(cells)</row><row><c><v>1</v></c></row>",
      strings: "<si><t>\(String(repeating: "y", count: 900))</t></si>")
    let records = try shared.read(recordLimit: 1000)
    #expect(records.map(\.malformation) == [.tooLong, nil])
    #expect(records[0].raw.utf8.count < 2000)
  }

  @Test func `rows that span many pieces of the sheet are whole`() throws {
    let cells = (0..<16_000).map { "<c t=\"str\"><v>value \($0)</v></c>" }.joined()
    let records = try XLSXFixture(rows: "<row>\(cells)</row><row>\(cells)</row>").read()
    #expect(records.count == 2)
    for record in records {
      #expect(record.fields == (0..<16_000).map { "value \($0)" })
    }
  }

  @Test func `shared strings that come after the sheet are found`() throws {
    for isLast in [true, false] {
      let fixture = XLSXFixture(
        rows: "<row><c t=\"s\"><v>0</v></c></row>", strings: "<si><t>a</t></si>", stringsLast: isLast)
      #expect(try fixture.read().map(\.fields) == [["a"]])
    }
  }
}
