import Definitions
import Testing
import Values

/// Fixed-width files are recognised by what is at the places of a layout.
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

  @Test("is recognised by its record length, and its data begin below banner and headings")
  func length() throws {
    let long = try find("HDR  Rates 2025", "", "Code   Rate", "00001   1931", "00002   2025")
    #expect(long.version == "long" && long.firstRow == 3)
    #expect(long.banner == "HDR Rates 2025\nCode Rate")
    let short = try find("000011.25", "000022.5")
    #expect(short.version == "short" && short.firstRow == 0 && short.banner.isEmpty)
  }

  @Test("is recognised by characters, whatever bytes they have in the file's encoding")
  func characters() throws {
    let fixture = try Fixture([
      "Pipelines/fees/layouts/names.yaml": """
      layout: names
      versions:
        - version: 'only'
          txt: {length: 8}
          columns:
            - {name: name, csv: NAME, at: 1-3, type: text}
            - {name: rate, csv: RATE, at: 4-8, type: 'decimal(4,2)', required: true}

      """
    ])
    let layout = try #require(try fixture.load().layouts["names"])
    let text = "\u{E1}\u{E9}b 1.25"
    let latin = text.unicodeScalars.map { UInt8($0.value) }
    for (bytes, encoding) in [
      (Array(text.utf8), TextEncoding.utf8), (Array(text.utf8), .utf16LE), (latin, .latin1),
    ] {
      #expect(try PlaceMatch.find(in: [bytes], encoding: encoding, layout: layout).firstRow == 0)
    }
    // The same bytes as Latin-1 are ten characters.
    #expect(throws: PlaceMismatch.self) {
      try PlaceMatch.find(in: [Array(text.utf8)], encoding: .latin1, layout: layout)
    }
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
        + " characters where the layout has 12 at most")
    let short = #expect(throws: PlaceMismatch.self) { try find("00001") }
    #expect(
      short?.description
        == "the records are not those of the layout 'rates': version short comes nearest, but record 1 has 5"
        + " characters where the layout has 8 at least")
    let empty = #expect(throws: PlaceMismatch.self) { try find("HDR", "\u{1A}") }
    #expect(empty?.description == "no record of the layout 'rates' was found")
  }
}
