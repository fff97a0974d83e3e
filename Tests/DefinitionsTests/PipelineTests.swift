import Definitions
import Foundation
import Testing
import Values

@Suite("A pipeline is read from its folder")
struct PipelineTests {
  @Test("Everything in the folder is in the pipeline")
  func whole() throws {
    let fixture = try Fixture()
    let pipeline = try fixture.load()
    #expect(pipeline.title == "Fees")
    #expect(pipeline.targets == ["cms.rate"])
    let source = try #require(pipeline.source(named: "rates"))
    #expect(source.key == ["code"] && source.expectation.leastRows == 1 && source.formats == [.csv])
    #expect(pipeline.rejects == .percent(1))
    let columns = try #require(pipeline.layout(of: source)?.versions.first?.columns)
    #expect(columns.map(\.name) == ["code", "rate", "class", "row"])
    #expect(columns[1].place?.bytes == 6...9)
    #expect(columns[1].type == .decimal(precision: 8, scale: 2))
    #expect(columns[1].defaultText == "0")
    #expect(columns[2].origin == .constant("all") && columns[2].type == .text)
    #expect(columns[3].origin == .recordNumber && columns[3].type == .integer)
    let view = try #require(pipeline.views.first)
    #expect(view.schema == "cms" && view.relation == "all_rates" && view.line == 5)
    #expect(view.sql == "\nSELECT code, '{' AS brace FROM cms.rate")
  }

  @Test("Further versions of a layout are in files of their own, and go before those of the layout")
  func furtherVersions() throws {
    let path = "Pipelines/fees/layouts/rates/short.yaml"
    let short = """
      layout: rates
      versions: [{version: short, columns: [{name: code, csv: C, type: code, required: true}]}]
      """
    let plain = try Fixture().load()
    let pipeline = try Fixture([path: short]).load()
    #expect(pipeline.layouts.keys.sorted() == ["rates"])
    #expect(pipeline.layouts["rates"]?.versions.map(\.name) == ["short", "2020"])
    #expect(pipeline.definitionHash != plain.definitionHash)
    let other = try Fixture([path: short.replacing("C,", with: "D,")]).load()
    #expect(other.definitionHash != pipeline.definitionHash)
    #expect(
      try Fixture([path: short.replacing("version: short", with: "version: '2020'")]).errors() == [
        "\(path): the layout 'rates' has a version '2020' already"
      ])
    #expect(
      try Fixture(["Pipelines/fees/layouts/rats/short.yaml": short]).errors() == [
        "Pipelines/fees/layouts/rats: there is no layout 'rats' for further versions to be of; did you mean 'rates'?"
      ])
  }

  @Test("A check's tables are put in and its last semicolon is left out")
  func check() throws {
    let check = try #require(try Fixture().load().checks.first)
    #expect(check.targets == ["cms.rate"])
    #expect(
      check.template.filled { "\"stage\".\"\($0)\"" }
        == "SELECT source_line FROM \"stage\".\"cms.rate\" WHERE rate = 0")
  }

  @Test(
    "A condition becomes a query of the rows that break it, and a condition to be counted by",
    arguments: [
      (
        "row: rate > 0",
        "SELECT this.source_file_id, this.source_line FROM cms.rate this WHERE NOT (rate > 0\n)",
        "NOT (rate > 0\n)"
      ),
      (
        "where: code <> 'x' -- or so, row: rate > 0",
        "SELECT this.source_file_id, this.source_line FROM cms.rate this WHERE "
          + "CASE WHEN (code <> 'x' -- or so\n) THEN NOT (rate > 0\n) END",
        "CASE WHEN (code <> 'x' -- or so\n) THEN NOT (rate > 0\n) END"
      ),
      (
        "columns: [class], references: cms.rate (code)",
        "SELECT this.source_file_id, this.source_line FROM cms.rate this WHERE this.\"class\" IS NOT NULL "
          + "AND NOT EXISTS (SELECT FROM cms.rate other WHERE other.\"code\" = this.\"class\" AND true)",
        "this.\"class\" IS NOT NULL AND ((this.\"class\") IN (SELECT \"code\" FROM cms.rate WHERE true)) IS NOT TRUE"
      ),
      (
        "references: 'cms.rate (code, class) WHERE rate > 0'",
        "SELECT this.source_file_id, this.source_line FROM cms.rate this WHERE this.\"code\" IS NOT NULL "
          + "AND this.\"class\" IS NOT NULL AND NOT EXISTS (SELECT FROM cms.rate other "
          + "WHERE other.\"code\" = this.\"code\" AND other.\"class\" = this.\"class\" AND (rate > 0\n))",
        "this.\"code\" IS NOT NULL AND this.\"class\" IS NOT NULL AND ((this.\"code\", this.\"class\") IN "
          + "(SELECT \"code\", \"class\" FROM cms.rate WHERE (rate > 0\n))) IS NOT TRUE"
      ),
    ])
  func condition(_ keys: String, _ query: String, _ isBroken: String) throws {
    let item = "{rule: fair, severity: warn, table: cms.rate, \(keys)}"
    let pipeline = Fixture.pipeline.replacing(
      "{rule: no-free-lunch, severity: skip, source: rates}", with: item)
    let fixture = try Fixture(["Pipelines/fees/pipeline.yaml": pipeline])
    let check = try #require(try fixture.load().checks.first)
    let condition = try #require(check.condition)
    #expect(check.targets == ["cms.rate"])
    #expect(check.template.filled { $0 } == query)
    #expect(condition.isBroken.filled { $0 } == isBroken)
    #expect(condition.table == "cms.rate" && (condition.referenced == nil) == keys.contains("row:"))
    #expect(check.template.place(of: query.count) { $0 }.line == 19)
  }

  @Test("A query's parameters are numbered as they come, and braces in comments stay")
  func query() throws {
    let query = try #require(try Fixture().load().queries.first)
    #expect(query.order == ["code", "on_day"])
    #expect(
      query.sql == """
        SELECT rate FROM cms.rate
        WHERE code = $1::text AND day = $2::date AND code <> $1::text -- not {this}
        """)
    #expect(query.parameter(named: "on_day")?.option == "on-day")
    #expect(query.parameter(named: "code")?.isRequired == true)
  }

  @Test(
    "A placeholder inside quotes, comments and dollar quotes is SQL's own",
    arguments: [
      ("SELECT '{a}', {code}", "SELECT '{a}', $1::text"),
      ("SELECT 'it''s {a}', {code}", "SELECT 'it''s {a}', $1::text"),
      ("SELECT E'\\'{a}', {code}", "SELECT E'\\'{a}', $1::text"),
      ("SELECT '\\', {code}", "SELECT '\\', $1::text"),
      ("SELECT \"{a}\", {code}", "SELECT \"{a}\", $1::text"),
      ("SELECT $${a}$$, {code}", "SELECT $${a}$$, $1::text"),
      ("SELECT $x$ $$ {a} $x$, {code}", "SELECT $x$ $$ {a} $x$, $1::text"),
      ("SELECT /* {a} /* {b} */ {c} */ {code}", "SELECT /* {a} /* {b} */ {c} */ $1::text"),
      ("SELECT a$b, {code}, c$d", "SELECT a$b, $1::text, c$d"),
      ("SELECT {code} -- ; {a}\n;\n-- end\n", "SELECT $1::text -- ; {a}\n"),
    ])
  func quotes(sql: String, expected: String) throws {
    let header = "/* rivulet query\ndescription: d\nparameters: {code: {type: text}}\n*/\n"
    let fixture = try Fixture(["Pipelines/fees/queries/price.sql": header + sql])
    #expect(try fixture.load().queries.first?.sql == expected)
  }

  @Test("Sections of a query are there where their parameters are given, each line where it was")
  func sections() throws {
    let header = "/* rivulet query\ndescription: d\nparameters: {code: {type: text}, day: {type: date}}\n*/\n"
    let sql = "SELECT 1{if code}\n, {code}{if day} + {day}{end}{end}{if not code}, 2{end}\nFROM x"
    let query = try #require(
      try Fixture(["Pipelines/fees/queries/price.sql": header + sql]).load().queries.first)
    for (given, expected, order) in [
      (["code"], "SELECT 1\n, $1::text\nFROM x", ["code"]), ([], "SELECT 1\n, 2\nFROM x", []),
      (["day", "code"], "SELECT 1\n, $1::text + $2::date\nFROM x", ["code", "day"]),
    ] {
      #expect(query.choosing(given).sql == expected)
      #expect(query.choosing(given).order == order)
    }
    #expect(query.sql.contains("{if not code}, 2{end}"))
  }

  @Test("The current release is a value of the query that answers from it")
  func current() throws {
    let header = "/* rivulet query\ndescription: d\ncurrent: {of: fees}\n*/\n"
    let fixture = try Fixture(["Pipelines/fees/queries/price.sql": header + "SELECT {current}, {current}"])
    let query = try #require(try fixture.load().queries.first)
    #expect(query.sql == "SELECT $1::text, $1::text" && query.order == ["current"])
  }

  @Test("A comparison of releases has its queries and what means all; without the key it has neither")
  func diff() throws {
    #expect(try Fixture().load().diff == DiffRule())
    let query = "/* rivulet query\ndescription: d\nparameters: {from: {type: text}, to: {type: text}}\n*/\n"
    let fixture = try Fixture([
      "Pipelines/fees/pipeline.yaml": Fixture.pipeline
        + "\ndiff: {queries: [change], stands_for_all: {code: all}}",
      "Pipelines/fees/queries/change.sql": query + "SELECT {from}, {to}",
    ])
    let diff = try fixture.load().diff
    #expect(diff.queries.map(\.name) == ["change"])
    #expect(diff.standsForAll == ["code": "all"])
  }

  @Test("The hash follows what decides what is loaded, and nothing else")
  func hash() throws {
    let hash = try Fixture().load().definitionHash
    #expect(hash.count == 64)
    #expect(try Fixture().load().definitionHash == hash)
    for path in ["queries/price.sql", "views/cms.all_rates.sql"] {
      let path = "Pipelines/fees/\(path)"
      let changed = try Fixture([path: try #require(Fixture.files[path]) + "\n-- more"])
      #expect(try changed.load().definitionHash == hash, "\(path) is not about what is loaded")
    }
    for (path, more) in [
      ("pipeline.yaml", "\n# more"), ("layouts/rates.yaml", "\n# more"),
      ("checks/no-free-lunch.sql", "-- more"),
    ] {
      let path = "Pipelines/fees/\(path)"
      let changed = try Fixture([path: try #require(Fixture.files[path]) + more])
      #expect(try changed.load().definitionHash != hash, "\(path) is about what is loaded")
    }
  }

  @Test("The project is found from a folder inside it")
  func project() throws {
    let fixture = try Fixture()
    let root = URL(filePath: fixture.folder).resolvingSymlinksInPath().path
    #expect(Project.folder(above: fixture.folder + "/Pipelines/fees") == root)
    #expect(Project.folder(above: "/nowhere/at/all") == nil)
    #expect(try Project.load(fixture.folder).pipelineNames == ["fees"])
  }

  @Test(
    "A glob compares the last part of a path without case",
    arguments: [
      ("PPRRVU*", "RVU25D/pprrvu2025_Oct.csv", true), ("PPRRVU*", "PPRRVU", true),
      ("PPRRVU*", "XPPRRVU.csv", false), ("??LOCCO*", "25LOCCO.csv", true), ("??LOCCO*", "5LOCCO.csv", false),
      ("*.csv", "a.csv.txt", false), ("*a*b*", "xxaxxbxx", true), ("*a*b", "xxaxxbxx", false),
      ("PPRRVU*", "PPRRVU/readme.txt", false),
    ])
  func glob(pattern: String, path: String, matches: Bool) throws {
    #expect(try #require(Glob(pattern)).matches(path) == matches)
  }

  @Test(
    "A reject limit is a number or a share",
    arguments: [
      ("0", 0, 100, true), ("0", 1, 100, false), ("5", 5, 5, true), ("1%", 1, 100, true),
      ("1%", 2, 100, false), ("0.5%", 1, 200, true), ("0.5%", 1, 199, false), ("100%", 3, 3, true),
      ("0.01% or 5", 5, 100, true), ("0.01% or 5", 6, 100, false), ("0.01% or 5", 100, 1_000_000, true),
      ("0% or 2", 2, 9, true), ("0% or 2", 3, 9, false),
    ])
  func limit(text: String, rejected: Int, read: Int, allowed: Bool) throws {
    let limit = try #require(RejectLimit(text))
    #expect(limit.allows(rejected: rejected, of: read) == allowed)
    #expect(limit.description == text)
  }

  @Test(
    "What is no reject limit is refused",
    arguments: ["", "-1", "x", "%", "101%", "1 %x", "nan%", "5 or 1%", "1% or", "1% or x", "1%  or 5"])
  func noLimit(text: String) {
    #expect(RejectLimit(text) == nil)
  }
}
