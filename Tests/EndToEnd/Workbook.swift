import Foundation
import TestSupport
import Testing

/// A workbook of texts.
enum Workbook {
  /// A workbook of one sheet.
  static func write(_ rows: [[String]], to path: String) throws { try write([("Sheet1", rows)], to: path) }

  /// A workbook of several sheets. A text such as `00000:6001` is a number with that format.
  static func write(_ sheets: [(name: String, rows: [[String]])], to path: String) throws {
    let scratch = try Scratch()
    let namespace = "http://schemas.openxmlformats.org"
    var formats: [String] = []
    func cell(_ name: String, _ text: String) -> String {
      let parts = text.split(separator: ":").map(String.init)
      guard parts.count == 2, parts[0].allSatisfy({ "0-".contains($0) }), Int(parts[1]) != nil else {
        return "<c r=\"\(name)\" t=\"inlineStr\"><is><t>\(text)</t></is></c>"
      }
      if !formats.contains(parts[0]) { formats.append(parts[0]) }
      let style = (formats.firstIndex(of: parts[0]) ?? 0) + 1
      return "<c r=\"\(name)\" s=\"\(style)\"><v>\(parts[1])</v></c>"
    }
    var (names, overrides, relations) = ("", "", "")
    for (index, sheet) in sheets.enumerated() {
      let number = index + 1
      let rows = sheet.rows.enumerated().map { row, texts in
        let cells = texts.enumerated().map { column, text in
          cell("\(UnicodeScalar(UInt8(ascii: "A") + UInt8(column)))\(row + 1)", text)
        }
        return "<row r=\"\(row + 1)\">\(cells.joined())</row>"
      }
      names += "<sheet name=\"\(sheet.name)\" sheetId=\"\(number)\" r:id=\"rId\(number)\"/>"
      overrides += """
        <Override PartName="/xl/worksheets/sheet\(number).xml" \
        ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>
        """
      relations += relationship(number, "worksheet", "worksheets/sheet\(number).xml", namespace)
      try scratch.write(
        "book/xl/worksheets/sheet\(number).xml",
        "<worksheet xmlns=\"\(namespace)/spreadsheetml/2006/main\"><sheetData>\(rows.joined())</sheetData></worksheet>"
      )
    }
    try scratch.write(
      "book/[Content_Types].xml",
      """
      <Types xmlns="\(namespace)/package/2006/content-types">
      <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
      <Override PartName="/xl/workbook.xml" \
      ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>
      <Override PartName="/xl/styles.xml" \
      ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>
      \(overrides)</Types>
      """)
    try scratch.write(
      "book/_rels/.rels",
      relationships(relationship(1, "officeDocument", "xl/workbook.xml", namespace), namespace))
    try scratch.write(
      "book/xl/workbook.xml",
      """
      <workbook xmlns="\(namespace)/spreadsheetml/2006/main" xmlns:r="\(namespace)/officeDocument/2006/relationships">
      <sheets>\(names)</sheets></workbook>
      """)
    relations += relationship(sheets.count + 1, "styles", "styles.xml", namespace)
    try scratch.write("book/xl/_rels/workbook.xml.rels", relationships(relations, namespace))
    let codes = formats.enumerated().map { "<numFmt numFmtId=\"\(164 + $0)\" formatCode=\"\($1)\"/>" }
    let styles = (0..<formats.count).map { "<xf numFmtId=\"\(164 + $0)\"/>" }
    try scratch.write(
      "book/xl/styles.xml",
      """
      <styleSheet xmlns="\(namespace)/spreadsheetml/2006/main"><numFmts>\(codes.joined())</numFmts>\
      <cellXfs><xf numFmtId="0"/>\(styles.joined())</cellXfs></styleSheet>
      """)
    try FileManager.default.createDirectory(
      at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
    try Shell.run("zip", "-qr", path, ".", in: scratch.path + "/book")
  }

  private static func relationship(_ id: Int, _ kind: String, _ target: String, _ namespace: String) -> String
  {
    """
    <Relationship Id="rId\(id)" Type="\(namespace)/officeDocument/2006/relationships/\(kind)" Target="\(target)"/>
    """
  }

  private static func relationships(_ items: String, _ namespace: String) -> String {
    "<Relationships xmlns=\"\(namespace)/package/2006/relationships\">\(items)</Relationships>"
  }
}
