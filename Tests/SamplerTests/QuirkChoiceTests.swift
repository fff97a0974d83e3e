import Definitions
import Testing

@testable import Sampler

@Suite("What is asked of a sample is taken or refused")
struct QuirkChoiceTests {
  @Test(
    "Quirks that cannot be had are refused with the fix",
    arguments: [
      ("bare-rc", "unknown quirk 'bare-rc'; did you mean 'bare-cr'?"),
      ("xyzzy", "unknown quirk 'xyzzy'; 'rivulet sample PIPELINE --quirk list' names them"),
      ("lf bare-cr", "the quirks 'lf' and 'bare-cr' exclude each other; leave one out"),
      ("utf-16le:gpci utf-8:gpci", "the quirks 'utf-16le' and 'utf-8' exclude each other; leave one out"),
      (
        "lf:gpsi",
        "the sample has no source 'gpsi'; it has pprrvu, gpci, locco, anes, oppscap"
      ),
      (
        "date-serials",
        "the quirk 'date-serials' would change nothing: no xlsx in the bundle has what it is about;"
          + " ask for another format or leave it out"
      ),
      (
        "footnotes:pprrvu",
        "the quirk 'footnotes' would change nothing: no csv, txt, xlsx of 'pprrvu' in the bundle has what it is"
          + " about; ask for another format or leave it out"
      ),
    ])
  func refusals(quirks: String, message: String) {
    let error = #expect(throws: SampleError.self) { try Sampler.own().zip(quirks) }
    #expect(error?.description == message)
  }

  @Test("A quirk of another format than those asked for, or of another release, is refused")
  func elsewhere() {
    #expect(throws: SampleError.quirkWithoutEffect("int-codes", formats: ["xlsx"], source: nil)) {
      try Sampler.own().zip("int-codes", formats: [.csv])
    }
    let form = #"20(2[6-9]|[3-9]\d)[A-D](R\d*)?"#
    #expect(throws: SampleError.quirkOfOtherRelease("qpp", release: "2025D", form: form)) {
      try Sampler.own().zip("qpp", release: "2025D")
    }
  }

  @Test("Sources are left out, but not all, and none that is not there")
  func without() throws {
    #expect(
      try ZipContents.sample(without: ["anes", "oppscap"]).names == [
        "PPRRVU2025_Oct.csv", "GPCI2025.csv", "25LOCCO.csv",
      ])
    #expect(throws: SampleError.nothingLeft) {
      try Sampler.own().zip(without: ["pprrvu", "gpci", "locco", "anes", "oppscap"])
    }
    #expect(throws: SampleError.self) { try Sampler.own().zip(without: ["ane"]) }
  }

  @Test(
    "Without formats those are made that have the quirks",
    arguments: [
      ("", ["csv"]), ("bare-cr ctrl-z", ["csv"]), ("int-codes ctrl-z", ["xlsx"]), ("short-lines", ["txt"]),
      ("long-line cp1252", ["txt"]), ("int-codes lost-zeros", ["csv", "xlsx"]), ("pric-ind", ["csv"]),
    ])
  func formats(quirks: String, formats: [String]) throws {
    let names = try ZipContents.sample(quirks).names
    #expect(names.count == 5 * formats.count)
    #expect(
      names.map { String($0.suffix(from: $0.lastIndex(of: ".") ?? $0.startIndex).dropFirst()) }
        == formats.flatMap { Array(repeating: $0, count: 5) })
  }

  @Test("Every quirk has a name of its own in kebab-case and says what it does")
  func names() throws {
    let quirks = try Sampler.own().quirks
    #expect(Set(quirks.map(\.name)).count == quirks.count && quirks.count > 45)
    for quirk in quirks {
      #expect(quirk.name.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil, "\(quirk.name)")
      #expect(!quirk.summary.isEmpty && !quirk.formats.isEmpty)
    }
  }
}

extension BrokenSampleTests {
  private static let quirks = """

    quirks:
      - quirk: dear
        summary: twice the rate
        releases: '20\\d\\d'
        release: 2026
        files:
          - source: rates
            where: place.name = 'north'
            columns: {rate: amount * 2}
            insert: [{name: kind, after: code, csv: KIND, at: 5-6, value: "'x'"}]
    """

  @Test(
    "A mistake in a quirk is reported exactly",
    arguments: [
      ("", "", ""),
      ("quirk: dear", "quirk: lf", "29:12: 'lf' is a quirk of every sample; give it another name"),
      ("release: 2026", "release: 1926", "32:14: the release '1926' is none of 'releases'"),
      (
        "source: rates\n        where", "source: rats\n        where",
        "34:17: unknown source \'rats\'; did you mean \'rates\'?"
      ),
      ("where: place.name = 'north'", "where: amount", "35:16: a condition is needed, not a number"),
      ("{rate: amount * 2}", "{ratte: amount}", "36:19: unknown column 'ratte'; did you mean 'rate'?"),
      (
        "at: 5-6", "at: 6-5", "37:59: '6-5' is no place in a line; write its first and last byte, such as 5-9"
      ),
      ("csv: KIND, ", "", "37:18: a new column needs the key 'csv'"),
      ("summary: twice the rate", "comment: x", "29:5: a quirk needs the key 'summary'"),
    ])
  func quirkMistake(part: String, other: String, message: String) throws {
    let broken = (Self.sample + Self.quirks).replacing(part, with: other)
    #expect((Self.sample + Self.quirks).contains(part) || part.isEmpty, "the fixture does not hold '\(part)'")
    guard part != "" else {
      #expect(try sampler(broken).quirks.last?.name == "dear")
      return
    }
    let reported = mistakes(of: broken)
    #expect(reported.contains(message), "\(reported)")
  }

  private static let version = """

    quirks:
      - quirk: later
        summary: as from the second version on
        files:
          - {source: rates, layout: '2', columns: {fee: amount + 1.00}}
    """

  @Test("A quirk takes another version of the layout, with its header, places and columns")
  func otherVersion() throws {
    let zip = try ZipContents.read(
      sampler(Self.sample + Self.version).zip("later", formats: [.csv, .txt]))
    let records = zip.lines("RATE2025.csv").dropFirst().map { $0.split(separator: ",").map(String.init) }
    #expect(records.first == ["CODE", "NEW RATE", "FEE"])
    let lines = zip.lines("RATE2025.txt")
    #expect(lines.count == records.count - 1 && lines.count > 1)
    for (record, line) in Swift.zip(records.dropFirst(), lines) {
      #expect(units(record[2], scale: 2) == units(record[1], scale: 2) + 100)
      #expect(
        line.split(separator: " ") == [record[0][...], record[1][...], record[2][...]]
          && line.utf8.count == 16)
    }
  }

  @Test("A text of a row may hold a text of the release")
  func releaseText() throws {
    let sample = Self.sample.replacing(
      "columns: {code: service.code,",
      with: "columns: {more: {text: '{year} {place.name}{year}'}, code: service.code,")
    let rows = try ZipContents.read(sampler(sample).zip()).lines("RATE2025.csv").dropFirst(3)
    #expect(Set(rows.map { $0.split(separator: ",")[2] }) == ["2025 north2025", "2025 south2025"])
  }

  @Test("A number that a txt has no room for is refused, not cut")
  func wideNumber() throws {
    let sampler = try sampler(
      Self.sample + Self.version.replacing("1.00}", with: "100000.00}"))
    #expect(throws: SampleError.numberTooWide(column: "fee", width: 6)) {
      try sampler.zip("later", formats: [.txt])
    }
  }

  @Test(
    "A mistake in a version's columns is reported exactly",
    arguments: [
      ("layout: '2'", "layout: '3'", "32:33: unknown version '3'; did you mean '1'?"),
      ("{fee: amount + 1.00}", "{feee: amount}", "32:48: unknown column 'feee'; did you mean 'fee'?"),
      ("{fee: amount + 1.00}", "{rate: amount}", "32:33: the version's column 'fee' has no value"),
    ])
  func versionMistake(part: String, other: String, message: String) {
    let broken = (Self.sample + Self.version).replacing(part, with: other)
    let reported = mistakes(of: broken)
    #expect(reported.contains(message), "\(reported)")
  }

  @Test("A formula asks for a quirk of the definition only")
  func unknownQuirkInFormula() {
    let broken =
      Self.sample.replacing("between(2.00, 9.00)", with: "if(quirk('deer'), 1.00, 2.00)") + Self.quirks
    #expect(mistakes(of: broken).first == "17:13: unknown quirk 'deer'; did you mean 'dear'?")
  }
}
