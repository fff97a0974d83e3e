/// What can be measured.
enum FigureName: String, CaseIterable {
  case oneRelease = "one-release"
  case fiftyReleases = "fifty-releases"
  case weeklyMerge = "weekly-merge"
  case rollback
  case parsing
  case parsingNDJSON = "parsing-ndjson"
  case workbook
  case rejectsTenPercent = "rejects-ten-percent"
  case migrations
  case viewRelease = "view-release"
  case viewKeys = "view-keys"
  case viewGrowth = "view-growth"
  case viewCapture = "view-capture"

  /// What is held against what.
  var summary: String {
    switch self {
    case .oneRelease: "the whole run of one RVU release against psql \\copy of its five cleaned files"
    case .fiftyReleases: "fifty releases in one run against psql \\copy of the same rows, cleaned"
    case .weeklyMerge:
      "a week of 5,000 changed records of NPPES merged into a million against a hundred thousand"
    case .rollback:
      "rolling a release back and publishing it again against a start of the program that changes nothing"
    case .parsing: "the reader of delimited files against wc -l of the same bytes"
    case .parsingNDJSON: "the reader of lines of JSON against orjson, of the same values"
    case .workbook: "the reader of workbooks against python-calamine"
    case .rejectsTenPercent: "a run of 300,000 records of which 10 % are refused against one without such"
    case .migrations: "200 migrations up, down and none to do, against psql's one transaction of the same SQL"
    case .viewRelease:
      "refreshing a view when one release of fifty has changed, against a full refresh and psql"
    case .viewKeys:
      "the same for 1 % of the keys of ten million rows against REFRESH MATERIALIZED VIEW CONCURRENTLY"
    case .viewGrowth: "the same for 10,000 keys of ten million rows against as many of one million"
    case .viewCapture: "COPY of a million rows into a table that a view reads against one that none does"
    }
  }

  /// Measures it; some give their peak memory as a figure of its own.
  ///
  /// Throws ``Skip`` where what it needs is not there.
  func measure(in workbench: Workbench) throws -> [Figure] {
    let bundle = { try SourceBundle(in: workbench) }
    switch self {
    case .oneRelease:
      return try LoadFigure(name: self, sources: [bundle().path], limit: 4).measure(in: workbench)
    case .fiftyReleases:
      let bundle = try bundle()
      let copies = try QuarterlyRelease.fifty.map { try bundle.copy(as: $0, in: workbench) }
      return try LoadFigure(name: self, sources: copies, limit: 1.3).measure(in: workbench)
    case .weeklyMerge: return try WeeklyMergeFigure().measure(in: workbench)
    case .rollback: return try RollbackFigure(source: bundle().path).measure(in: workbench)
    case .parsing: return [try ParsingFigure(bundle: bundle()).measure(in: workbench)]
    case .parsingNDJSON: return [try TreeParsingFigure().measure(in: workbench)]
    case .workbook: return try WorkbookFigure(bundle: bundle()).measure(in: workbench)
    case .rejectsTenPercent: return try RejectsFigure().measure(in: workbench)
    case .migrations: return try MigrationsFigure().measure(in: workbench)
    case .viewRelease:
      let releases = QuarterlyRelease.fifty
      let bundle = try bundle()
      let copies = try releases.map { try bundle.copy(as: $0, in: workbench) }
      return try ViewReleaseFigure(sources: copies, changed: (copies[24], releases[24].name))
        .measure(in: workbench)
    case .viewKeys: return try ViewKeysFigure().measure(in: workbench)
    case .viewGrowth: return try ViewGrowthFigure().measure(in: workbench)
    case .viewCapture: return try ViewCaptureFigure().measure(in: workbench)
    }
  }
}

/// A figure cannot be measured here.
struct Skip: Error {
  /// What is missing.
  let reason: String
}
