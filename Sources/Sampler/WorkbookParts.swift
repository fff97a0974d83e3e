/// The parts of a workbook that do not depend on its rows.
enum WorkbookParts {
  private static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
  private static let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
  private static let relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
  private static let package = "http://schemas.openxmlformats.org/package/2006"
  private static let sheetML = "application/vnd.openxmlformats-officedocument.spreadsheetml"

  /// What is above the first row of a sheet.
  static let sheetStart = "\(declaration)<worksheet xmlns=\"\(main)\"><sheetData>"
  /// What is below the last row.
  static let sheetEnd = "</sheetData></worksheet>"

  /// What is above the first shared string.
  static func stringsStart(uses: Int, count: Int) -> String {
    "\(declaration)<sst xmlns=\"\(main)\" count=\"\(uses)\" uniqueCount=\"\(count)\">"
  }

  /// The parts that go before the sheet.
  static func before(sheet: String, is1904: Bool, hasStrings: Bool) -> [(name: String, text: String)] {
    [
      ("[Content_Types].xml", contentTypes(hasStrings)), ("_rels/.rels", packageRelations),
      ("xl/workbook.xml", workbook(sheet, is1904)), ("xl/_rels/workbook.xml.rels", bookRelations(hasStrings)),
      ("xl/styles.xml", styles),
    ]
  }

  private static func contentTypes(_ hasStrings: Bool) -> String {
    func part(_ name: String, _ type: String) -> String {
      "<Override PartName=\"/xl/\(name).xml\" ContentType=\"\(sheetML).\(type)+xml\"/>"
    }
    return declaration + "<Types xmlns=\"\(package)/content-types\">"
      + "<Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>"
      + "<Default Extension=\"xml\" ContentType=\"application/xml\"/>" + part("workbook", "sheet.main")
      + part("worksheets/sheet1", "worksheet") + part("styles", "styles")
      + (hasStrings ? part("sharedStrings", "sharedStrings") : "") + "</Types>"
  }

  private static func relation(_ number: Int, _ type: String, _ target: String) -> String {
    "<Relationship Id=\"rId\(number)\" Type=\"\(relations)/\(type)\" Target=\"\(target)\"/>"
  }

  private static let packageRelations =
    declaration + "<Relationships xmlns=\"\(package)/relationships\">"
    + relation(1, "officeDocument", "xl/workbook.xml") + "</Relationships>"

  private static func bookRelations(_ hasStrings: Bool) -> String {
    declaration + "<Relationships xmlns=\"\(package)/relationships\">"
      + relation(1, "worksheet", "worksheets/sheet1.xml") + relation(2, "styles", "styles.xml")
      + (hasStrings ? relation(3, "sharedStrings", "sharedStrings.xml") : "") + "</Relationships>"
  }

  private static func workbook(_ sheet: String, _ is1904: Bool) -> String {
    // A sheet's name has at most 31 letters.
    declaration + "<workbook xmlns=\"\(main)\" xmlns:r=\"\(relations)\">"
      + (is1904 ? "<workbookPr date1904=\"1\"/>" : "<workbookPr/>")
      + "<sheets><sheet name=\"\(sheet.prefix(31))\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>"
  }

  /// Style 0 is plain, style 1 a date. A reader may need a font, the two fills that Excel keeps for itself,
  /// and a border.
  private static let styles =
    declaration + "<styleSheet xmlns=\"\(main)\">"
    + "<fonts count=\"1\"><font><sz val=\"11\"/><name val=\"Calibri\"/></font></fonts>"
    + "<fills count=\"2\"><fill><patternFill patternType=\"none\"/></fill>"
    + "<fill><patternFill patternType=\"gray125\"/></fill></fills>"
    + "<borders count=\"1\"><border><left/><right/><top/><bottom/><diagonal/></border></borders>"
    + "<cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/></cellStyleXfs>"
    + "<cellXfs count=\"2\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\"/>"
    + "<xf numFmtId=\"14\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyNumberFormat=\"1\"/></cellXfs>"
    + "</styleSheet>"
}
