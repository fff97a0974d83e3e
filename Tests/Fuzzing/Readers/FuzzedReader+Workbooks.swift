import Records

/// Workbooks, of which the parts are changed and not the bytes of the zip.
extension FuzzedReader {
  static let workbooks = [
    FuzzedReader("xlsx", longest: 8192, words: workbookWords) { input, folder in
      let sheet: SheetChoice = input.choice(of: [.first, .numbered(2), .named("two")])
      let limit = input.choice(of: [1 << 20, 24])
      let looks = input.choice(of: [false, false, false, true])
      let path = try folder.put("a.xlsx", StoredZip.make(parts(&input)))
      let entry = SourceEntry(file: path)
      if looks {
        guard try XLSXReader.isWorkbook(entry) else { return }
        _ = try XLSXReader.filledSheets(of: entry)
      }
      var reader = try RecordReader(
        entry, format: .xlsx(XLSXFormat(sheet: sheet, recordLimit: limit)))
      _ = try Transcript(&reader)
    }
  ]

  /// The parts of a workbook: those that the input has, and of the others what makes them readable.
  static func parts(_ input: inout FuzzInput) -> [(name: String, bytes: [UInt8])] {
    let given = input.files
    let usual = usualParts.filter { part in !given.contains { $0.name == part.name } }
    return usual.map { ($0.name, Array($0.text.utf8)) } + given
  }

  private static let usualParts: [(name: String, text: String)] = [
    ("[Content_Types].xml", "<Types/>"),
    ("_rels/.rels", "<R><Relationship Id=\"a\" Type=\"/officeDocument\" Target=\"xl/workbook.xml\"/></R>"),
    (
      "xl/workbook.xml",
      "<workbook><sheets><sheet name=\"One\" id=\"s0\"/><sheet name=\"two\" id=\"s1\"/></sheets></workbook>"
    ),
    (
      "xl/_rels/workbook.xml.rels",
      "<R><Relationship Id=\"s0\" Type=\"/worksheet\" Target=\"a.xml\"/>"
        + "<Relationship Id=\"s1\" Type=\"/worksheet\" Target=\"b.xml\"/>"
        + "<Relationship Id=\"t\" Type=\"/sharedStrings\" Target=\"strings.xml\"/>"
        + "<Relationship Id=\"f\" Type=\"/styles\" Target=\"styles.xml\"/></R>"
    ),
    ("xl/b.xml", "<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>"),
    ("xl/strings.xml", "<sst><si><t>a</t></si><si><r><t>b_x0041_</t></r></si></sst>"),
  ]

  private static let workbookWords = [
    "\u{1}xl/a.xml\n", "\u{1}xl/styles.xml\n", "\u{1}xl/strings.xml\n", "\u{1}xl/workbook.xml\n",
    "<sheetData>", "<row r=\"1\">", "</row>", "<c r=\"A1\" t=\"s\" s=\"1\">", "</c>", "<v>", "</v>",
    "t=\"inlineStr\"", "t=\"str\"", "t=\"b\"", "t=\"d\"", "t=\"e\"", "<is>", "<t>", "<rPh>", "<si>",
    "<numFmt numFmtId=\"164\" formatCode=\"m/d/yyyy\"/>", "<cellXfs>", "<xf numFmtId=\"164\"/>",
    "00000-0000", "date1904=\"1\"", "state=\"hidden\"", "_xD83D_", "_xDE00_", "1E+300", "-1.5E-7",
    "45931.5", "XFD1048576",
  ]
}
