import Records
import Testing

@Suite struct XLSXCellTests {
  private static let numbers: [(written: String, meant: String)] = [
    ("32.346499999999999", "32.3465"), ("0.86899999999999999", "0.869"), ("1E-3", "0.001"),
    ("1.5E+3", "1500"), ("12345.0", "12345"), ("100", "100"), ("-0", "0"), ("-0.0", "0"),
    ("-7.1000000000000005", "-7.1"), ("1.50", "1.5"), ("007", "7"), (".5", "0.5"), ("5.", "5"),
    ("1234567890", "1234567890"), ("99999999999999999", "100000000000000000"), ("0.99999999999999999", "1"),
    ("1E15", "1000000000000000"), ("4.0000000000000001E-2", "0.04"), ("+3", "3"),
    ("1.0000000000000002E-2", "0.01"), ("0", "0"), ("10.199999999999999", "10.2"), ("0.000", "0"),
    ("-0.5", "-0.5"),
  ]

  @Test(arguments: numbers)
  func `a number is the shortest decimal of 15 digits`(number: (written: String, meant: String)) throws {
    #expect(try XLSXFixture.fields("<row><c><v>\(number.written)</v></c></row>") == [[number.meant]])
  }

  private static let codes: [(format: String, number: String, shown: String)] = [
    ("00000", "6001", "06001"), ("00000", "123456", "123456"), ("000", "0", "000"),
    ("00000", "6001.0", "06001"),
    ("00000\\-0000", "60011234", "06001-1234"), ("000-00-0000", "12345678", "012-34-5678"),
    ("00000;-00000", "7", "00007"), ("00000", "-7", "-7"), ("00000", "1.5", "1.5"),
    // One zero is any number, and these are of another kind.
    ("0", "7", "7"), ("0.00", "7", "7"), ("#,##0", "1234", "1234"), ("yyyy-mm-dd", "45931", "2025-10-01"),
  ]

  @Test(arguments: codes)
  func `a number with a format of zeros has the zeros that it shows`(
    code: (format: String, number: String, shown: String)
  ) throws {
    var fixture = XLSXFixture(rows: "<row><c s=\"1\"><v>\(code.number)</v></c></row>")
    fixture.formats = [code.format]
    #expect(try fixture.read().map(\.fields) == [[code.shown]])
  }

  @Test(arguments: ["abc", "1e", "--1", "1.2.3", "1E999", ".", "1,5"])
  func `a number that is none makes its record malformed and not the next`(text: String) throws {
    let rows = "<row><c><v>\(text)</v></c></row><row><c><v>2</v></c></row>"
    let records = try XLSXFixture(rows: rows).read()
    #expect(records.map(\.malformation) == [.badCell, nil])
    #expect(records.map(\.fields) == [[text], ["2"]])
  }

  @Test func `every type of cell is the text that it shows`() throws {
    let row = """
      <row><c t="s"><v>1</v></c><c t="inlineStr"><is><t>in </t><r><t>line</t></r></is></c><c t="str"><f>1+1</f>\
      <v>x &amp; &lt;y&gt;</v></c><c t="n"><v>5</v></c><c t="b"><v>1</v></c><c t="b"><v>0</v></c>\
      <c t="e"><v>#DIV/0!</v></c><c t="d"><v>2025-10-01T00:00:00</v></c><c t="str"><v><![CDATA[a<b]]></v></c></row>
      """
    let fields = try XLSXFixture.fields(row, strings: "<si><t>no</t></si><si><t>yes</t></si>")
    #expect(
      fields == [
        ["yes", "in line", "x & <y>", "5", "TRUE", "FALSE", "#DIV/0!", "2025-10-01", "a<b"]
      ])
  }

  @Test func `a shared string is its runs without what is phonetic`() throws {
    let strings = """
      <si><r><rPr><b/></rPr><t>fee </t></r><r><t xml:space="preserve">schedule </t></r></si>\
      <si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr/></si><si/>
      """
    let cells = (0...2).map { "<c t=\"s\"><v>\($0)</v></c>" }.joined()
    let row = "<row>\(cells)<c><v>1</v></c></row>"
    #expect(try XLSXFixture.fields(row, strings: strings) == [["fee schedule ", "東京", "", "1"]])
  }

  @Test(arguments: [
    ("a_x000D_b", "a\rb"), ("_x005F_x000D_", "_x000D_"), ("_x00e9_", "é"), ("_xD83D__xDE00_", "😀"),
    ("_xD83D_", "_xD83D_"), ("_x12_", "_x12_"), ("__x0041__", "_A_"), ("_x0041", "_x0041"),
    ("_xZZZZ_", "_xZZZZ_"), ("PRE_x", "PRE_x"),
  ])
  func `an escape is the character that it means`(written: String, meant: String) throws {
    let row = "<row><c t=\"s\"><v>0</v></c><c t=\"str\"><v>\(written)</v></c></row>"
    #expect(try XLSXFixture.fields(row, strings: "<si><t>\(written)</t></si>") == [[meant, meant]])
  }

  private static let days: [(serial: String, since1900: String, since1904: String)] = [
    ("45931", "2025-10-01", "2029-10-02"), ("1", "1900-01-01", "1904-01-02"),
    ("59", "1900-02-28", "1904-02-29"),
    // 29 February 1900 is in the system and not in the calendar.
    ("60", "60", "1904-03-01"), ("61", "1900-03-01", "1904-03-02"), ("0", "0", "1904-01-01"),
    ("2958465", "9999-12-31", "2958465"), ("2957003", "9995-12-30", "9999-12-31"),
    ("2958466", "2958466", "2958466"), ("-1", "-1", "-1"),
    ("45931.5625", "2025-10-01T13:30:00", "2029-10-02T13:30:00"), ("36585", "2000-02-29", "2004-03-01"),
  ]

  @Test(arguments: days)
  func `a day is an ISO date in both systems`(
    day: (serial: String, since1900: String, since1904: String)
  ) throws {
    let row = "<row><c s=\"1\"><v>\(day.serial)</v></c></row>"
    var fixture = XLSXFixture(rows: row, formats: ["m/d/yyyy"])
    #expect(try fixture.read().map(\.fields) == [[day.since1900]])
    fixture.properties = "date1904=\"1\""
    #expect(try fixture.read().map(\.fields) == [[day.since1904]])
  }

  @Test(arguments: [
    ("yyyy\\-mm\\-dd", "2025-10-01"), ("[$-409]d\\-mmm\\-yy;@", "2025-10-01"), ("mmm", "2025-10-01"),
    ("0.00", "45931"), ("\"day\" 0", "45931"), ("#,##0_d", "45931"), ("[Red]0;[Blue]d", "45931"),
    ("0.00E+00", "45931"), ("[h]:mm", "45931"), ("@", "45931"),
  ])
  func `a number format shows a date by its code`(code: String, shown: String) throws {
    let fixture = XLSXFixture(rows: "<row><c s=\"1\"><v>45931</v></c></row>", formats: [code])
    #expect(try fixture.read().map(\.fields) == [[shown]])
  }

  @Test func `a time of day is one`() throws {
    let row = "<row><c s=\"1\"><v>0.56254629629629627</v></c></row>"
    let fixture = XLSXFixture(rows: row, formats: ["h:mm AM/PM"])
    #expect(try fixture.read().map(\.fields) == [["13:30:04"]])
  }

  @Test func `a style that the workbook does not have is none`() throws {
    #expect(try XLSXFixture.fields("<row><c s=\"99\"><v>45931</v></c></row>") == [["45931"]])
  }
}
