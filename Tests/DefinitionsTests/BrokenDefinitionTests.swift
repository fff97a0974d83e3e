import Definitions
import Foundation
import Testing

/// One mistake in one file, and what is said of it.
struct Mistake: Sendable, CustomTestStringConvertible {
  var file: String
  var part: String
  var other: String
  var errors: [String]

  init(_ file: String, _ part: String, _ other: String, _ errors: [String]) {
    (self.file, self.part, self.other) = (file, part, other)
    self.errors = errors.map { "Pipelines/fees/\(file):" + $0 }
  }

  init(_ file: String, _ part: String, _ other: String, _ error: String) {
    self.init(file, part, other, [error])
  }

  var testDescription: String { "\(file): \(other)" }
}

@Suite("A mistake in a definition is reported with its file, line, column and fix")
struct BrokenDefinitionTests {
  private static func inPipeline(_ part: String, _ other: String, _ errors: String...) -> Mistake {
    Mistake("pipeline.yaml", part, other, errors)
  }

  private static func inLayout(_ part: String, _ other: String, _ errors: String...) -> Mistake {
    Mistake("layouts/rates.yaml", part, other, errors)
  }

  private static func inQuery(_ part: String, _ other: String, _ errors: String...) -> Mistake {
    Mistake("queries/price.sql", part, other, errors)
  }

  /// Paths, and what repeats any number of times.
  static let trees = [
    inPipeline(
      "formats: [csv]", "formats: [ndjson]",
      "13:15: no version of the layout 'rates' is for ndjson; give its columns the key 'json', or leave the format out"
    ),
    inPipeline("formats: [csv]", "formats: [jsn]", "13:15: unknown format 'jsn'; did you mean 'json'?"),
    inLayout(
      "csv: CODE,", "csv: CODE, json: 'a..b',",
      "5:39: the path 'a..b' has no name after 'a.'; write names, such as name.family,"
        + " identifier[system=urn:x].value or line[0]"),
    inLayout(
      "csv: CODE,", "csv: CODE, json: 'a[b]',",
      "5:39: the path 'a[b]' has '[b]', which is neither a number from 0 nor name=value; write names, such as"
        + " name.family, identifier[system=urn:x].value or line[0]"),
    inLayout(
      "csv: CODE,", "csv: CODE, join: ' ',",
      "5:33: texts are joined where a path leads to several: the column needs the key 'json'"),
    inLayout(
      "    skip:", "    records: 'a[0]'\n    skip:",
      "9:14: the way to the records is names alone, such as entry.resource"),
    inLayout(
      "    skip:",
      "    children:\n      - {target: a.b, each: x, repeat: 2, columns: [{name: c, json: d, type: text}]}\n    skip:",
      "10:23: what repeats does so a fixed number of times or any number, not both; leave out 'repeat' or 'each'"
    ),
    inLayout(
      "    skip:",
      "    children:\n      - {target: a.b, each: x, columns: [{name: c, csv: d, type: text}]}\n    skip:",
      "10:49: 'c' needs the key 'json', as its rows are found by a path"),
    inLayout(
      "    skip:", "    unknown: tell\n    skip:",
      "9:5: 'unknown' is about properties of JSON, and the columns have no key 'json'"),
    inLayout(
      "    skip:", "    unknown: said\n    skip:",
      "9:14: unknown treatment of unknown properties 'said'; known: 'tell', 'ignore'"),
    inLayout(
      "csv: CODE,", "csv: CODE, width: wide,",
      "5:33: a width is a number of characters, or several; write 5, or [2, 5], or any where nobody has fixed one"
    ),
    inLayout(
      "csv: CODE,", "csv: CODE, pad: zeros,",
      "5:38: 'pad' needs a width to fill up to; write width: 5 beside it, or the type digits(5)"),
    inLayout(
      "csv: CODE,", "csv: CODE, width: [2, 5], pad: zeros,",
      "5:53: zeros are filled up to one width; leave 'pad' out, or name one width"),
    inPipeline(
      "rejects:", "documents: ['a/b']\nrejects:",
      "20:13: 'a/b' is no pattern of entry names; only the last part of a path is compared: write it without '/'"
    ),
    inPipeline(
      "rejects:", "index: {entries: 'i*', names: {rate: urls}}\nrejects:",
      "20:38: unknown source 'rate'; did you mean 'rates'?"),
    inLayout(
      "when: single-field", "column: cod, none_of: [x]",
      "10:34: 'cod' is no column with a field; did you mean 'code'?"),
  ]

  /// What means nothing.
  static let placeholders = [
    inLayout(
      "csv: CODE,", "csv: CODE, blank_when: {one_of: [x], without: cod},",
      "5:16: 'cod', on which 'code' hangs, is no other column of the table with a field; did you mean 'code'?"
    ),
    inLayout(
      "csv: CODE,", "csv: CODE, blank_when: {one_of: [x]},", "5:45: 'blank_when' needs the key 'without'"),
    inLayout(
      "csv: CODE,", "csv: CODE, blank_when: {column: cod, one_of: [x]},",
      "5:16: 'cod', on which 'code' hangs, is no other column of the table with a field; did you mean 'code'?"
    ),
    inLayout(
      "csv: CODE,", "csv: CODE, blank_when: {column: rate},", "5:45: 'blank_when' needs the key 'one_of'"),
    inLayout(
      "csv: CODE,", "csv: CODE, blank_when: {column: rate, one_of: [x], without: rate},",
      "5:54: where 'rate' has one of the values nothing counts: 'without' says nothing more"),
    inLayout(
      "    skip:", "    placeholders: usual\n    skip:",
      "9:19: unknown set of placeholders 'usual'; known: 'common'"),
  ]

  /// What is about rows that are merged, and rows with a key of their own.
  static let merging = [
    inPipeline(
      "key: [code]", "key: [code]\n    orphans: reject",
      "17:5: 'orphans' is about foreign keys of tables that are merged into, and a release has none"),
    inLayout(
      "    skip:",
      "    children:\n      - {target: a.b, each: x, key: [c], columns: [{name: c, json: d, type: text}]}\n    skip:",
      "10:32: rows with a key of their own need 'each', 'key' and 'parent'; 'parent' names the columns that say whose"
        + " they are, such as {visit_id: id}"),
    inLayout(
      "    skip:",
      "    children:\n      - {target: a.b, each: x, key: [e], parent: {p: cod}, columns: [{name: c, json: d,"
        + " type: text}]}\n    skip:",
      "9:5: 'parent' of a.b names 'cod', which is no column of the record; did you mean 'code'?",
      "10:38: the key column 'e' is no column of the child table; did you mean 'c'?"),
    inLayout(
      "type: code,", "type: code, internal: true, checked: true,",
      "5:61: what is only looked at by checks is staged, and what is internal is not; leave 'internal' out"),
    inLayout(
      "type: code,", "type: json(list),",
      "5:39: unknown type 'json(list)'; the forms are digits(5), decimal(8,2), date(MM/DD/YYYY), "
        + "json(array,-name), name(last), title(suffix), flag(NA)"),
  ]

  static let pipeline = [
    inPipeline(
      "    formats: [csv]", "    formatz: [csv]", "11:5: a source needs the key 'formats'",
      "13:5: unknown key 'formatz'; did you mean 'formats'?"),
    inPipeline("formats: [csv]", "formats: []", "13:5: 'formats' is empty"),
    inPipeline("key: [code]", "key: []", "16:5: 'key' is empty"),
    inPipeline("formats: [csv]", "formats: [cvs]", "13:15: unknown format 'cvs'; did you mean 'csv'?"),
    inPipeline(
      "layouts: rates", "layouts: rate", "14:14: there is no layouts/rate.yaml; did you mean 'rates'?"),
    inPipeline(
      "key: [code]", "key: [cod]",
      "16:11: the key column 'cod' is not in version 2020 of the layout 'rates'; did you mean 'code'?"),
    inPipeline("key: [code]", "key: [code, code]", "16:17: the key column 'code' is already on line 16"),
    inPipeline(
      "entries: 'RATE*'", "entries: 'a/RATE*'",
      "12:14: 'a/RATE*' is no pattern of entry names; only the last part of a path is compared: write it"
        + " without '/'"),
    inPipeline(
      "target: cms.rate", "target: rate",
      "15:13: 'rate' cannot be a table; write schema.name in lower-case letters, digits and underscores"),
    inPipeline("min: 1}", "min: few}", "17:26: 'min' must be a whole number, found 'few'"),
    inPipeline(
      "rule: no-free-lunch", "rule: no-free-launch",
      "19:12: there is no checks/no-free-launch.sql; did you mean 'no-free-lunch'?"),
    inPipeline(
      "severity: skip, source: rates", "severity: skip",
      "19:5: a check that skips rows needs the key 'source'"),
    inPipeline(
      "severity: skip", "severity: error",
      "19:37: unknown severity 'error'; known: 'fail', 'warn', 'skip', 'reject'"),
    inPipeline(
      "severity: skip, source: rates", "severity: skip, source: rates, allow: 3",
      "19:58: a check that skips rows refuses nothing, so that 'allow' has no meaning; leave it out, or "
        + "make the severity 'fail'"),
    inPipeline(
      "skip, source: rates", "skip, source: rate", "19:51: unknown source 'rate'; did you mean 'rates'?"),
    inPipeline(
      "allow: 1%", "allow: many",
      "20:18: 'many' is no limit; write a number, a share such as 1%, or both: 1% or 5"),
    inPipeline(
      "publish: release", "publish: append",
      "21:10: unknown way to publish 'append'; known: 'release', 'merge'"),
    inPipeline(
      "publish: release", "publish: merge", "3:1: what is merged into plain tables has no 'release'"),
    inPipeline(
      "publish: release",
      "publish: release\nperiods: {in: entry-name, pattern: 'x', from: '2025-13-01', to: '$1'}",
      "22:47: '2025-13-01' is no day of the calendar; write YYYY-MM-DD",
      "22:65: '$1' names a group that the pattern does not have; it has 0 groups"),
    inPipeline("publish: release", "publish:", "21:1: the key 'publish' has no value"),
    inPipeline("publish: release", "", "1:1: a pipeline needs the key 'publish'"),
    inPipeline("pipeline: fees", "pipeline: fee", "1:11: the pipeline is called 'fee', its folder 'fees'"),
    inPipeline("([a-d])", "([a-d]", "5:35: the pattern is not a regular expression: expected ')'"),
    inPipeline(
      "'20$1$2'", "'20$1$3'", "5:63: '$3' names a group that the pattern does not have; it has 2 groups"),
    inPipeline(
      "in: banner, source: rates", "in: banner", "6:7: an entry of release.from needs the key 'source'"),
    inPipeline("in: banner", "in: baner", "6:12: unknown place 'baner'; did you mean 'banner'?"),
    inPipeline("'$1-07-01'", "2025-02-29", "9:35: '2025-02-29' is no day of the calendar; write YYYY-MM-DD"),
    inPipeline(
      "'$1-07-01'", "'$2-07-01'", "9:35: '$2' names a group that the pattern does not have; it has 1 group"),
    inPipeline("title: Fees", "title: [Fees]", "2:8: 'title' must be a text, found a list"),
    inPipeline(
      "title: Fees", "title: Fees\ntitle: Fees", "3:1: the key 'title' is repeated; it is already on line 2"),
    inPipeline("title: Fees", "title: &fees Fees", "2:8: anchors (&name) are not allowed; write it out"),
    inPipeline(
      "title: Fees", "title: *fees", "2:8: aliases (*name) are not allowed; write it out, or quote it"),
    inPipeline("title: Fees", "title: !!str 5", "2:8: tags (!name) are not allowed; quote what is a text"),
    inPipeline("title: Fees", "title: a: b", "2:9: not YAML: mapping values are not allowed in this context"),
    inPipeline(
      "publish: release", "publish: release\n---\nmore: 1",
      "22:1: a second document begins here; a file holds one"),
  ]

  private static let version = "  - version: '2020'"

  static let diff = [
    inPipeline(
      "publish: release", "publish: release\ndiff: {queries: [prise]}",
      "22:18: there is no queries/prise.sql; did you mean 'price'?"),
    inPipeline(
      "publish: release", "publish: release\ndiff: {queries: [price]}",
      "22:18: the query 'price' does not compare two releases; it must take the parameters from and to, of type"
        + " text, and need no other"),
    inPipeline(
      "publish: release", "publish: release\ndiff: {stands_for_all: {coda: all}}",
      "22:25: 'coda' is no key column of a source; did you mean 'code'?"),
    inPipeline(
      "publish: release", "publish: release\ndiff: {querys: price}",
      "22:8: unknown key 'querys'; did you mean 'queries'?"),
  ]

  static let expect = [
    inPipeline("{min: 1}", "{min: 1, max: 0}", "17:29: 'max' is less than 'min'"),
    inPipeline("{min: 1}", "{mim: 1}", "17:21: unknown key 'mim'; did you mean 'min'?"),
    inPipeline("{min: 1}", "{change: 10}", "17:29: '10' is no share; write a share such as 10%"),
    inPipeline(
      "{min: 1}", "{change: {by: 10%, severity: skip}}",
      "17:49: unknown severity 'skip'; known: 'fail', 'warn'"),
    inPipeline("{min: 1}", "{change: {severity: warn}}", "17:29: change needs the key 'by'"),
    drift(
      "share_of: clas, by: 5%", "17:33: 'clas' is no column of the layout 'rates'; did you mean 'class'?"),
    drift("sum_of: code, change: 5%", "17:31: a sum is of numbers; the type of 'code' is code"),
    drift(
      "share_of: class, change: 5%", "17:22: a drift needs the key 'by'",
      "17:40: 'change' is for sums; write by"),
    drift("share_of: class, by: some", "17:44: 'some' is no share; write a share such as 10%"),
    drift("share_of: class", "17:22: a drift needs the key 'by'"),
    drift("by: 5%", "17:22: a drift needs one of the keys 'share_of' and 'sum_of'"),
    drift(
      "share_of: class, sum_of: rate, by: 5%",
      "17:22: a drift needs one of the keys 'share_of' and 'sum_of'"),
    drift(
      "sum_of: rate, change: 5%}, {sum_of: rate, change: 6%",
      "17:59: the drift 'sum_of: rate' is already on line 17"),
    inPipeline(
      "skip, source: rates", "skip, source: rates, blanks: class",
      "19:58: a check that leaves a column blank has the severity 'warn', and the key 'source'"),
    inPipeline(
      "skip, source: rates", "warn, source: rates, blanks: code",
      "19:66: 'code' is no column of rates that may be blank; there are: 'rate', 'class', 'row'"),
    inPipeline("skip, source: rates", "reject", "19:5: a check that rejects rows needs the key 'source'"),
  ]

  /// A wrong item of `drift`.
  private static func drift(_ item: String, _ errors: String...) -> Mistake {
    Mistake("pipeline.yaml", "{rows: {min: 1}}", "{drift: [{\(item)}]}", errors)
  }

  static let conditions = [
    condition("row: rate > 0", without: "table: cms.rate, ", "19:5: a check needs the key 'table'"),
    condition(
      "row: rate > 0", without: "cms.", "19:41: unknown table 'rate'; the sources load: 'cms.rate'"),
    condition(
      "row: rate > 0)",
      "19:56: 'rate > 0)' is not one condition; its parentheses must be in pairs, without ';'"),
    condition(
      "row: rate > 0; DROP TABLE x",
      "19:56: 'rate > 0; DROP TABLE x' is not one condition; its"
        + " parentheses must be in pairs, without ';'"),
    condition("row: \"rate > '0\"", "19:56: a quote or comment does not end in 'rate > '0'"),
    condition(
      "row: 'rate > (SELECT 1 FROM {cms.rate})'",
      "19:56: a condition looks at one row, and reads no table: 'rate > (SELECT 1 FROM {cms.rate})'; use"
        + " 'references', or write a query in checks/"),
    condition(
      "row: rate > 0, references: cms.rate (code)", "19:66: a check has either 'row' or 'references'"),
    condition("row: rate > 0, columns: code", "19:66: 'columns' belongs to 'references'"),
    condition("where: rate > 0", "19:34: 'table' belongs to a check with 'row' or 'references'"),
    condition(
      "references: cms.rate",
      "19:63: 'references' must be a table and its columns, found 'cms.rate'; write them as cms.gpci (mac,"
        + " locality)"),
    condition(
      "columns: [code], references: 'cms.rate (code, rate)'", "19:51: 1 columns cannot refer to 2"),
    condition(
      "references: cms.rate ()",
      "19:63: '' cannot be a column; write lower-case letters, digits and underscores, 63 at most"),
    condition(
      "references: cms.ratio (code)", "19:63: unknown table 'cms.ratio'; did you mean 'cms.rate'?"),
    condition(
      "references: cms.rate (code) where rate > (0",
      "19:63: 'rate > (0' is not one condition; its parentheses must be in pairs, without ';'"),
    inPipeline(
      "source: rates}", "source: rates, about: what it costs}",
      "19:65: 'about' belongs to 'row' or 'references'; say it in the comment at the head of the query"),
    inPipeline(
      "source: rates}", "source: rates, table: cms.rate, row: rate > 0}",
      "19:5: the check 'no-free-lunch' has checks/no-free-lunch.sql, and a condition here; leave out one of the"
        + " two"),
  ]

  /// A wrong check without a query of its own.
  private static func condition(_ keys: String, without part: String = "", _ errors: String...) -> Mistake {
    let check = "{rule: fair, severity: warn, table: cms.rate, \(keys)}"
    return Mistake(
      "pipeline.yaml", "{rule: no-free-lunch, severity: skip, source: rates}",
      part.isEmpty ? check : check.replacing(part, with: "", maxReplacements: 1), errors)
  }

  @Test("A sensitive column is not compared by its values")
  func sensitiveDrift() throws {
    let path = "Pipelines/fees/pipeline.yaml"
    let layout = "Pipelines/fees/layouts/rates.yaml"
    let expect = try replacing(
      "{rows: {min: 1}}", by: "{drift: [{share_of: code, by: 5%}]}", in: Fixture.pipeline)
    let errors = try Fixture([
      path: expect,
      layout: try replacing("type: code,", by: "type: code, sensitive: true,", in: Fixture.layout),
    ]).errors()
    #expect(
      errors == [
        "\(path):17:33: 'code' is sensitive, and its values must not be shown; compare another column, or write a"
          + " check that counts"
      ])
    #expect(try Fixture([path: expect]).errors().isEmpty)
  }

  @Test("A check cannot have the name of one of the program's own rules")
  func ownRule() throws {
    let pipeline = try replacing("rule: no-free-lunch", by: "rule: rows-rates", in: Fixture.pipeline)
    let errors = try Fixture([
      "Pipelines/fees/pipeline.yaml": pipeline,
      "Pipelines/fees/checks/rows-rates.sql": Fixture.check,
    ]).errors()
    #expect(
      errors == [
        "Pipelines/fees/pipeline.yaml:19:12: 'rows-rates' is the name of a rule of the program's own; give the"
          + " check and its file another name"
      ])
  }

  static let fixedWidth = [
    inPipeline(
      "formats: [csv]", "formats: [csv, txt]",
      "13:20: no version of the layout 'rates' is for txt; give one the key 'txt' and its columns the key"
        + " 'at', or leave the format out"),
    inLayout(
      version, version + "\n    txt: {length: 9}",
      "6:16: 'code' needs the key 'at', as the version is for txt; write its first and last character, such as"
        + " 60-65"),
    inLayout(
      "constant: all", "at: 1-2, aliases: [CLASS], type: text, optional: true",
      "7:32: aliases are for a header: the column needs the key 'csv'"),
    inLayout(
      version, version + "\n    releases: 2010A",
      "4:15: '2010A' is no range of releases; write the first and the last release, such as 2010A-2011D, or"
        + " leave one out: 2014A-"),
    inLayout(
      "csv: CODE", "csv: CODE, implied: 2",
      "5:33: implied decimals are those of a txt: the column needs the key 'at'",
      "5:33: implied decimals are for decimals; the column's type is code"),
    inLayout("at: 6-9", "at: 6-9, implied: 3", "6:52: 3 implied decimals are more than decimal(8,2) has"),
    inLayout(
      "    columns:\n      - {name: code, csv: CODE",
      "    txt: {length: 8-x}\n    columns:\n      - {name: code, at: 1-5, csv: CODE",
      "4:19: '8-x' is no record length; write the number of characters, or the least and the most, such as"
        + " 150-154"),
    inLayout(
      "    columns:\n      - {name: code, csv: CODE",
      "    txt: {length: 8}\n    columns:\n      - {name: code, at: 1-5, csv: CODE",
      "7:16: 'rate' ends at character 9, a txt record at 8"),
    inLayout(
      "    columns:\n      - {name: code, csv: CODE",
      "    txt: {length: 9, skip: [{rule: top, no_digit_in: cod}]}\n    columns:\n"
        + "      - {name: code, at: 1-5, csv: CODE",
      "4:54: 'cod' is no column with a field; did you mean 'code'?"),
    inLayout(
      "    columns:\n      - {name: code, csv: CODE",
      "    txt: {length: 9, skip: [{rule: top}]}\n    columns:\n      - {name: code, at: 1-5, csv: CODE",
      "4:29: a skip rule needs one of the keys 'when', 'starts_with', 'no_digit_in', 'column'"),
  ]

  static let layout = [
    inLayout("[HOURLY, RATE]", "[]", "6:22: 'csv' is empty"),
    inLayout("layout: rates", "layout: rats", "1:9: the layout is called 'rats', its file 'rates.yaml'"),
    inLayout("type: code", "type: cod", "5:39: unknown type 'cod'; did you mean 'code'?"),
    inLayout(
      "'decimal(8,2)'", "'decimal(8)'",
      "6:58: unknown type 'decimal(8)'; the forms are digits(5), decimal(8,2), date(MM/DD/YYYY), "
        + "json(array,-name), name(last), title(suffix), flag(NA)"),
    inLayout("type: code, ", "", "5:9: a column needs the key 'type'"),
    inLayout("[0, 99.5]", "[99.5, 0]", "6:74: the range ends before it begins"),
    inLayout("[0, 99.5]", "[0]", "6:74: a range is two numbers, the lowest and the highest"),
    inLayout(
      "type: code, ", "type: code, range: [0, 1], ",
      "5:45: a range is for numbers; the column's type is code"),
    inLayout(
      "at: 6-9", "at: 9-6",
      "6:47: '9-6' is no place in a record; write the first and the last byte, from 1, such as 60-65"),
    inLayout("required: true", "required: yes", "5:55: 'required' must be true or false, found 'yes'"),
    inLayout(
      "required: true", "required: true, optional: true",
      "5:61: a column cannot be both required and optional; a blank value of a required column rejects the"
        + " record"),
    inLayout("name: class", "name: rate", "7:16: the column 'rate' is already on line 6"),
    inLayout(
      "name: rate", "name: Rate",
      "6:16: 'Rate' cannot be a column's name; write lower-case letters, digits and underscores, 63 at most"),
    inLayout(
      "constant: all", "constant: all, csv: CLASS",
      "7:9: a column's value comes from one place, not from 'csv' and 'constant'"),
    inLayout(
      ", constant: all", "", "7:9: a column needs one of the keys 'csv', 'at', 'json', 'constant' and 'from'"),
    inLayout(
      "record-number", "line-number", "8:27: unknown value 'line-number'; write record-number, or path"),
    inLayout("[HOURLY, RATE]", "[code]", "6:16: the header 'CODE' of 'rate' is already that of 'code'"),
    inLayout(
      "single-field", "one-field", "10:32: unknown condition 'one-field'; did you mean 'single-field'?"),
    inLayout("default: '0'", "fill: up", "6:98: unknown way to fill 'up'; write down"),
  ]

  static let sql = [
    Mistake(
      "checks/no-free-lunch.sql", "{cms.rate}", "{cms.rates}",
      "1:25: unknown table '{cms.rates}'; did you mean 'cms.rate'?"),
    Mistake(
      "checks/no-free-lunch.sql", "{cms.rate}", "{cms.rate",
      "1:25: '{' begins no placeholder such as {name}; in SQL braces are in quotes only"),
    Mistake(
      "checks/no-free-lunch.sql", "= 0;", "= 0; DROP TABLE x",
      "1:50: a second statement follows the ';'; the file holds one SELECT"),
    inQuery(
      "{on_day}", "{onday}", "5:3: the parameter 'on_day' is not used; write {on_day}",
      "9:31: unknown parameter '{onday}'; did you mean 'on_day'?"),
    inQuery(
      "{on_day}", "{if on_day}{on_day}", "9:31: the section that begins here does not end; write {end}"),
    inQuery(
      "{on_day}", "{when on_day}{on_day}{end}", "9:31: a section begins with {if name} or {if not name}"),
    inQuery(
      "{on_day}", "{on_day}{if onday}{end}",
      "9:39: unknown parameter '{onday}'; did you mean 'on_day'?"),
    inQuery(
      "{on_day}", "{on_day} OR {current} = 'a'",
      "9:43: unknown parameter '{current}'; the header has: 'code', 'on_day'"),
    inQuery(
      "example: rivulet query price --code 1\n*/\nSELECT rate",
      "current: {of: fees}\n*/\nSELECT rate{if current}, 1{end}",
      "8:12: 'current' is not a parameter, and sections ask for parameters alone; compare {current} with NULL"
    ),
    inQuery(
      "{type: date}", "{type: date}\n  current: {type: text}\ncurrent: {of: fees}",
      "6:3: 'current' is the release that 'current' names; give the parameter another name",
      "6:3: the parameter 'current' is not used; write {current}"),
    inQuery(
      "code = {code}", "name = 'é' AND code = {kode}",
      "9:29: unknown parameter '{kode}'; did you mean 'code'?"),
    inQuery(
      "type: date", "type: day",
      "5:18: unknown type of a parameter 'day'; known: 'text', 'date', 'integer', 'numeric', 'boolean'"),
    inQuery(
      "example:", "exactly_one: [code, on_dey]\nexample:",
      "6:15: 'code' is required: there is nothing to choose",
      "6:21: unknown parameter 'on_dey'; did you mean 'on_day'?"),
    inQuery(
      "{type: date}", "{type: date, needs: on_day}",
      "5:31: unknown parameter 'on_day'; the header has: 'code'"),
    inQuery("required: true", "requird: true", "4:22: unknown key 'requird'; did you mean 'required'?"),
    inQuery("description: What it costs\n", "", "2:1: a query needs the key 'description'"),
    inQuery(
      "/* rivulet query", "/* rivulet quest", "1:1: the file must begin with the line '/* rivulet query'"),
    inQuery("*/", "", "1:1: the comment that begins here does not end"),
    inQuery("SELECT rate", "DELETE", "8:1: a SELECT must follow the comment, found 'delete'"),
    inQuery(
      "description: What it costs", "description: 'What it costs",
      "7:1: not YAML: found unexpected end of stream while scanning a quoted scalar; it begins on line 2"),
    Mistake(
      "views/cms.all_rates.sql", "strategy: live", "strategy: alive",
      "2:11: unknown strategy 'alive'; did you mean 'live'?"),
    Mistake("views/cms.all_rates.sql", "'{'", "'{", "6:14: the quote that begins here does not end"),
    Mistake("views/cms.all_rates.sql", "code,", "{keys},", "6:8: unknown placeholder '{keys}'"),
  ]

  @Test(
    "Each mistake is reported exactly",
    arguments: pipeline + trees + placeholders + merging + diff + expect + conditions + layout + fixedWidth
      + sql)
  func mistake(_ mistake: Mistake) throws {
    let path = "Pipelines/fees/\(mistake.file)"
    let whole = try #require(Fixture.files[path])
    let broken = try replacing(mistake.part, by: mistake.other, in: whole)
    let errors = try Fixture([path: broken]).errors()
    #expect(errors == mistake.errors)
  }

  @Test("A layout that no header fits cannot be that of a csv")
  func noHeader() throws {
    let fixture = try Fixture([
      "Pipelines/fees/layouts/rates.yaml": Fixture.layout.replacing([("csv: CODE", "at: 1-5")])
    ])
    #expect(
      try fixture.errors() == [
        "Pipelines/fees/pipeline.yaml:13:15: no version of the layout 'rates' is for csv; give its columns the"
          + " key 'csv', or leave the format out"
      ])
  }

  @Test("All mistakes of all files come at once, in the order of files and lines")
  func severalMistakes() throws {
    let fixture = try Fixture([
      "Pipelines/fees/pipeline.yaml": Fixture.pipeline.replacing([("csv", "cvs"), ("cms.rate", "rate")]),
      "Pipelines/fees/layouts/rates.yaml": Fixture.layout.replacing([("type: code", "type: cod")]),
    ])
    #expect(
      try fixture.errors() == [
        "Pipelines/fees/layouts/rates.yaml:5:39: unknown type 'cod'; did you mean 'code'?",
        "Pipelines/fees/pipeline.yaml:13:15: unknown format 'cvs'; did you mean 'csv'?",
        "Pipelines/fees/pipeline.yaml:15:13: 'rate' cannot be a table; write schema.name in lower-case"
          + " letters, digits and underscores",
      ])
  }

  @Test("A definition nested without end is refused before it is read to its end")
  func depth() throws {
    let deep = "title: " + String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
    let errors = try Fixture([
      "Pipelines/fees/pipeline.yaml": try replacing("title: Fees", by: deep, in: Fixture.pipeline)
    ]).errors()
    #expect(errors == ["Pipelines/fees/pipeline.yaml:2:39: more than 32 levels deep"])
  }

  @Test("An unknown pipeline is reported with the nearest one")
  func unknownPipeline() throws {
    let fixture = try Fixture()
    let project = try Project.load(fixture.folder)
    let error = #expect(throws: DefinitionErrors.self) { try project.pipeline(named: "fee") }
    #expect(error?.description == "Pipelines: there is no pipeline 'fee'; did you mean 'fees'?")
  }

  private static let projectHead = "project: test\ntime_zone: UTC"

  @Test(
    "A project's file is read as strictly",
    arguments: [
      ("project: test", "rivulet.yaml:1:1: the project needs the key 'time_zone'"),
      (
        "project: test\ntime_zone: EST",
        "rivulet.yaml:2:12: 'EST' is no time zone; write a name such as America/New_York or UTC; an"
          + " abbreviation hides summer time"
      ),
      ("", "rivulet.yaml:1:1: the definition is empty"),
      (
        "\(projectHead)\nwatch: {pipeline: fees}", "rivulet.yaml:3:8: 'watch' must be a list, found a mapping"
      ),
      (
        "\(projectHead)\nwatch:\n  - {pipeline: fee, folder: in}",
        "rivulet.yaml:4:16: there is no pipeline 'fee'; did you mean 'fees'?"
      ),
      (
        "\(projectHead)\nwatch:\n  - {pipeline: fees, file: '*'}",
        """
        rivulet.yaml:4:5: a watched folder needs the key 'folder'
        rivulet.yaml:4:22: unknown key 'file'; did you mean 'files'?
        """
      ),
      (
        "\(projectHead)\nwatch:\n  - {pipeline: fees, folder: in, files: 'a/*'}",
        "rivulet.yaml:4:41: 'a/*' is no pattern of file names; sub-folders are not looked into: write it without '/'"
      ),
      (
        "\(projectHead)\nwatch:\n  - {pipeline: fees, folder: in, settle: soon}",
        "rivulet.yaml:4:42: 'settle' must be a span of time, found 'soon'; write a number and s, m, h or d, such as 24h"
      ),
      (
        "\(projectHead)\nretention: {reject: 90d}",
        "rivulet.yaml:3:13: unknown key 'reject'; did you mean 'rejects'?"
      ),
      (
        "\(projectHead)\nretention: {rejects: never}",
        "rivulet.yaml:3:22: 'rejects' must be a span of time, found 'never'; write a number and s, m, h or d, such as 24h"
      ),
      (
        "\(projectHead)\nfreshness: {feas: 120d}",
        "rivulet.yaml:3:13: unknown key 'feas'; did you mean 'fees'?"
      ),
      (
        "\(projectHead)\nfreshness: {fees: 36h}",
        "rivulet.yaml:3:19: how old a release may be is counted in days; write whole days, such as 120d"
      ),
      ("\(projectHead)\nnotify: []", "rivulet.yaml:3:1: 'notify' is empty"),
      (
        "\(projectHead)\nmail: {to: 'Ann <a@example.org>', from: -f@example.org}",
        """
        rivulet.yaml:3:12: 'Ann <a@example.org>' is no mail address; write it bare: data@example.org
        rivulet.yaml:3:41: '-f@example.org' is no mail address; write it bare: data@example.org
        """
      ),
      (
        "\(projectHead)\nmail: {from: a@example.org, cc: b@example.org}",
        """
        rivulet.yaml:3:7: mail needs the key 'to'
        rivulet.yaml:3:29: unknown key 'cc'; mail has the keys: 'to', 'from', 'via'
        """
      ),
      (
        "\(projectHead)\npost: hooks.example/secret",
        "rivulet.yaml:3:7: 'post' is no web address; it begins with https://"
      ),
      (
        "\(projectHead)\nheartbeat: 'https://ping.example/a b'",
        "rivulet.yaml:3:12: 'heartbeat' is no web address; it begins with https://"
      ),
      (
        "\(projectHead)\nfetch: [{pipeline: fee}]",
        """
        rivulet.yaml:3:9: a dataset to fetch needs the key 'folder'
        rivulet.yaml:3:20: there is no pipeline 'fee'; did you mean 'fees'?
        """
      ),
    ])
  func project(text: String, message: String) throws {
    let fixture = try Fixture(["rivulet.yaml": text])
    let error = #expect(throws: DefinitionErrors.self) { try Project.load(fixture.folder) }
    #expect(error?.description == message)
  }
}

extension String {
  fileprivate func replacing(_ parts: [(String, String)]) -> String {
    parts.reduce(self) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
  }
}
