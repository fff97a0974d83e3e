import Foundation
import TestSupport
import Testing

/// A workbook of texts.
enum Workbook {
  private static let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
  private static let related = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

  /// A workbook of one sheet.
  static func write(_ rows: [[String]], to path: String) throws { try write([("Sheet1", rows)], to: path) }

  /// A workbook of several sheets. A text such as `00000:6001` is a number with that format.
  static func write(_ sheets: [(name: String, rows: [[String]])], to path: String) throws {
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
    func relation(_ id: String, _ kind: String, _ target: String) -> String {
      "<Relationship Id=\"\(id)\" Type=\"\(related)/\(kind)\" Target=\"\(target)\"/>"
    }
    let scratch = try Scratch()
    var (names, relations) = ("", relation("styles", "styles", "styles.xml"))
    for (index, sheet) in sheets.enumerated() {
      let rows = sheet.rows.enumerated().map { row, texts in
        let cells = texts.enumerated().map { column, text in
          cell("\(UnicodeScalar(UInt8(ascii: "A") + UInt8(column)))\(row + 1)", text)
        }
        return "<row r=\"\(row + 1)\">\(cells.joined())</row>"
      }
      names += "<sheet name=\"\(sheet.name)\" sheetId=\"\(index + 1)\" r:id=\"s\(index)\"/>"
      relations += relation("s\(index)", "worksheet", "worksheets/sheet\(index).xml")
      try scratch.write(
        "xl/worksheets/sheet\(index).xml",
        "<worksheet xmlns=\"\(main)\"><sheetData>\(rows.joined())</sheetData></worksheet>")
    }
    let codes = formats.enumerated().map { "<numFmt numFmtId=\"\(164 + $0)\" formatCode=\"\($1)\"/>" }
    let styles = formats.indices.map { "<xf numFmtId=\"\(164 + $0)\"/>" }
    for (name, text) in [
      "[Content_Types].xml": "<Types/>",
      "_rels/.rels": "<Relationships>\(relation("w", "officeDocument", "xl/workbook.xml"))</Relationships>",
      "xl/workbook.xml":
        "<workbook xmlns=\"\(main)\" xmlns:r=\"\(related)\"><sheets>\(names)</sheets></workbook>",
      "xl/_rels/workbook.xml.rels": "<Relationships>\(relations)</Relationships>",
      "xl/styles.xml": "<styleSheet xmlns=\"\(main)\"><numFmts>\(codes.joined())</numFmts>"
        + "<cellXfs><xf numFmtId=\"0\"/>\(styles.joined())</cellXfs></styleSheet>",
    ] { try scratch.write(name, text) }
    try FileManager.default.createDirectory(
      at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
    try Shell.run("zip", "-qr", path, ".", in: scratch.path)
  }
}
