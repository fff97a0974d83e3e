import Foundation
import TestSupport
import Testing

/// A workbook of one sheet with texts.
enum Workbook {
  static func write(_ rows: [[String]], to path: String) throws {
    let scratch = try Scratch()
    let namespace = "http://schemas.openxmlformats.org"
    let cells = rows.enumerated().map { row, texts in
      let cells = texts.enumerated().map { column, text in
        let name = "\(UnicodeScalar(UInt8(ascii: "A") + UInt8(column)))\(row + 1)"
        return "<c r=\"\(name)\" t=\"inlineStr\"><is><t>\(text)</t></is></c>"
      }
      return "<row r=\"\(row + 1)\">\(cells.joined())</row>"
    }
    try scratch.write(
      "book/[Content_Types].xml",
      """
      <Types xmlns="\(namespace)/package/2006/content-types">
      <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
      <Override PartName="/xl/workbook.xml" \
      ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>
      <Override PartName="/xl/worksheets/sheet1.xml" \
      ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>
      """)
    try scratch.write("book/_rels/.rels", relationship("officeDocument", "xl/workbook.xml", namespace))
    try scratch.write(
      "book/xl/workbook.xml",
      """
      <workbook xmlns="\(namespace)/spreadsheetml/2006/main" xmlns:r="\(namespace)/officeDocument/2006/relationships">
      <sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>
      """)
    try scratch.write(
      "book/xl/_rels/workbook.xml.rels", relationship("worksheet", "worksheets/sheet1.xml", namespace))
    try scratch.write(
      "book/xl/worksheets/sheet1.xml",
      "<worksheet xmlns=\"\(namespace)/spreadsheetml/2006/main\"><sheetData>\(cells.joined())</sheetData></worksheet>"
    )
    try FileManager.default.createDirectory(
      at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["zip", "-qr", path, "."]
    process.currentDirectoryURL = URL(filePath: scratch.path + "/book")
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "zip writes \(path)")
  }

  private static func relationship(_ kind: String, _ target: String, _ namespace: String) -> String {
    """
    <Relationships xmlns="\(namespace)/package/2006/relationships"><Relationship Id="rId1" \
    Type="\(namespace)/officeDocument/2006/relationships/\(kind)" Target="\(target)"/></Relationships>
    """
  }
}
