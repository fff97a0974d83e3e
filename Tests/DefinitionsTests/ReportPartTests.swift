import Definitions
import Testing

@Suite("A part of the report")
struct ReportPartTests {
  private static let head = "/* rivulet report\n"
  private static let body = "*/\nSELECT 'a' AS \"Name\", 1 AS \"Count\"\n"

  private func fixture(_ yaml: String, body: String = body) throws -> Fixture {
    try Fixture(["Pipelines/fees/report/sums.sql": Self.head + yaml + body])
  }

  @Test("says how rows are drawn; parts come in the order of their numbers, then of their names")
  func read() throws {
    let text =
      "title: Sums\ndescription: All\nchart: lines\nlabel: Name\nvalues: [Count, Sum]\nsigned: true\n"
    let pipeline = try Fixture([
      "Pipelines/fees/report/sums.sql": Self.head + text + Self.body,
      "Pipelines/fees/report/a.sql": Self.head + "title: A\ndescription: x\nchart: table\n" + Self.body,
      "Pipelines/fees/report/z.sql": Self.head + "title: Z\ndescription: x\nchart: table\norder: 1\n"
        + Self.body,
    ]).load()
    #expect(pipeline.report.map(\.name) == ["z", "a", "sums"])
    let part = try #require(pipeline.report.last)
    #expect(part.chart == .lines && part.columns == ["Name", "Count", "Sum"] && part.isSigned)
    #expect(part.sql == "SELECT 'a' AS \"Name\", 1 AS \"Count\"\n" && part.ifEmpty == "Nothing loaded.")
  }

  @Test(
    "is refused where it does not say what to draw, with the place and the fix",
    arguments: [
      ("title: T\nchart: table\n", ["2:1: a part of the report needs the key 'description'"]),
      (
        "title: T\ndescription: D\nchart: bar\nlabel: A\nvalues: B\n",
        ["4:8: unknown chart 'bar'; did you mean 'bars'?"]
      ),
      (
        "title: T\ndescription: D\nchart: bars\nseries: A\nvalues: B\n",
        ["2:1: a part of the report needs the key 'label'", "5:9: bars have no 'series'"]
      ),
      (
        "title: T\ndescription: D\nchart: lines\nlabel: A\nseries: B\nvalues: [C, D]\n",
        [
          "6:9: with 'series' one column is drawn, and 'values' has 2; leave 'series' out, or all of 'values' but one"
        ]
      ),
      (
        "title: T\ndescription: D\nchart: table\nlabel: A\n",
        ["5:1: a table has no 'label': it shows all columns"]
      ),
      (
        "title: T\ndescription: D\nchart: bars\nlabel: A\nvalues: [A]\n",
        ["6:10: the column 'A' is already on line 5"]
      ),
    ])
  func mistakes(_ yaml: String, _ errors: [String]) throws {
    let file = "Pipelines/fees/report/sums.sql:"
    #expect(try fixture(yaml).errors() == errors.map { file + $0 })
  }

  @Test("is one SELECT without placeholders")
  func statement() throws {
    let yaml = "title: T\ndescription: D\nchart: table\n"
    let errors = try fixture(yaml, body: "*/\nDELETE FROM cms.rate WHERE code = {code}\n").errors()
    #expect(errors.count == 2 && errors.contains { $0.contains("a SELECT must follow") }, "\(errors)")
    #expect(
      errors.contains { $0.contains("unknown placeholder '{code}'") || $0.contains("'code'") }, "\(errors)")
  }
}
