import Definitions
import Foundation
import TestSupport
import Testing

@testable import Sampler

@Suite("A sample of HCPCS codes is one file of modifiers and codes like the publisher's")
struct CodeSampleTests {
  private func sample(
    _ quirks: String = "", _ formats: [SampleFormat]? = nil, without: [String] = []
  ) throws -> ZipContents {
    try ZipContents.sample(
      quirks, of: "cms-hcpcs", formats: formats, without: without, rows: 25)
  }

  private func lines(_ quirks: String = "", without: [String] = []) throws -> [String] {
    try sample(quirks, [.txt], without: without).lines("HCPC2025_OCT_ANWEB.txt")
  }

  private func sheet(_ quirks: String = "", without: [String] = []) throws -> SheetContents {
    try SheetContents(sample(quirks, [.xlsx], without: without)["HCPC2025_OCT_ANWEB.xlsx"])
  }

  /// The bytes of a line at a place, from 1.
  private func field(_ line: String, _ place: ClosedRange<Int>) -> String {
    String(decoding: Array(line.utf8).dropFirst(place.lowerBound - 1).prefix(place.count), as: UTF8.self)
  }

  private func trimmed(_ text: String) -> String { text.trimmingCharacters(in: [" "]) }

  @Test("Records have 320 bytes: modifiers, then codes, and none of another kind between")
  func records() throws {
    let lines = try lines()
    #expect(lines.allSatisfy { $0.utf8.count == 320 && field($0, 294...320).allSatisfy { $0 == " " } })
    let kinds = lines.map { field($0, 11...11) }
    #expect(kinds.count { $0 == "7" } == 12 && kinds.count { $0 == "3" } == 25)
    #expect(Set(kinds) == ["7", "8", "3", "4"])
    let first = try #require(kinds.firstIndex(of: "3"))
    #expect(Set(kinds[..<first]) == ["7", "8"] && Set(kinds[first...]) == ["3", "4"])
    for (line, kind) in zip(lines, kinds) {
      let code = field(line, 1...5)
      #expect(kind == "7" || kind == "8" ? code.hasPrefix("   ") && code.last != " " : !code.contains(" "))
    }
  }

  @Test("A text goes on between words, in records of the same code that have a number and nothing else")
  func continuations() throws {
    let lines = try lines()
    let sheet = try sheet()
    var joined: [String: String] = [:]
    var count = 0
    for (previous, line) in zip([""] + lines, lines) {
      let code = field(line, 1...5)
      let text = field(line, 12...91)
      #expect(text.first != " ")
      guard ["4", "8"].contains(field(line, 11...11)) else {
        #expect(field(line, 6...10) == "00100")
        joined[code] = trimmed(text)
        continue
      }
      count += 1
      #expect(field(previous, 1...5) == code && field(line, 92...320).allSatisfy { $0 == " " })
      #expect(Int(field(line, 6...10)) == (Int(field(previous, 6...10)) ?? 0) + 100)
      // The first word would not have fitted into the record before.
      let word = text.prefix { $0 != " " }
      #expect(trimmed(field(previous, 12...91)).count + 1 + word.count > 80)
      joined[code]? += " " + trimmed(text)
    }
    #expect(count > 10 && joined.count == 37)
    let cells = Dictionary(
      sheet.rows.values.compactMap { row in row["C"].map { _ in (row["A"]?.text ?? "", row["D"]?.text ?? "") }
      },
      uniquingKeysWith: { $1 })
    #expect(joined.allSatisfy { cells[$0.key]?.replacing("&quot;", with: "\"") == $0.value })
    #expect(sheet.rows.count == 38)
  }

  @Test("The header has the 48 columns in the order of their places, and what repeats is among them")
  func header() throws {
    let sheet = try sheet()
    let names = sheet.texts(1, count: 48)
    #expect(
      names[..<10] == [
        "HCPC", "SEQNUM", "RECID", "LONG DESCRIPTION", "SHORT DESCRIPTION", "PRICE1", "PRICE2", "PRICE3",
        "PRICE4",
        "MULT_PI",
      ])
    #expect(names[17...24].elementsEqual((1...8).map { "LABCERT\($0)" }))
    #expect(
      names[38...] == [
        "TOS1", "TOS2", "TOS3", "TOS4", "TOS5", "ANEST_BU", "ADD DT", "ACT EFF DT", "TERM DT", "ACTION CD",
      ])
    #expect(sheet.rows[1]?.count == 48)
    let procedure = try #require(sheet.rows.values.first { $0["A"]?.text == "G0008" })
    #expect(["F", "G", "H", "I"].map { procedure[$0]?.text }[1...] == ["13", "11", nil])
    #expect(procedure["B"]?.text == "0010" && procedure["C"]?.text == "3" && procedure["AR"]?.text == "  0")
    let laboratory = try #require(try lines().first { $0.hasPrefix("P2028") })
    #expect(field(laboratory, 181...204) == "340220610" + String(repeating: " ", count: 15))
  }

  @Test("Modifiers have blanks in the columns that only codes have")
  func blanks() throws {
    for (_, row) in try sheet().rows where row["C"]?.text == "7" {
      let only = ["A", "B", "C", "D", "E", "K", "N", "Z", "AE", "AK", "AS", "AT", "AU", "AV"]
      #expect(Set(row.keys).isSubset(of: only) && row["A"]?.text.hasPrefix("   ") == true)
    }
  }

  @Test("Lines that go on end with their text, and only those")
  func trimmed() throws {
    let (plain, quirky) = (try lines(), try lines("trimmed-continuation"))
    #expect(plain.count == quirky.count && plain != quirky)
    for (line, other) in zip(plain, quirky) {
      let goesOn = ["4", "8"].contains(field(line, 11...11))
      #expect(other == (goesOn ? field(line, 1...11) + trimmed(field(line, 12...91)) : line))
    }
  }

  @Test("A very long text takes further rows of the workbook, of record id 4, with the number counted up")
  func spilled() throws {
    let (plain, quirky) = (try sheet(), try sheet("spilled-description"))
    let rows = quirky.rows.keys.sorted().compactMap { quirky.rows[$0] }
    let more = rows.filter { $0["C"]?.text == "4" }
    #expect(more.count >= 2 && rows.count == plain.rows.count + more.count)
    #expect(more.allSatisfy { $0.keys.sorted() == ["A", "B", "C", "D"] })
    #expect(rows.allSatisfy { ($0["D"]?.text.count ?? 0) <= 250 })
    let code = try #require(more.last?["A"]?.text)
    let parts = rows.filter { $0["A"]?.text == code }
    #expect(parts.map { $0["B"]?.text } == ["0010", "0020", "0030"].prefix(parts.count).map { $0 })
    #expect(
      parts.compactMap { $0["D"]?.text }.joined(separator: " ")
        == plain.rows.values.first { $0["A"]?.text == code }?["D"]?.text)
  }

  @Test("Disclaimers are above the records, with the header in row 1, 8 or 11")
  func disclaimers() throws {
    for (quirk, row) in [("", 1), ("short-disclaimers", 8), ("disclaimers", 11)] {
      let sheet = try sheet(quirk)
      #expect(sheet.rows[row]?["A"]?.text == "HCPC" && sheet.rows[row + 1]?["A"]?.text == "   A1")
    }
    let (plain, quirky) = (try lines(), try lines("disclaimers"))
    #expect(quirky.suffix(plain.count) == plain[...] && quirky.count == plain.count + 7)
    #expect(quirky.prefix(7).allSatisfy { $0.utf8.count < 293 })
  }

  @Test("Codes, indicators and dates of digits become numbers, those with zeros before them stay texts")
  func integers() throws {
    let rows = try sheet("int-codes").rows.values.filter { $0["C"]?.text == "3" }
    #expect(!rows.isEmpty && rows.allSatisfy { $0["C"]?.type == "" && $0["AS"]?.type == "" })
    #expect(rows.allSatisfy { $0["B"] == SheetContents.Cell(type: "s", text: "0010") })
    #expect(rows.contains { $0["F"] == SheetContents.Cell(text: "51") })
    #expect(rows.contains { $0["F"] == SheetContents.Cell(type: "s", text: "00") })
    #expect(rows.contains { $0["AM"] == SheetContents.Cell(text: "1") })
  }

  @Test(
    "Dates become days of either system", arguments: [("date-serials", 37438), ("date-serials-1904", 35976)])
  func dates(quirk: String, days: Int) throws {
    let row = try #require(try sheet(quirk).rows[2])
    #expect(row["AS"] == SheetContents.Cell(style: "1", text: "\(days)"))
    let path = "V1_HCPC2025_Corrections_ANWEB.xlsx"
    let corrections = try SheetContents(sample("corrections \(quirk)")[path])
    #expect(corrections.rows[5]?["C"] == SheetContents.Cell(style: "1", text: "\(days + 45_658 - 37_438)"))
  }

  @Test("Either source can be left out, and both are known by name")
  func sources() throws {
    #expect(Set(try lines(without: ["codes"]).map { field($0, 11...11) }) == ["7", "8"])
    #expect(Set(try lines(without: ["modifiers"]).map { field($0, 11...11) }) == ["3", "4"])
    #expect(throws: SampleError.nothingLeft) { try lines(without: ["codes", "modifiers"]) }
    #expect(try sample("lf:modifiers")["HCPC2025_OCT_ANWEB.txt"].contains(13) == false)
  }

  @Test("The corrections are a workbook of their own with every sentence that the layout knows")
  func corrections() throws {
    let path = "V1_HCPC2025_Corrections_ANWEB.xlsx"
    let notice = "README SYNTHETIC SAMPLE.txt"
    #expect(try sample().names == ["HCPC2025_OCT_ANWEB.xlsx", notice])
    let zip = try sample("corrections")
    #expect(zip.names == ["HCPC2025_JAN_ANWEB.xlsx", path, notice])
    let sheet = try SheetContents(zip[path])
    #expect(sheet.texts(4, count: 3) == ["CODE", "ACTION", "EFF DATE"])
    let sentences = sheet.rows.filter { $0.key > 4 }.values.compactMap { $0["B"]?.text.uppercased() }
    let pipeline = try Project.load(SharedData.project).pipeline(named: "cms-hcpcs")
    let layout = try #require(pipeline.source(named: "corrections").flatMap(pipeline.layout)?.versions.last)
    let known = try #require(layout.columns.first { $0.name == "action" }).matches
    for pattern in known {
      #expect(sentences.contains { pattern.groups(whole: $0) != nil }, "no sentence is \(pattern.text)")
    }
    func isKnown(_ sentence: String) -> Bool { known.contains { $0.groups(whole: sentence) != nil } }
    #expect(sentences.allSatisfy(isKnown))
    let other = try SheetContents(sample("unknown-correction")[path])
    #expect(other.rows[5].flatMap { $0["B"]?.text.uppercased() }.map(isKnown) == false)
    let codes = try SheetContents(zip[zip.names[0]]).rows.values.compactMap { $0["A"]?.text }
    for row in sheet.rows where row.key > 4 && row.value["B"]?.text != "Add code" {
      #expect(codes.contains(row.value["A"]?.text ?? ""))
    }
  }

  @Test(
    "What would change nothing is refused",
    arguments: [
      ("trimmed-continuation", SampleFormat.xlsx), ("spilled-description", .txt), ("lost-zeros", .txt),
      ("padded-lines", .txt),
    ])
  func idle(quirk: String, format: SampleFormat) {
    let error = #expect(throws: SampleError.self) { try sample(quirk, [format]) }
    guard case .quirkWithoutEffect(quirk, _, nil)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("A format that the pipeline does not read is refused, one of another file's leaves each its own")
  func formats() throws {
    #expect(throws: SampleError.formatNotRead("csv", known: ["txt", "xlsx"])) { try sample("", [.csv]) }
    #expect(
      try sample("corrections", [.txt]).names.dropLast()
        == ["HCPC2025_JAN_ANWEB.txt", "V1_HCPC2025_Corrections_ANWEB.xlsx"])
  }
}
