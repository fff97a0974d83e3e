import Definitions
import Testing

/// Fixed-width files are told by what stands at the places of a layout.
@Suite("A version of a fixed-width layout")
struct PlaceMatchTests {
  private static let versions = """
      - version: 'long'
        txt:
          length: 12
          skip:
            - {rule: banner, starts_with: HDR}
            - {rule: heading, no_digit_in: code}
        columns:
          - {name: code, csv: CODE, at: 1-5, type: 'digits(5)', required: true}
          - {name: rate, csv: RATE, at: 8-12, implied: 2, type: 'decimal(4,2)'}
      - version: 'short'
        txt: {length: 8-9}
        columns:
          - {name: code, csv: CODE, at: 1-5, type: 'digits(5)', required: true}
          - {name: rate, csv: RATE, at: 6-9, type: 'decimal(8,2)'}
    """

  private func find(_ lines: String...) throws -> PlaceMatch {
    let fixture = try Fixture([
      "Pipelines/fees/layouts/rates.yaml": "layout: rates\nversions:\n" + Self.versions
    ])
    let layout = try #require(try fixture.load().layouts["rates"])
    return try PlaceMatch.find(in: lines.map { Array($0.utf8) }, layout: layout)
  }

  @Test("is told by its record length, and its data begin below banner and headings")
  func length() throws {
    let long = try find("HDR  Rates 2025", "", "Code   Rate", "00001   1931", "00002   2025")
    #expect(long.version == "long" && long.firstRow == 3)
    #expect(long.banner == "HDR Rates 2025\nCode Rate")
    let short = try find("000011.25", "000022.5")
    #expect(short.version == "short" && short.firstRow == 0 && short.banner.isEmpty)
  }

  @Test("still fits where fewer than half of the records are damaged, which are then refused one by one")
  func damaged() throws {
    #expect(try find("00001   19x1", "00002   2025", "00003   2025").version == "long")
  }

  @Test("is refused with the nearest record's fault")
  func refused() throws {
    let fault = #expect(throws: PlaceMismatch.self) { try find("00001     19.3x", "00002   19 1") }
    #expect(
      fault?.description
        == "the records are not those of the layout 'rates': version long comes nearest, but record 1 has 15"
        + " bytes where the layout has 12 at most")
    let short = #expect(throws: PlaceMismatch.self) { try find("00001") }
    #expect(
      short?.description
        == "the records are not those of the layout 'rates': version short comes nearest, but record 1 has 5"
        + " bytes where the layout has 8 at least")
    let empty = #expect(throws: PlaceMismatch.self) { try find("HDR", "\u{1A}") }
    #expect(empty?.description == "no record of the layout 'rates' was found")
  }
}
