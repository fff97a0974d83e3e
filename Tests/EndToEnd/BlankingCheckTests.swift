import TestSupport
import Testing

/// Checks whose findings cost a value and not its record.
@Suite("Checks that leave a column blank")
struct BlankingCheckTests {
  private static func dataset() throws -> OwnDataset {
    let own = try OwnDataset()
    try own.scratch.write(
      "Pipelines/items/pipeline.yaml",
      OwnDataset.pipeline + """

        checks:
          - {rule: no-two, severity: warn, source: items, blanks: words, table: own.item, row: words <> 'two',
             about: Two is no word.}
          - {rule: words-left, severity: warn, table: own.item, row: words IS NULL}
        """)
    try own.write("items25a", ["ITEM.csv": "a,3,one,1,,m\nb,3,two,2,,n\nc,3,two,3,,o"])
    return own
  }

  @Test("keep the record, tell of the rows, and are seen by what comes after them")
  func blank() throws {
    let own = try Self.dataset()
    let run = try own.run("items25a", options: ["--format", "json"]).succeeded(
      saying: "warning: no-two: 2 found, first in line 3, 4 of ")
    let gate = "gates/rule=no-two/"
    #expect(
      try run.at(gate + "severity", gate + "found", gate + "passed", gate + "accepted") == "warn 2 true false"
    )
    #expect(try run.at("gates/rule=words-left/found") == "1")
    #expect(try run.at("sources/0/records_loaded") == "3")
    #expect(
      try own.value("SELECT string_agg(concat_ws(' ', code, words), '|' ORDER BY code) FROM own.item")
        == "a one|b|c")
    #expect(try own.value("SELECT count(*) FROM own.price") == "3")
  }

  @Test("leave the value where it is accepted, and report it so")
  func accepted() throws {
    let own = try Self.dataset()
    let run = try own.run("items25a", options: ["--format", "json", "--accept", "no-two"]).succeeded(
      saying: "warning: no-two: 2 found, first in line 3, 4 of ", ", accepted. Two is no word.")
    let gate = "gates/rule=no-two/"
    #expect(
      try run.at(gate + "severity", gate + "found", gate + "passed", gate + "accepted") == "warn 2 false true"
    )
    #expect(try own.value("SELECT string_agg(words, '|' ORDER BY code) FROM own.item") == "one|two|two")
  }
}
