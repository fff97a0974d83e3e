import Records
import TestSupport
import Testing

@Suite struct XLSXWorkbookTests {
  let folder: Scratch

  init() throws { folder = try Scratch() }

  private static let fixture = XLSXFixture(
    rows: XLSXFixture.lines(["of One"]), others: [("Fees &amp; more", "visible"), ("Notes", "hidden")])

  /// The error of opening and reading.
  private func failure(
    _ bytes: [UInt8], sheet: SheetChoice = .first, name: String = "a.xlsx"
  ) throws -> RecordsError? {
    let path = try folder.write(name, bytes)
    do throws(RecordsError) {
      var reader = try XLSXReader(SourceEntry(file: path), format: XLSXFormat(sheet: sheet))
      while try reader.next() {}
      return nil
    } catch {
      return error
    }
  }

  private func isDamaged(_ error: RecordsError?) -> Bool {
    if case .brokenWorkbook = error { true } else { false }
  }

  @Test func `a sheet is chosen by its name or is the first that is seen`() throws {
    var fixture = Self.fixture
    #expect(try fixture.read().map(\.fields) == [["of One"]])
    #expect(try fixture.read(sheet: .named("Fees & more")).map(\.fields) == [["of Fees & more"]])
    #expect(try fixture.read(sheet: .named("NOTES")).map(\.fields) == [["of Notes"]])
    let all = try (1...3).map { number in
      try fixture.read(sheet: .numbered(number)).flatMap { record in record.fields }
    }
    #expect(all == [["of One"], ["of Fees & more"], ["of Notes"]])
    fixture.firstState = "veryHidden"
    #expect(try fixture.read().map(\.fields) == [["of Fees & more"]])
  }

  @Test func `the sheets are listed, and a name that is none of them says so`() throws {
    let path = try folder.write("a.xlsx", Self.fixture.bytes())
    #expect(try XLSXReader.sheets(of: SourceEntry(file: path)) == ["One", "Fees & more", "Notes"])
    let error = try #require(try failure(Self.fixture.bytes(), sheet: .named("Two")))
    #expect(
      error
        == .noSuchSheet(
          path: path, entry: nil, sheet: .named("Two"), sheets: ["One", "Fees & more", "Notes"]))
    #expect(error.description.contains("has no sheet \"Two\". It has: \"One\", \"Fees & more\", \"Notes\"."))
  }

  @Test func `the sheets that hold anything are reported, without those that are not asked for`() throws {
    let fixture = XLSXFixture(
      rows: XLSXFixture.lines(["", " "]), others: [("Fees", "visible"), ("Notes", "hidden")])
    let entry = SourceEntry(file: try folder.write("a.xlsx", fixture.bytes()))
    #expect(try XLSXReader.filledSheets(of: entry) == ["Fees", "Notes"])
    #expect(try XLSXReader.filledSheets(of: entry, except: [2]) == ["Notes"])
    // What cannot be read may hold anything.
    let broken = SourceEntry(
      file: try folder.write("b.xlsx", fixture.bytes(without: "xl/worksheets/b0.xml")))
    #expect(try XLSXReader.filledSheets(of: broken) == ["Fees", "Notes"])
  }

  @Test(arguments: [0, 4])
  func `a sheet number that there is not says so`(number: Int) throws {
    let error = try #require(try failure(Self.fixture.bytes(), sheet: .numbered(number)))
    #expect(error.description.contains("has no worksheet number \(number). It has: \"One\", "))
  }

  @Test(arguments: [64 << 20, 100])
  func `a workbook inside an archive is read from memory or from a temporary file`(memoryLimit: Int) throws {
    for kind in [ArchiveFixture.Kind.zip, .storedZip, .sevenZip, .tarGzip, .gzip] {
      let entries = [("x/a.xlsx", try Self.fixture.bytes())]
      let path = try folder.write("a.xlsx.gz", ArchiveFixture.make(kind, entries))
      let entry = try #require(try Discovery.entries(of: path).first)
      var reader = try XLSXReader(entry, mostInMemory: memoryLimit)
      #expect(try RecordsTests.records(&reader).map(\.fields) == [["of One"]], "\(kind)")
    }
  }

  @Test func `what is not a workbook is said to be what it is`() throws {
    let ole: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1] + [UInt8](repeating: 0, count: 600)
    let path = folder.path + "/a.xlsx"
    #expect(try failure(ole) == .protectedWorkbook(path: path, entry: nil))
    #expect(try failure(Array("a,b\n1,2\n".utf8)) == .notAWorkbook(path: path, entry: nil, found: "text"))
    #expect(
      try failure(Array("<!DOCTYPE html>".utf8))
        == .notAWorkbook(path: path, entry: nil, found: "a web page or XML"))
    #expect(try failure([]) == .notAWorkbook(path: path, entry: nil, found: "empty"))
    let zip = try ArchiveFixture.make(.zip, [("a.csv", [65])])
    #expect(try failure(zip) == .notAWorkbook(path: path, entry: nil, found: "a zip of other files"))
  }

  @Test func `a csv named xlsx inside a zip names both`() throws {
    let path = try folder.write("a.zip", ArchiveFixture.make(.zip, [("b.xlsx", Array("a,b\n".utf8))]))
    let entry = try #require(try Discovery.entries(of: path).first)
    #expect(throws: RecordsError.notAWorkbook(path: path, entry: "b.xlsx", found: "text")) {
      _ = try XLSXReader(entry).sheets
    }
  }

  @Test func `a workbook without a part that it needs is damaged`() throws {
    for part in ["xl/workbook.xml", "xl/worksheets/a.xml"] {
      let error = try failure(Self.fixture.bytes(without: part))
      #expect(
        error
          == .brokenWorkbook(path: folder.path + "/a.xlsx", entry: nil, reason: "it has no part \(part)"))
    }
    guard case .noSuchSheet = try failure(Self.fixture.bytes(without: "xl/_rels/workbook.xml.rels")) else {
      Issue.record("no sheet can be found without relationships")
      return
    }
    // A workbook of numbers alone needs neither.
    #expect(try failure(Self.fixture.bytes(without: "xl/styles.xml")) == nil)
  }

  @Test func `a declaration of entities is refused before they grow`() throws {
    var bomb = "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\">"
    for (name, before) in zip("bcdefghij", "abcdefghi") {
      bomb += "<!ENTITY \(name) \"\(String(repeating: "&\(before);", count: 10))\">"
    }
    var fixture = XLSXFixture()
    fixture.sheet =
      "<?xml version=\"1.0\"?>\(bomb)]>\(XLSXFixture.sheet(XLSXFixture.lines(["&j;"])).dropFirst(38))"
    guard case .brokenWorkbook(_, "xl/worksheets/a.xml", let reason) = try failure(fixture.bytes()) else {
      Issue.record("not refused")
      return
    }
    #expect(reason.contains("DOCTYPE"))
  }

  @Test func `an entity that is not of XML is an error`() throws {
    #expect(isDamaged(try failure(XLSXFixture(rows: XLSXFixture.lines(["&nbsp;"])).bytes())))
  }

  @Test func `a sheet cut off anywhere is an error`() throws {
    let sheet = XLSXFixture.sheet(XLSXFixture.lines(["one", "two", "three"]))
    for count in 0..<sheet.utf8.count {
      var fixture = XLSXFixture()
      fixture.sheet = String(decoding: sheet.utf8.prefix(count), as: UTF8.self)
      #expect(isDamaged(try failure(fixture.bytes())), "\(count) bytes of \(sheet.utf8.count)")
    }
  }

  @Test func `a changed byte is an error or a record, never a crash`() throws {
    var fixture = XLSXFixture(
      rows: "<row r=\"1\"><c r=\"A1\" s=\"1\"><v>45931.5</v></c><c r=\"B1\" t=\"s\"><v>0</v></c></row>",
      strings: "<si><t>a_x0041_</t></si>", formats: ["yyyy"])
    let sheet = Array(XLSXFixture.sheet(fixture.rows).utf8)
    for place in sheet.indices {
      for flip in [UInt8(1), 4, 0x10, 0x40] {
        var changed = sheet
        changed[place] ^= flip
        fixture.sheet = String(decoding: changed, as: UTF8.self)
        _ = try failure(fixture.bytes())
      }
    }
  }

  @Test func `a part that unpacks without end is refused`() throws {
    // Ten million blanks are ten kilobytes in the zip.
    var fixture = XLSXFixture(rows: XLSXFixture.lines(["a"]))
    fixture.sheet = "<worksheet a=\"\(String(repeating: " ", count: 11_000_000))\"/>"
    #expect(isDamaged(try failure(fixture.bytes())))
  }
}
