import TestSupport
import Testing

/// Codes of a file that a spreadsheet has been through.
@Suite("Zeros that a spreadsheet took")
struct LostZerosTests {
  private static func project() throws -> OwnProject {
    try OwnProject([
      "rivulet.yaml": "project: own\ntime_zone: UTC\n",
      "Pipelines/codes/pipeline.yaml": """
      pipeline: codes
      release:
        from: [{in: entry-name, source: codes, pattern: 'codes_(\\d{4}[A-D])', name: '$1'}]
        effective: [{pattern: '(\\d{4})A', from: '$1-01-01'}]
      sources:
        - {name: codes, entries: 'codes_*', formats: [csv], layouts: codes, target: own.code, key: [row]}
      rejects: {allow: 0}
      publish: release
      """,
      "Pipelines/codes/layouts/codes.yaml": OwnProject.layout(
        "codes", "name: row, from: record-number",
        "name: note, csv: NOTE, type: code, width: 4, pad: zeros",
        "name: reference, csv: REF, type: code, matches: ['[0-9A-Z]{2}', '[0-9A-Z]{5}'], odd: '[A-Z]+'",
        "name: kind, csv: KIND, type: code, width: [1, 3]",
        "name: taxonomy, csv: TAX, type: code, width: 10, odd: '.{1,12}'",
        "name: licence, csv: LIC, type: code, width: any",
        "name: mark, csv: MARK, type: unmarked, width: 2, pad: zeros",
        "name: status, csv: STATUS, type: code, width: 1, invalid: blank"),
      "Migrations/0001_own.sql": OwnProject.migration(
        "own",
        making: OwnProject.table(
          "own.code",
          "row integer, note text, reference text, kind text, taxonomy text, licence text, mark text, status text",
          key: "row")),
    ])
  }

  @Test("are restored where a column's width makes them certain, and counted by column")
  func widths() throws {
    let own = try Self.project()
    try own.command("migrate", "up").succeeded()
    let header = "NOTE,REF,KIND,TAX,LIC,MARK,STATUS\n"
    let records = [
      "12,26,A,207Q00000X,00120,1[7],A", "0012,99213,ABC,207Q00000X,120,01,", "x12y,CPT,,207Q00,7,A0,AB",
      ",,,,,,",
    ]
    try own.scratch.write("codes_2025A.csv", header + records.joined(separator: "\n") + "\n")
    let run = try own.load("codes", "codes_2025A.csv", options: ["--format", "json"])
      .succeeded(
        saying: "taxonomy: 1 values are odd, and were loaded as they are: 207Q00 (1)",
        "reference: 1 values are odd, and were loaded as they are: CPT (1)",
        "status: 1 values were left blank: the value is not 1 characters wide")
    #expect(
      try own.rows(
        "SELECT note, reference, kind, taxonomy, licence, mark, status FROM own.code ORDER BY row") == [
          "0012|26|A|207Q00000X|00120|01|A", "0012|99213|ABC|207Q00000X|120|01|-",
          "X12Y|CPT|-|207Q00|7|A0|-",
        ])
    let zeros = "sources/0/zeros_restored/"
    #expect(try run.at(zeros + "note", zeros + "mark") == "1 1")

    // 100 may be 00100 or nothing at all; a letter is no digit that a zero was in front of.
    let wrong = [
      ("12,100,,,,,", "reference: the value is none of the forms known"),
      ("a12,26,,,,,", "note: the value is not 4 characters wide"),
      ("12345,26,,,,,", "note: the value is not 4 characters wide"),
      ("12,26,AB,,,,", "kind: the value is not 1 or 3 characters wide"),
    ]
    for (record, saying) in wrong {
      try own.scratch.write("codes_2025A.csv", header + record + "\n")
      try own.load("codes", "codes_2025A.csv").failed(3, saying: saying)
    }
  }
}
