import Definitions
import Testing
import Values

@testable import Sampler

@Suite("A quirk makes the bytes that it is named for")
struct QuirkBytesTests {
  private let name = "PPRRVU2025_Oct.csv"

  private func bytes(_ quirks: String, _ name: String = "PPRRVU2025_Oct.csv") throws -> [UInt8] {
    let format = try #require(SampleFormat(extensionOf: name))
    return try ZipContents.sample(quirks, formats: [format])[name]
  }

  private func lines(_ quirks: String, _ name: String = "PPRRVU2025_Oct.csv") throws -> [String] {
    let format = try #require(SampleFormat(extensionOf: name))
    return try ZipContents.sample(quirks, formats: [format]).lines(name)
  }

  /// The second row of a table of codes, where quirks of one record are.
  private func second(_ lines: [String]) -> String {
    lines.dropFirst(lines.firstIndex { $0.contains("Sample service 1") } ?? 0).dropFirst().first ?? ""
  }

  // MARK: All

  private static let plain = Result { try ZipContents.sample(formats: SampleFormat.tables) }

  @Test("Every quirk changes files of its formats, and no others", arguments: GeneralQuirk.allCases)
  func changes(quirk: GeneralQuirk) throws {
    if [.dateSerials, .dateSerials1904].contains(quirk) {
      #expect(throws: SampleError.self) { try Sampler.own().zip(quirk.rawValue, formats: [.xlsx]) }
      return
    }
    guard quirk.spread != .archive else { return }
    let plain = try Self.plain.get()
    let quirky = try ZipContents.sample(quirk.rawValue, formats: SampleFormat.tables)
    #expect(quirky.names == plain.names)
    let changed = plain.names.filter { plain[$0] != quirky[$0] }
    for format in quirk.formats {
      #expect(changed.contains { $0.hasSuffix(format.rawValue) }, "\(format)")
    }
    #expect(changed.allSatisfy { name in quirk.formats.contains { name.hasSuffix($0.rawValue) } })
    if quirk.spread == .firstFile { #expect(changed.count == quirk.formats.count) }
    #expect(!quirk.summary.isEmpty)
  }

  @Test("The same quirks make the same bytes again")
  func determinism() throws {
    for quirks in [
      "bare-cr cp1252 ctrl-z", "nested-zip folder-in-zip", "long-doubles int-codes", "qpp pric-ind",
    ] {
      #expect(try Sampler.own().zip(quirks) == Sampler.own().zip(quirks))
    }
  }

  @Test("A quirk with a source is in that source's files only")
  func ofOneSource() throws {
    let zip = try ZipContents.sample("lf:gpci stray-quote:anes")
    let plain = try Self.plain.get()
    #expect(zip.names.filter { zip[$0] != plain[$0] } == ["GPCI2025.csv", "ANES2025.csv"])
  }

  // MARK: Lines

  @Test("Line ends", arguments: ["PPRRVU2025_Oct.csv", "GPCI2025.txt"])
  func lineEnds(name: String) throws {
    let plain = try bytes("", name)
    let ends = plain.count { $0 == 0x0A }
    let lf = try bytes("lf", name)
    #expect(lf == plain.filter { $0 != 0x0D })
    let bare = try bytes("bare-cr", name)
    #expect(bare.count { $0 == 0x0A } == 1 && bare.count { $0 == 0x0D } == ends)
    #expect(bare.suffix(2) == [0x0D, 0x0A] && bare.dropLast(1) == plain.filter { $0 != 0x0A }[...])
    let mixed = try bytes("mixed-line-ends", name)
    #expect(mixed.filter { $0 != 0x0D && $0 != 0x0A } == plain.filter { $0 != 0x0D && $0 != 0x0A })
    let first = mixed.filter { $0 == 0x0D || $0 == 0x0A }.prefix(8)
    #expect(first == [0x0D, 0x0A, 0x0A, 0x0D, 0x0D, 0x0A, 0x0A, 0x0D])
    #expect(try bytes("no-final-newline", name) == plain.dropLast(2))
  }

  @Test("A control-Z ends the data in each format's way")
  func endMark() throws {
    #expect(try lines("ctrl-z").last == "\u{1A}" + String(repeating: ",", count: 30))
    #expect(try bytes("ctrl-z", "GPCI2025.txt") == bytes("", "GPCI2025.txt") + [0x1A])
    let sheet = try SheetContents(bytes("ctrl-z", "GPCI2025.xlsx"))
    let last = try #require(sheet.rows.keys.max())
    #expect(sheet.rows[last] == ["A": SheetContents.Cell(type: "s", text: "_x001A_")])
    #expect(try bytes("ctrl-z no-final-newline").suffix(2) == Array(",,".utf8))
  }

  // MARK: Encodings

  @Test("A byte order mark", arguments: ["PPRRVU2025_Oct.csv", "ANES2025.txt"])
  func mark(name: String) throws {
    #expect(try bytes("bom", name) == [0xEF, 0xBB, 0xBF] + bytes("", name))
  }

  @Test("Characters beyond ASCII are in one text, encoded as the quirk says")
  func encodings() throws {
    let text = try String(decoding: bytes(""), as: UTF8.self)
      .replacing("Sample service 2,", with: "Sample service 2 \u{E1}\u{A0}x\u{2019}s,")
    #expect(try bytes("utf-8") == Array(text.utf8))
    let windows = text.unicodeScalars.map { $0 == "\u{2019}" ? 0x92 : UInt8($0.value) }
    #expect(try bytes("cp1252") == windows && windows.filter { $0 > 0x7F } == [0xE1, 0xA0, 0x92])
    let latin = text.replacing("\u{2019}s", with: "").unicodeScalars.map { UInt8($0.value) }
    #expect(try bytes("latin-1") == latin)
    let units = Array(text.utf16)
    #expect(try bytes("utf-16le") == [0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
    #expect(try bytes("utf-16be") == [0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
  }

  @Test("Characters take one place of a txt's lines each, however many bytes they have")
  func encodingsOfText() throws {
    let plain = try bytes("", "PPRRVU2025_Oct.txt")
    for (quirk, more) in [("cp1252", 0), ("latin-1", 0), ("utf-8", 4)] {
      let quirky = try bytes(quirk, "PPRRVU2025_Oct.txt")
      #expect(quirky.count == plain.count + more && quirky != plain)
      #expect(quirky.suffix(4_000) == plain.suffix(4_000), "\(quirk) moves what follows")
    }
    #expect(try bytes("utf-16le", "PPRRVU2025_Oct.txt").count == plain.count * 2 + 2)
  }

  @Test("A byte that no encoding knows is in one record")
  func undecodable() throws {
    #expect(try bytes("undecodable").filter { $0 > 0x7F } == [0x81])
    #expect(try bytes("undecodable bom").filter { $0 > 0x7F } == [0xEF, 0xBB, 0xBF, 0x81])
    let wide = try bytes("undecodable utf-16be")
    #expect(stride(from: 0, to: wide.count, by: 2).count { wide[$0] == 0xD8 && wide[$0 + 1] == 0 } == 1)
  }

  // MARK: Fields of a csv

  @Test("Fields of one record are broken as the quirk says")
  func fields() throws {
    let plain = second(try lines(""))
    #expect(plain.contains(",Sample service 2,"))
    #expect(second(try lines("stray-quote")) == plain.replacing("service 2,", with: "service 2 5\" wide,"))
    #expect(
      second(try lines("text-after-quote"))
        == plain.replacing("Sample service 2,", with: "\"Sample service 2\" and more,"))
    #expect(second(try lines("extra-field")) == plain + ",extra")
    #expect(
      second(try lines("missing-field"))
        == plain.split(separator: ",", omittingEmptySubsequences: false).dropLast().joined(separator: ","))
    #expect(
      try String(decoding: bytes("embedded-newline"), as: UTF8.self).contains(
        ",\"Sample service 2\nin two lines\","))
    let sheet = try SheetContents(bytes("embedded-newline", "PPRRVU2025_Oct.xlsx"))
    #expect(sheet.rows[12]?["C"]?.text == "Sample service 2\nin two lines")
  }

  @Test("All fields are quoted")
  func allQuoted() throws {
    let expected = try lines("", "GPCI2025.csv").map { line -> String in
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      // The plain file quotes what has a comma.
      return line.contains("\"") ? "" : fields.map { "\"\($0)\"" }.joined(separator: ",")
    }
    let quoted = try lines("all-quoted", "GPCI2025.csv")
    #expect(quoted.count == expected.count)
    for (one, other) in zip(quoted, expected) where other != "" { #expect(one == other) }
  }

  @Test("Blanks behind fields, and zeros that are lost")
  func blanksAndZeros() throws {
    #expect(
      try lines("trailing-blanks", "GPCI2025.csv").contains { $0.hasPrefix("10112 ,AL ,00 ,ALABAMA ,") })
    let lost = try lines("lost-zeros", "GPCI2025.csv")
    #expect(
      lost.contains { $0.hasPrefix("2102,AK,1,ALASKA*,") } && lost.contains { $0.hasPrefix("10112,AL,0,") })
    #expect(try lines("lost-zeros").contains { $0.hasPrefix("00") }, "codes keep their zeros")
  }

  // MARK: Cells

  @Test("Codes and numbers that are names become whole numbers")
  func intCodes() throws {
    let zip = try ZipContents.sample("int-codes")
    let codes = try SheetContents(zip["PPRRVU2025_Oct.xlsx"])
    let plain = try SheetContents(try ZipContents.sample(formats: [.xlsx])["PPRRVU2025_Oct.xlsx"])
    var changed = 0
    for (number, row) in plain.rows where number > 10 {
      let code = try #require(row["A"]?.text)
      guard let whole = Int(code) else {
        #expect(codes.rows[number]?["A"] == row["A"])
        continue
      }
      #expect(codes.rows[number]?["A"] == SheetContents.Cell(text: "\(whole)"))
      changed += 1
    }
    #expect(changed > 10)
    #expect(codes.rows.values.contains { $0["B"] == SheetContents.Cell(text: "26") })
    // An indicator with a zero before it stays what it is.
    #expect(codes.rows[11]?["Z"]?.type == "s" && codes.rows[11]?["N"] == SheetContents.Cell(text: "9"))
    let places = try SheetContents(zip["GPCI2025.xlsx"])
    #expect(
      places.rows[5]?["A"] == SheetContents.Cell(text: "2102")
        && places.rows[5]?["C"] == SheetContents.Cell(text: "1"))
  }

  @Test(
    "Numbers are written with the digits of a binary fraction",
    arguments: [
      ("0.30", 2, "0.29999999999999999"), ("0.30", 3, "0.30000000000000004"),
      ("32.3465", 2, "32.346499999999999"), ("5", 3, "5"),
    ])
  func longDoubles(number: String, row: Int, written: String) throws {
    let column = SampleFile.Column(
      name: "n", header: [], field: .formula(.constant(1, .number(scale: 2)), nil))
    #expect(
      CellForm([.longDoubles]).cell(Array(number.utf8), of: column, row: row)
        == .number(Array(written.utf8)))
    #expect(CellForm([]).cell(Array(number.utf8), of: column, row: row) == .number(Array(number.utf8)))
  }

  @Test("Long numbers are in a workbook, and mean the same to fifteen digits")
  func longDoublesOfSheet() throws {
    let long = try SheetContents(bytes("long-doubles", "PPRRVU2025_Oct.xlsx"))
    let texts = Set(long.rows.values.compactMap { $0["Y"]?.text })
    #expect(texts.isSuperset(of: ["32.346499999999999", "32.346500000000006"]))
  }

  @Test(
    "Dates become days of either system",
    arguments: [
      (ValueType.DateOrder.iso, "2025-10-01", 45_931), (.monthDayYear, "1/31/2024", 45_322),
      (.compact, "20240229", 45_351), (.iso, "1900-03-01", 61), (.iso, "1970-01-01", 25_569),
    ])
  func dates(order: ValueType.DateOrder, text: String, days: Int) throws {
    let column = SampleFile.Column(
      name: "d", header: [], field: .formula(.constant(0, .text), nil), type: .date(order))
    let field = Array(text.utf8)
    #expect(CellForm([.dateSerials]).cell(field, of: column, row: 1) == .date(days))
    #expect(CellForm([.dateSerials1904]).cell(field, of: column, row: 1) == .date(days - 1_462))
    #expect(CellForm([]).cell(field, of: column, row: 1) == .text(Array(text.utf8)))
    #expect(
      WorkbookParts.before(sheet: "x", is1904: true, hasStrings: true).contains {
        $0.text.contains("date1904=\"1\"")
      })
    #expect(
      !WorkbookParts.before(sheet: "x", is1904: false, hasStrings: true).contains { $0.text.contains("1904") }
    )
  }

  @Test("Inline strings leave no shared ones")
  func inline() throws {
    let sheet = try SheetContents(bytes("inline-strings", "GPCI2025.xlsx"))
    #expect(!sheet.parts.names.contains("xl/sharedStrings.xml"))
    #expect(!String(decoding: sheet.parts["[Content_Types].xml"], as: UTF8.self).contains("sharedStrings"))
    #expect(sheet.rows[4]?["D"] == SheetContents.Cell(type: "inlineStr", text: "ALABAMA"))
  }

  // MARK: Headers, rows and lengths

  private func match(_ quirks: String, _ source: String, _ name: String) throws -> HeaderMatch {
    let records = try lines(quirks, name).prefix(20).map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let pipeline = try Sample.pipeline()
    let layout = try #require(pipeline.source(named: source).flatMap(pipeline.layout))
    return try HeaderMatch.find(in: records, layout: layout, release: "2025D")
  }

  @Test("A header is reworded, has a column more, or one less")
  func headers() throws {
    for (source, name) in FormatTests.names where source != "gpci" && source != "locco" {
      let match = try match("reworded-header", source, name + ".csv")
      #expect(match.unknown.isEmpty, "\(source)")
    }
    #expect(
      try lines("reworded-header", "GPCI2025.csv")[2].contains("Medicare Administrative Contractor,State"))
    let unknown = try match("unknown-column", "pprrvu", name)
    #expect(unknown.unknown.map(\.text) == ["NEWLY ADDED"] && unknown.unknown.first?.field == 15)
    #expect(throws: HeaderMismatch.self) { try match("missing-column", "pprrvu", name) }
  }

  @Test("Lines are put above the header and behind the rows")
  func around() throws {
    #expect(try match("extra-banner", "pprrvu", name).lastRow == 14)
    let text = try lines("extra-banner", "PPRRVU2025_Oct.txt")
    #expect(text.prefix { $0.hasPrefix("HDR ") }.count == 10)
    #expect(
      try lines("footnotes", "GPCI2025.csv").suffix(2).allSatisfy {
        $0.hasPrefix("*") && $0.hasSuffix(",,,,,,")
      })
    #expect(try lines("footnotes", "ANES2025.txt").last?.hasPrefix("** The second") == true)
    #expect(try lines("footnotes") == lines(""), "PPRRVU has none")
  }

  @Test("Rows are in the order of ASCII or EBCDIC")
  func orders() throws {
    func keys(_ quirk: String) throws -> [String] {
      try lines(quirk).dropFirst(10).map {
        $0.split(separator: ",", omittingEmptySubsequences: false)[..<2].joined(separator: " ")
      }
    }
    let plain = try keys("")
    #expect(try keys("ascii-order") == plain.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    let ebcdic = try keys("ebcdic-order")
    #expect(Set(ebcdic) == Set(plain) && ebcdic.count == plain.count)
    let ranks = " ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    func rank(_ key: String) -> [Int] {
      key.map { ranks.firstIndex(of: $0).map { ranks.distance(from: ranks.startIndex, to: $0) } ?? -1 }
    }
    #expect(ebcdic == ebcdic.sorted { rank($0).lexicographicallyPrecedes(rank($1)) })
    #expect(ebcdic.first?.first?.isLetter == true && ebcdic.last?.first?.isNumber == true)
  }

  @Test("The last row comes twice")
  func duplicate() throws {
    let plain = try lines("")
    #expect(try lines("duplicate-key") == plain + [plain[plain.count - 1]])
    // Before what is below the rows.
    let place = try lines("duplicate-key:gpci", "GPCI2025.csv")
    #expect(place.count { $0.hasPrefix("03602,WY,21,") } == 2)
    #expect(place.last?.hasPrefix("**") == true)
  }

  @Test("Lines of a txt are shorter or longer than they should be")
  func lengths() throws {
    #expect(try !lines("short-lines", "PPRRVU2025_Oct.txt").contains { $0.hasSuffix(" ") })
    #expect(try lines("", "PPRRVU2025_Oct.txt").contains { $0.hasSuffix(" ") })
    let padded = try lines("padded-lines", "GPCI2025.txt").filter { $0.hasPrefix("0") }
    #expect(padded.count > 50 && padded.allSatisfy { $0.utf8.count == 154 })
    let long = try lines("long-line", "PPRRVU2025_Oct.txt").map(\.utf8.count)
    #expect(long.count { $0 > 171 } == 1)
  }

  // MARK: Archives

  @Test("Entries are in a folder, the bundle in another zip")
  func nesting() throws {
    let plain = try ZipContents.sample()
    let folder = try ZipContents.sample("folder-in-zip")
    #expect(folder.names == plain.names.map { "2025D/" + $0 })
    let outer = try ZipContents.sample("nested-zip")
    #expect(outer.names == ["2025D.zip"])
    #expect(outer["2025D.zip"] == (try Sampler.own().zip()))
    let both = try ZipContents.sample("nested-zip folder-in-zip lf")
    #expect(try ZipContents.read(both["2025D.zip"]).names == folder.names)
  }

  @Test("An archive is cut off, or its first entry's checksum is wrong")
  func damage() throws {
    let plain = try Sampler.own().zip()
    let cut = try Sampler.own().zip("truncated")
    #expect(cut == Array(plain.prefix(plain.count * 3 / 5)))
    let wrong = try Sampler.own().zip("bad-crc")
    #expect(wrong.count == plain.count)
    let places = plain.indices.filter { plain[$0] != wrong[$0] }
    #expect(places.count == 2)
    #expect(places.allSatisfy { plain[$0] == ~wrong[$0] })
    #expect(throws: ZipContents.Damage.self) { try ZipContents.read(wrong) }
  }
}
