import Definitions
import Foundation
import TestSupport
import Testing

/// A project in a temporary folder, whole and right until a test breaks one of its files.
struct Fixture {
  private let scratch: Scratch

  /// The project's folder.
  var folder: String { scratch.path }

  static let pipeline = """
    pipeline: fees
    title: Fees
    release:
      from:
        - {in: archive-name, pattern: 'fees(\\d{2})([a-d])', name: '20$1$2'}
        - {in: banner, source: rates, pattern: '(\\d{4}) (May|June)', name: '$1$2', words: {May: A, June: B}}
      effective:
        - {pattern: '(\\d{4})A', from: '$1-01-01', to: '$1-06-30'}
        - {pattern: '(\\d{4})B', from: '$1-07-01'}
    sources:
      - name: rates
        entries: 'RATE*'
        formats: [csv]
        layouts: rates
        target: cms.rate
        key: [code]
        expect: {rows: {min: 1}}
    checks:
      - {rule: no-free-lunch, severity: skip, source: rates}
    rejects: {allow: 1%}
    publish: release
    """

  static let layout = """
    layout: rates
    versions:
      - version: '2020'
        columns:
          - {name: code, csv: CODE, type: code, required: true}
          - {name: rate, csv: [HOURLY, RATE], at: 6-9, type: 'decimal(8,2)', range: [0, 99.5], default: '0'}
          - {name: class, constant: all}
          - {name: row, from: record-number}
        skip:
          - {rule: footnote, when: single-field}
    """

  static let check = "SELECT source_line FROM {cms.rate} WHERE rate = 0;\n"

  static let query = """
    /* rivulet query
    description: What it costs
    parameters:
      code: {type: text, required: true, description: the code}
      on_day: {type: date}
    example: rivulet query price --code 1
    */
    SELECT rate FROM cms.rate
    WHERE code = {code} AND day = {on_day} AND code <> {code} -- not {this}
    """

  static let view = """
    /* rivulet view
    strategy: live
    description: All rates
    */

    SELECT code, '{' AS brace FROM cms.rate;
    """

  static let files = [
    "rivulet.yaml": "project: test\ntime_zone: America/New_York\n",
    "Pipelines/fees/pipeline.yaml": pipeline,
    "Pipelines/fees/layouts/rates.yaml": layout,
    "Pipelines/fees/checks/no-free-lunch.sql": check,
    "Pipelines/fees/queries/price.sql": query,
    "Pipelines/fees/views/cms.all_rates.sql": view,
  ]

  init(_ changed: [String: String] = [:]) throws {
    scratch = try Scratch()
    for (path, text) in Self.files.merging(changed, uniquingKeysWith: { _, changed in changed }) {
      try scratch.write(path, text)
    }
  }

  /// The pipeline `fees`, or everything that is wrong with it.
  func load() throws -> Pipeline { try Project.load(folder).pipeline(named: "fees") }

  /// The errors of the whole project as a user sees them.
  func errors() throws -> [String] {
    do throws(DefinitionErrors) {
      _ = try Project.load(folder).pipelines()
      return []
    } catch {
      return error.errors.map(\.description)
    }
  }
}

/// A text with one part replaced; the part must be there, or the fixture proves nothing.
func replacing(_ part: String, by other: String, in text: String) throws -> String {
  try #require(text.contains(part), "the fixture does not hold '\(part)'")
  return text.replacingOccurrences(of: part, with: other)
}
