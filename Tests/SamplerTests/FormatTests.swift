import Definitions
import Testing
import Values

@testable import Sampler

@Suite("A table is the same in each format")
struct FormatTests {
  static let names = [
    "pprrvu": "PPRRVU2025_Oct", "gpci": "GPCI2025", "locco": "25LOCCO", "anes": "ANES2025",
    "oppscap": "OPPSCAP_Oct",
  ]

  @Test("A bundle holds each table in the formats that are asked for, csv first")
  func entries() throws {
    let zip = try ZipContents.sample(formats: [.txt, .xlsx], without: ["oppscap", "locco"])
    #expect(
      zip.names == [
        "PPRRVU2025_Oct.txt", "GPCI2025.txt", "ANES2025.txt", "PPRRVU2025_Oct.xlsx", "GPCI2025.xlsx",
        "ANES2025.xlsx",
      ])
    #expect(try ZipContents.sample().names.allSatisfy { $0.hasSuffix(".csv") })
  }

  @Test("The values of a txt and a workbook are those of the csv", arguments: names.keys.sorted())
  func values(source: String) throws {
    let name = try #require(Self.names[source])
    let zip = try ZipContents.sample(formats: SampleFormat.tables)
    let sample = try Sample(rows: 30)
    let pipeline = try Sample.pipeline()
    let layout = try #require(pipeline.source(named: source).flatMap(pipeline.layout)?.versions.last)
    let rows = try sample.rows(source)
    let length = try #require(layout.fixedWidth?.length)
    let lines = zip.lines(name + ".txt").filter {
      length.contains($0.utf8.count) && $0.contains(/\d\d/) && !$0.contains("GPCI")
        && !$0.contains("Medicare")
    }
    let sheet = try SheetContents(zip[name + ".xlsx"])
    let match = try sample.header(source)
    let held = layout.columns.indices.filter { match.fields[$0] != nil }.map { layout.columns[$0] }
    let columns = held.filter { $0.place?.bytes != nil }
    let start = try sample.header(source).lastRow + 2
    let cells = sheet.rows.keys.sorted().filter { $0 >= start && (sheet.rows[$0]?.count ?? 0) > 1 }
      .map { sheet.texts($0, count: columns.count) }
    try #require(lines.count == rows.count && cells.count == rows.count)
    var compared = 0
    for (index, row) in rows.enumerated() {
      let bytes = Array(lines[index].utf8)
      for (number, column) in columns.enumerated() {
        let expected = Self.normalised(row[column.name] ?? "", column)
        let place = try #require(column.place?.bytes)
        let field = bytes[min(place.lowerBound - 1, bytes.count)..<min(place.upperBound, bytes.count)]
        var text = String(decoding: field, as: UTF8.self).filter { $0 != " " || column.type == .text }
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        if let implied = column.place?.impliedDecimals, implied > 0 {
          text = text.dropLast(implied) + "." + text.suffix(implied)
        }
        let fitting = column.type == .text ? String(expected.prefix(place.count)) : expected
        #expect(Self.normalised(text, column) == fitting, "\(source) \(index) \(column.name) txt")
        #expect(
          Self.normalised(cells[index][number], column) == expected, "\(source) \(index) \(column.name) xlsx")
        compared += 1
      }
    }
    #expect(compared >= 109 * 4)
  }

  /// Numbers without zeros at their ends, names of digits with those at their beginning.
  private static func normalised(_ text: String, _ column: LayoutColumn) -> String {
    switch column.type {
    case .digits(let count): String(repeating: "0", count: max(0, count - text.count)) + text
    case .decimal: Double(text.first == "." ? "0" + text : text).map { "\($0)" } ?? text
    default: text
    }
  }

  @Test("The txt of PPRRVU is as the publisher's: marked banner lines, 171 bytes, points without a zero")
  func textForm() throws {
    let lines = try ZipContents.sample(formats: [.txt]).lines("PPRRVU2025_Oct.txt")
    #expect(lines.prefix { $0.hasPrefix("HDR ") }.count == 3)
    for line in lines.dropFirst(3) {
      #expect(line.utf8.count == 171)
      #expect(line.utf8.dropFirst(106).first == UInt8(ascii: "."))
    }
  }

  @Test("ANES as txt has no header, and an amount without its point")
  func impliedPoint() throws {
    let zip = try ZipContents.sample(formats: [.csv, .txt])
    let line = try #require(zip.lines("ANES2025.txt").first)
    let record = try #require(zip.lines("ANES2025.csv").dropFirst().first).split(separator: ",")
    #expect(line.utf8.count == 77 && line.hasPrefix("10112       00    ALABAMA  "))
    #expect(line.suffix(4) == record[3].filter { $0 != "." } && line.dropLast(4).last == " ")
  }

  @Test("A workbook has the parts that a reader looks for, and its cells' columns in order")
  func workbook() throws {
    let sheet = try SheetContents(try ZipContents.sample(formats: [.xlsx])["PPRRVU2025_Oct.xlsx"])
    #expect(
      sheet.parts.names == [
        "[Content_Types].xml", "_rels/.rels", "xl/workbook.xml", "xl/_rels/workbook.xml.rels",
        "xl/styles.xml", "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml",
      ])
    #expect(sheet.rows[4] != nil)
    #expect(sheet.rows[10]?["A"] == SheetContents.Cell(type: "s", text: "HCPCS"))
    #expect(sheet.rows[11]?["Y"] == SheetContents.Cell(text: "32.3465"))
    #expect(sheet.rows[11]?["AE"] != nil && sheet.rows[11]?["AF"] == nil)
    #expect(sheet.rows.count == 40)
  }

  @Test("A row of a workbook without a text is not there")
  func blankRows() throws {
    let sheet = try SheetContents(try ZipContents.sample(formats: [.xlsx])["GPCI2025.xlsx"])
    #expect(sheet.rows[1]?.count == 1 && sheet.rows[2] == nil && sheet.rows[3]?.count == 7)
  }

  @Test(
    "The letters of columns go on behind Z",
    arguments: [
      (0, "A"), (25, "Z"), (26, "AA"), (30, "AE"), (51, "AZ"), (52, "BA"), (701, "ZZ"), (702, "AAA"),
    ])
  func letters(column: Int, letters: String) {
    #expect(WorkbookWriter.letters(column) == letters)
  }

  @Test("A txt of a layout without places is refused")
  func noPlaces() throws {
    var file = try #require(try Sampler.own().definition.files.first)
    file.columns[0].textPlace = nil
    #expect(throws: SampleError.noTextForm(source: "pprrvu", column: "hcpcs")) {
      try SampleOutput.checkForms([(file, .csv), (file, .txt)])
    }
  }
}
