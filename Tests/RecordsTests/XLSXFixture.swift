import Records
import TestSupport

/// Makes workbooks of XML that a test writes.
struct XLSXFixture {
  /// What is in the sheet between `<sheetData>` and its end.
  var rows = ""
  /// The items of the shared strings, as XML; none if nil.
  var strings: String?
  /// What is in `workbookPr`.
  var properties = ""
  /// The number formats' codes: style 0 is general, style 1 the first of these, and so on.
  var formats: [String] = []
  /// The sheets after the first, with their states.
  var others: [(name: String, state: String)] = []
  var firstState = "visible"
  /// The whole sheet, where `rows` is not enough.
  var sheet: String?
  /// The shared strings come after the sheet in the zip.
  var stringsLast = false

  private static let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
  private static let related = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

  static func sheet(_ rows: String) -> String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
      + "<worksheet xmlns=\"\(main)\"><sheetData>\(rows)</sheetData></worksheet>"
  }

  /// A number of rows of text that are each one cell.
  static func lines(_ texts: [String]) -> String {
    texts.map { "<row><c t=\"str\"><v>\($0)</v></c></row>" }.joined()
  }

  private var styles: String {
    let codes = formats.enumerated().map { index, code in
      "<numFmt numFmtId=\"\(164 + index)\" formatCode=\"\(code.replacing("\"", with: "&quot;"))\"/>"
    }
    let uses = (0..<formats.count).map { "<xf numFmtId=\"\(164 + $0)\"/>" }
    return "<styleSheet xmlns=\"\(Self.main)\"><numFmts>\(codes.joined())</numFmts>"
      + "<cellStyleXfs><xf numFmtId=\"14\"/></cellStyleXfs>"
      + "<cellXfs><xf numFmtId=\"0\"/>\(uses.joined())</cellXfs></styleSheet>"
  }

  private var parts: [(name: String, bytes: [UInt8])] {
    var sheets = "<sheet name=\"One\" state=\"\(firstState)\" r:id=\"s0\"/>"
    func relation(_ id: String, _ kind: String, _ target: String) -> String {
      "<Relationship Id=\"\(id)\" Type=\"\(Self.related)/\(kind)\" Target=\"\(target)\"/>"
    }
    var relations = relation("s0", "worksheet", "worksheets/a.xml")
    for (index, other) in others.enumerated() {
      let id = "s\(index + 1)"
      sheets += "<sheet name=\"\(other.name)\" state=\"\(other.state)\" r:id=\"\(id)\"/>"
      relations += relation(id, "worksheet", "/xl/worksheets/b\(index).xml")
    }
    relations += relation("t", "sharedStrings", "sharedStrings.xml") + relation("f", "styles", "./styles.xml")
    let office = relation("w", "officeDocument", "xl/workbook.xml")
    var parts = [
      ("[Content_Types].xml", "<Types/>"),
      ("_rels/.rels", "<Relationships>\(office)</Relationships>"),
      (
        "xl/workbook.xml",
        "<workbook xmlns=\"\(Self.main)\" xmlns:r=\"\(Self.related)\"><workbookPr \(properties)/>"
          + "<sheets>\(sheets)</sheets></workbook>"
      ),
      ("xl/_rels/workbook.xml.rels", "<Relationships>\(relations)</Relationships>"),
      ("xl/styles.xml", styles), ("xl/worksheets/a.xml", sheet ?? Self.sheet(rows)),
    ]
    for (index, other) in others.enumerated() {
      parts.append(("xl/worksheets/b\(index).xml", Self.sheet(Self.lines(["of \(other.name)"]))))
    }
    if let strings {
      parts.insert(("xl/sharedStrings.xml", "<sst>\(strings)</sst>"), at: stringsLast ? parts.count : 2)
    }
    return parts.map { ($0.0, Array($0.1.utf8)) }
  }

  /// The workbook's bytes, without some of its parts.
  func bytes(without missing: String = "") throws -> [UInt8] {
    try ArchiveFixture.make(.zip, parts.filter { $0.name != missing })
  }

  /// The records of the workbook's sheet.
  func read(
    sheet: SheetChoice = .first, recordLimit: Int = 1 << 20
  ) throws -> [ReadRecord] {
    let folder = try Scratch()
    let path = try folder.write("a.xlsx", bytes())
    var reader = try XLSXReader(
      SourceEntry(file: path), format: XLSXFormat(sheet: sheet, recordLimit: recordLimit))
    return try RecordsTests.records(&reader)
  }

  /// The fields of a sheet of these rows, record by record.
  static func fields(_ rows: String, strings: String? = nil) throws -> [[String]] {
    try XLSXFixture(rows: rows, strings: strings).read().map(\.fields)
  }
}
