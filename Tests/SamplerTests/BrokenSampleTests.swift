import Definitions
import Foundation
import TestSupport
import Testing

@testable import Sampler

@Suite("A mistake in sample.yaml is reported with its line, column and fix")
struct BrokenSampleTests {
  static let sample = """
    sample: fees
    rows: 5
    release:
      pattern: '(\\d{4})'
      default: 2025
      texts: {year: '$1', word: {of: '$1', words: {'2025': now}}}
    tables:
      - table: place
        fields: [name]
        items: [[north], [south]]
        columns: {index: 'between(0.900, 1.100)'}
      - table: service
        codes: [{kind: all, from: '00', to: '99', share: 1, least: 1}]
        columns:
          class: {choose: {A: 1, B: 2}}
          price: {by: class, choose: {A: {low: 1}, B: {high: 1}}}
          rate: if(class = 'A', 1.00, between(2.00, 9.00))
      - table: pair
        of: [service, place]
        where: service.class = 'B'
        columns: {amount: 'round(service.rate * place.index, 2)'}
    files:
      - source: rates
        entry: 'RATE{year}.csv'
        table: pair
        before: [['Rates of {year}']]
        columns: {code: service.code, rate: amount}
    """

  private static let files = [
    "rivulet.yaml": "project: test\ntime_zone: UTC\n",
    "Pipelines/fees/pipeline.yaml": """
    pipeline: fees
    release:
      from: [{in: archive-name, pattern: '(\\d{4})', name: '$1'}]
      effective: [{pattern: '(\\d{4})', from: '$1-01-01'}]
    sources:
      - {name: rates, entries: 'RATE*', formats: [csv, txt], layouts: rates, target: cms.rate, key: [code]}
    publish: release
    """,
    "Pipelines/fees/layouts/rates.yaml": """
    layout: rates
    versions:
      - version: '1'
        columns:
          - {name: code, csv: CODE, type: code, required: true}
          - {name: rate, csv: [HOURLY, RATE], type: 'decimal(8,2)'}
          - {name: more, csv: MORE, type: text, optional: true}
      - version: '2'
        txt: {length: 16}
        columns:
          - {name: code, csv: CODE, at: 1-5, type: code, required: true}
          - {name: rate, csv: NEW RATE, at: 6-10, type: 'decimal(8,2)', required: true}
          - {name: fee, csv: FEE, at: 11-16, type: 'decimal(8,2)', required: true}
    """,
  ]

  func sampler(_ sample: String) throws -> Sampler {
    let scratch = try Scratch()
    for (path, text) in Self.files { try scratch.write(path, text) }
    try scratch.write("Pipelines/fees/sample.yaml", sample)
    return try Sampler.load(Project.load(scratch.path).pipeline(named: "fees"))
  }

  /// What is wrong with a sample.yaml, each mistake with its line and column.
  func mistakes(of broken: String) -> [String] {
    let error = #expect(throws: DefinitionErrors.self) { try sampler(broken) }
    return (error?.errors ?? []).map {
      "\($0)".replacing("Pipelines/fees/sample.yaml:", with: "")
    }
  }

  @Test("The sample that the mistakes are put into is right")
  func right() throws {
    let sampler = try sampler(Self.sample)
    #expect(sampler.standardRows == 5 && sampler.standardRelease == "2025")
  }

  @Test(
    "Each mistake is reported exactly",
    arguments: [
      ("sample: fees", "sample: fee", "1:9: the sample is called 'fee', its pipeline 'fees'"),
      ("rows: 5", "rows: all", "2:7: 'rows' must be a whole number, found 'all'"),
      ("(\\d{4})", "(\\d{4}", "4:12: the pattern is not a regular expression"),
      (
        "default: 2025", "default: 25",
        "5:12: a sample of release '25' cannot be made; its name does not have the form (\\d{4})"
      ),
      ("[north]", "[north, 1]", "10:13: an item needs 1 texts, one for each of 'fields'"),
      ("1.100)", "1.100", "11:22: ')' is missing before the end"),
      ("to: '99'", "to: '9'", "13:31: '00' and '9' are not the ends of a range of codes"),
      (
        "share: 1,", "shard: 1,",
        "13:13: a range of codes needs the key 'share'|13:47: unknown key 'shard'; did you mean 'share'?"
      ),
      ("{A: 1, B: 2}", "{A: 1, B: 0}", "15:33: '0' is no weight; write a whole number from 1"),
      ("by: class", "by: clas", "16:19: unknown column 'clas'; did you mean 'class'?"),
      ("if(class = 'A'", "if(klass = 'A'", "17:13: unknown column 'klass'; did you mean 'class'?"),
      (
        "rows: 5", "rows: 5\nnotice: {entry: README.txt, text: Made up.}",
        "3:17: by the name 'README.txt' the pipeline does not know a sample; "
          + "let its key 'synthetic' match it"
      ),
      (
        "of: [service, place]", "of: [service, plaice]",
        "19:19: unknown table 'plaice'; did you mean 'place'?"
      ),
      (
        "of: [service, place]", "of: [place, service]",
        "19:5: 'of' names a table, or two of which the second is not a table of codes"
      ),
      ("service.class = 'B'", "service.class", "20:12: a condition is needed, not a text"),
      (
        "service.class = 'B'", "place.name = 'B'",
        "20:12: unknown column 'place.name'; known: 'service.class', 'service.code', 'service.item', 'service.kind',"
          + " 'service.nth', 'service.part', 'service.price', 'service.rate', 'service.row'"
      ),
      ("source: rates", "source: rate", "23:13: unknown source 'rate'; did you mean 'rates'?"),
      (
        "'RATE{year}.csv'", "'RAT{year}.csv'",
        "24:12: 'RAT2025.csv' is no entry of the source; it takes 'RATE*'"
      ),
      ("Rates of {year}", "Rates of {yeer}", "26:15: unknown text '{yeer}'; did you mean 'year'?"),
      (", rate: amount", "", "23:5: the layout's column 'rate' has no value"),
      (
        "rate: amount", "rat: amount",
        "23:5: the layout's column 'rate' has no value|27:35: unknown column 'rat'; did you mean 'rate'?"
      ),
      (
        "    table: pair\n", "    table: pair\n    continuation: {counts: [code]}\n",
        "26:5: the layout has no records that go on"
      ),
      (
        "    table: pair\n", "    table: pair\n    children: {cms.more: {x: [code]}}\n",
        "26:16: unknown child table 'cms.more'"
      ),
      (
        "    table: pair\n", "    table: pair\n    quirks: [none]\n",
        "26:14: unknown quirk 'none'"
      ),
      (
        "    table: pair\n", "    table: pair\n    above: [{source: rates, table: places}]\n",
        "26:36: unknown table 'places'; did you mean 'place'?"
      ),
    ])
  func mistake(part: String, other: String, message: String) throws {
    #expect(Self.sample.contains(part), "the fixture does not hold '\(part)'")
    let broken = Self.sample.replacing(part, with: other)
    let expected = message.split(separator: "|").map(String.init)
    // A table or a file that cannot be read takes others with it: the first of the mistakes is the one made.
    let reported = mistakes(of: broken)
    #expect(Array(reported.prefix(expected.count)) == expected, "\(reported)")
  }
}
