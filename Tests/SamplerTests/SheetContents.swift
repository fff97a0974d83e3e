import Foundation
import Testing

/// What a workbook's sheet holds, read by its letters alone.
struct SheetContents {
  /// A cell as it is written.
  struct Cell: Equatable {
    /// `s`, `inlineStr`, or nothing for a number.
    var type = ""
    var style = ""
    /// The text with shared strings put in.
    var text = ""
  }

  /// Rows by number, cells by the letters of their columns.
  private(set) var rows: [Int: [String: Cell]] = [:]
  let parts: ZipContents

  init(_ workbook: [UInt8]) throws {
    parts = try ZipContents.read(workbook)
    let strings = Self.text(parts["xl/sharedStrings.xml"]).matches(of: /<si><t[^>]*>([^<]*)<\/t><\/si>/)
      .map { String($0.output.1) }
    let sheet = Self.text(parts["xl/worksheets/sheet1.xml"])
    for row in sheet.matches(of: /<row r="(\d+)">(.*?)<\/row>/.dotMatchesNewlines()) {
      let number = try #require(Int(row.output.1))
      for match in row.output.2.matches(of: /<c r="([A-Z]+)(\d+)"([^>]*)>(.*?)<\/c>/.dotMatchesNewlines()) {
        #expect(Int(match.output.2) == number)
        var cell = Cell()
        cell.type = match.output.3.firstMatch(of: /t="(\w+)"/).map { String($0.output.1) } ?? ""
        cell.style = match.output.3.firstMatch(of: /s="(\d+)"/).map { String($0.output.1) } ?? ""
        cell.text = String(match.output.4.replacing(/<[^>]*>/, with: ""))
        if cell.type == "s" { cell.text = strings[try #require(Int(cell.text))] }
        cell.text = cell.text.replacing("&amp;", with: "&").replacing("&lt;", with: "<")
          .replacing("&gt;", with: ">")
        rows[number, default: [:]][String(match.output.1)] = cell
      }
    }
  }

  /// The texts of a row's cells from column A to a last one, blank where there is none.
  func texts(_ row: Int, count: Int) -> [String] {
    (0..<count).map { rows[row]?[Self.letters($0)]?.text ?? "" }
  }

  static func letters(_ column: Int) -> String {
    let letters = (65...90).map { String(Unicode.Scalar($0)) }
    return column < 26 ? letters[column] : letters[column / 26 - 1] + letters[column % 26]
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
