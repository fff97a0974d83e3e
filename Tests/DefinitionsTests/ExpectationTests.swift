import Definitions
import Testing

@Suite("What a source expects of its rows")
struct ExpectationTests {
  private func pipeline(_ expect: String) throws -> Pipeline {
    try Fixture([
      "Pipelines/fees/pipeline.yaml": try replacing("{rows: {min: 1}}", by: expect, in: Fixture.pipeline)
    ]).load()
  }

  @Test("is read with its limits and severities, and its rules have names that tell what they look at")
  func reading() throws {
    let pipeline = try pipeline(
      """
      {rows: {min: 1, max: 9, change: {by: 2.5%, severity: warn}}, drift: [{share_of: class, by: 5%},
            {sum_of: rate, change: 15%, severity: warn}]}
      """)
    let expect = pipeline.sources[0].expectation
    #expect(expect.leastRows == 1 && expect.mostRows == 9)
    #expect(expect.rowChange?.percent == 2.5 && expect.rowChange?.severity == .warn)
    #expect(expect.drifts.map(\.column) == ["class", "rate"])
    #expect(expect.drifts.map(\.limit.percent) == [5, 15])
    #expect(expect.drifts.map(\.limit.severity) == [.fail, .warn])
    #expect(
      pipeline.gateRules.map { "\($0.name) \($0.severity.rawValue)" } == [
        "unique-key-rates fail", "rows-rates fail", "row-change-rates warn", "share-of-class-rates fail",
        "sum-of-rate-rates warn", "no-free-lunch skip",
      ])
  }

  @Test("may be a change in short form, which fails")
  func shortForm() throws {
    let expect = try pipeline("{rows: {change: 10%}}").sources[0].expectation
    #expect(expect.rowChange?.percent == 10 && expect.rowChange?.severity == .fail)
    #expect(expect.leastRows == nil && expect.looksBack)
  }

  @Test("may say what is odd, what a sample needs, and what a revision must keep")
  func more() throws {
    let pipeline = try pipeline(
      "{rows: {min: 9, sample_min: 2, change: {warn: 2%, by: 10%}}, lost_keys: {by: 1%, never: rate > 0}}")
    let expect = pipeline.sources[0].expectation
    #expect(expect.leastRows(isSynthetic: true) == 2 && expect.leastRows(isSynthetic: false) == 9)
    #expect(expect.rowChange?.warnPercent == 2 && expect.rowChange?.percent == 10)
    #expect(expect.lostKeys?.limit.percent == 1 && expect.lostKeys?.never == "rate > 0")
    #expect(
      pipeline.gateRules.map { "\($0.name) \($0.severity.rawValue)" } == [
        "unique-key-rates fail", "rows-rates fail", "row-change-rates fail", "lost-keys-rates fail",
        "no-free-lunch skip",
      ])
    #expect(throws: DefinitionErrors.self) {
      try self.pipeline("{rows: {change: {warn: 10%, by: 10%}}}")
    }
  }

  @Test("may allow some rows whatever share of a short table they are")
  func orCount() throws {
    let expect = try pipeline("{rows: {change: {warn: 10%, by: 50% or 20}}, lost_keys: {by: 1% or 5}}")
      .sources[0].expectation
    let (change, lost) = (expect.rowChange, expect.lostKeys?.limit)
    #expect(change?.percent == 50 && change?.count == 20 && change?.description == "50% or 20")
    #expect(
      change?.isExceeded(by: 20, percent: 90) == false && change?.isExceeded(by: 21, percent: 51) == true)
    #expect(change?.isExceeded(by: 21, percent: 50) == false && lost?.isExceeded(by: 6, percent: 2) == true)
    #expect(throws: DefinitionErrors.self) { try pipeline("{drift: [{sum_of: rate, change: 5% or 3}]}") }
  }

  @Test("may report few rows, and refuse fewer")
  func few() throws {
    let expect = try pipeline("{rows: {min: {warn: 500, by: 9}, sample_min: 2}}").sources[0].expectation
    #expect(expect.fewRows == 500 && expect.leastRows == 9 && expect.leastSampleRows == 2)
    for wrong in ["{warn: 9, by: 9}", "{warn: 9}", "{by: 9}", "{warn: 9, by: 1, more: 1}"] {
      #expect(throws: DefinitionErrors.self, "\(wrong)") { try pipeline("{rows: {min: \(wrong)}}") }
    }
  }

  @Test("names the rules that nobody can accept")
  func acceptance() throws {
    let rules = try pipeline("{rows: {min: 1}}").gateRules
    #expect(
      rules.filter { $0.refusesAcceptance != nil }.map(\.name) == ["unique-key-rates", "no-free-lunch"])
  }

  @Test("is parted by the key columns that tell classes of rows apart")
  func classes() throws {
    let whole = try pipeline("{rows: {change: 10%}}")
    #expect(whole.classes(of: whole.sources[0]) == [:])
    let text = try replacing("key: [code]", by: "key: [class, code]", in: Fixture.pipeline)
    let rule = try Fixture([
      "Pipelines/fees/pipeline.yaml": text + "\ndiff: {stands_for_all: {class: each}}"
    ]).load()
    #expect(rule.classes(of: rule.sources[0]) == ["class": "each"])
    let parted = try Fixture([
      "Pipelines/fees/pipeline.yaml": try replacing(
        "    formats: [csv]", by: "    parts: [{entries: 'RATE1*', set: {class: one}}]\n    formats: [csv]",
        in: text)
    ]).load()
    // What the layout says is what a file has that is not in parts.
    #expect(parted.classes(of: parted.sources[0]) == ["class": "all"])
  }
}
