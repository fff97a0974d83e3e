/// What the report says of a dataset: one SELECT, and how its rows are shown.
public struct ReportPart: Sendable, Hashable {
  /// How rows are shown.
  public enum Chart: String, Sendable, Hashable, CaseIterable {
    /// A bar a row.
    case bars
    /// Lines over the rows' places.
    case lines
    /// As a table alone.
    case table
  }

  /// The part's name, which is also its file's.
  public var name: String
  /// The heading.
  public var title: String
  /// What it shows, in words.
  public var description: String
  /// How the rows are shown.
  public var chart: Chart
  /// The column that names the bars, or the places of the lines; of a table none is needed.
  public var label: String?
  /// The column that tells one line from another; nil where each of ``values`` is a line.
  public var series: String?
  /// The columns that are drawn.
  public var values: [String]
  /// Whether they are changes, of which a sign says the direction.
  public var isSigned: Bool
  /// What is said in the place of no row.
  public var ifEmpty: String
  /// Parts are shown in the order of these numbers, and equal ones in the order of their names.
  public var order: Int
  /// The SELECT.
  public var template: SQLTemplate
  /// The part's file, for errors.
  public var file: String

  /// The SELECT, which has no placeholder.
  public var sql: String { template.filled { "{\($0)}" } }
  /// The columns that the SELECT must have.
  public var columns: [String] { [label, series].compactMap(\.self) + values }
}

extension ReportPart {
  init?(_ bytes: [UInt8], named name: String, in file: DefinitionFile) {
    NameRule.kebab.check(
      Marked(name, at: Mark(line: 1, column: 1)), called: "the name of a part of the report", in: file)
    guard let sql = SQLFile(bytes, kind: "report", in: file) else { return nil }
    let keys = ["title", "description", "chart", "label", "series", "values", "signed", "empty", "order"]
    guard let fields = Fields(sql.header, of: "a part of the report", keys: keys, in: file) else {
      return nil
    }
    sql.body.report(unknownTo: [], called: "placeholder", listed: "", in: file)
    fields.need("chart")
    let chart = fields.choice("chart", of: "chart", among: Chart.allCases)
    let (label, series, values) = (fields.text("label"), fields.text("series"), fields.texts("values") ?? [])
    if chart == .table {
      for key in ["label", "series", "values"] where fields.has(key) {
        file.report("a table has no '\(key)': it shows all columns", at: fields.mark(of: key))
      }
    } else if chart != nil {
      for key in ["label", "values"] { fields.need(key) }
    }
    if let series, chart == .bars { file.report("bars have no 'series'", at: series.mark) }
    if let series, chart == .lines, values.count > 1 {
      file.report(
        "with 'series' one column is drawn, and 'values' has \(values.count)", at: series.mark,
        hint: "leave 'series' out, or all of 'values' but one")
    }
    reportRepeats([label, series].compactMap(\.self) + values, called: "the column", in: file)
    self.init(
      name: name, title: fields.needText("title")?.value ?? "",
      description: fields.needText("description")?.value ?? "", chart: chart ?? .table, label: label?.value,
      series: series?.value, values: values.map(\.value), isSigned: fields.flag("signed"),
      ifEmpty: fields.text("empty")?.value ?? "Nothing loaded.", order: fields.count("order") ?? 100,
      template: sql.body, file: file.name)
  }
}
