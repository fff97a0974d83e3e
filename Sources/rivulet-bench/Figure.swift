/// A figure: what is timed, what it is held against, and how much it may be.
struct Figure {
  let name: String
  /// What is held against what.
  let summary: String
  /// The most that the median of the ratios may be, or, where there is no yardstick, that of the seconds.
  let limit: Double
  /// What it is measured in: seconds, or a share.
  var unit = "s"
  /// What the program's largest resident memory, or another size, is called as a figure, and its limit in MB;
  /// nil where it is none.
  var size: (name: String, limit: Double)?
  /// Throws ``BenchError/missing(_:)`` where what it needs is not there.
  let measure: (Workbench) throws -> Runs

  /// All that can be measured, in the order in which it is.
  static var all: [Figure] {
    [
      Figure(
        name: "one-release",
        summary: "the whole run of one RVU release against psql \\copy of its five cleaned files",
        limit: 1.25,
        measure: { try Loading.measure([$0.bundle.file()], in: $0) }),
      Figure(
        name: "fifty-releases",
        summary: "fifty releases in one run against psql \\copy of the same rows, cleaned", limit: 0.9,
        size: ("fifty-releases-memory", 64),
        measure: { try Loading.measure($0.bundle.fiftyReleases().map(\.path), in: $0) }),
      Figure(
        name: "providers-copy",
        summary:
          "a million records of NPPES in keyed tables against psql \\copy of the file into one of texts",
        limit: 0.9, size: ("providers-copy-memory", 64), measure: ProviderLoading.measure),
      Figure(
        name: "weekly-merge",
        summary: "a week of 5,000 changed records of NPPES merged into a million against a hundred thousand",
        limit: 1.25, measure: WeeklyMerge.measure),
      Figure(
        name: "query-provider",
        summary: "the slowest of six questions for a provider among a million, in seconds", limit: 0.150,
        measure: ProviderQuery.measure),
      Figure(
        name: "matching",
        summary: "100,000 records without NPIs looked up in 100,000 of NPPES, in seconds", limit: 30,
        measure: MatchedProviders.time),
      Figure(
        name: "matching-equal-names", summary: "3,000 records of one name looked up in as many, in seconds",
        limit: 2, measure: MatchedProviders.equalNames),
      Figure(
        name: "matching-recall",
        summary: "which share of 600 people is not found who are written in eleven other ways", limit: 0.15,
        unit: "of 1", measure: MatchedProviders.missed),
      Figure(
        name: "matching-precision",
        summary: "which share of the pairs is wrong that are claimed of these and of 500 strangers",
        limit: 0.01, unit: "of 1", measure: MatchedProviders.wrong),
      Figure(
        name: "rollback",
        summary: "rolling a release back against a start of the program that changes nothing", limit: 2,
        measure: Rollback.measure),
      Figure(
        name: "publish-latency", summary: "the slowest read of the current release among 200 publications",
        limit: 0.050, measure: PublishLatency.measure),
      Figure(
        name: "parsing-ndjson", summary: "the reader of lines of JSON against orjson, of the same values",
        limit: 1, measure: Readers.linesOfJSON),
      Figure(
        name: "workbook", summary: "the reader of workbooks against python-calamine", limit: 1,
        measure: Readers.workbook),
      Figure(
        name: "start-ledger",
        summary: "seven commands on a ledger of 10,000 runs and 1,000 releases against one of a single run",
        limit: 1.5, measure: StartLedger.measure),
      Figure(
        name: "rejects-ten-percent",
        summary: "a run of 300,000 records of which 10 % are refused against one without such", limit: 1.5,
        measure: Rejects.measure),
      Figure(
        name: "migrations-up", summary: "200 migrations against psql's one transaction of the same SQL",
        limit: 2, size: ("migrations-memory", 32), measure: BenchMigration.up),
      Figure(
        name: "migrations-down", summary: "the same of the 200 DROP TABLE", limit: 2,
        measure: BenchMigration.down),
      Figure(
        name: "migrations-up-2000",
        summary: "2,000 migrations against psql's transactions of the same SQL and a row of history each",
        limit: 1.1, measure: BenchMigration.upOfMany),
      Figure(
        name: "migrations-verify-2000", summary: "the verification of 2,000 migrations, in seconds",
        limit: 60, measure: BenchMigration.verifyMany),
      Figure(
        name: "migrations-no-op", summary: "an up of 2,000 with nothing to do, in seconds", limit: 0.050,
        measure: BenchMigration.noOp),
      Figure(
        name: "statements-up",
        summary: "one migration of 20,000 INSERTs against psql's one transaction of the same SQL",
        limit: 1.5, size: ("statements-memory", 64), measure: BenchStatements.up),
      Figure(
        name: "statements-lint", summary: "the lint of the same, in seconds", limit: 2,
        measure: BenchStatements.lint),
      Figure(
        name: "view-release",
        summary: "refreshing a view when one release of fifty has changed against a full refresh",
        limit: 0.15,
        measure: ViewOfReleases.full),
      Figure(
        name: "view-release-by-hand",
        summary: "the same against psql: delete and insert, or delete and MERGE, the faster of the two",
        limit: 2, measure: ViewOfReleases.byHand),
      Figure(
        name: "refresh-full",
        summary: "all of mart.rvu_by_period, whose rows have all changed, against CREATE TABLE AS and a key",
        limit: 1.2, measure: ViewOfVisits.periods),
      Figure(
        name: "refresh-full-rows", summary: "the same of mart.rvu_by_hcpcs, of as many rows as its source",
        limit: 2.5, measure: ViewOfVisits.codes),
      Figure(
        name: "view-keys",
        summary: "1 % of the keys of ten million rows against REFRESH MATERIALIZED VIEW CONCURRENTLY",
        limit: 0.05, measure: ViewOfFacts.keys),
      Figure(
        name: "view-growth", summary: "10,000 keys of ten million rows against as many of one million",
        limit: 1.25, measure: ViewOfFacts.growth),
      Figure(
        name: "view-capture",
        summary: "COPY of a million rows into a table that a view reads against one that none does",
        limit: 1.4, measure: ViewCapture.byKey),
      Figure(
        name: "view-sums-row",
        summary: "a row changed of 0.2, 2 and 10 million: the slowest refresh of six, in seconds",
        limit: 0.060, measure: ViewOfRequests.row),
      Figure(
        name: "view-sums-growth", summary: "a row changed of ten million against one of two hundred thousand",
        limit: 1.2, measure: ViewOfRequests.growth),
      Figure(
        name: "view-sums-statement",
        summary: "1 % of two million rows changed by a statement, and the refresh, against pg_ivm",
        limit: 0.5,
        measure: AddedBeside.measure),
      Figure(
        name: "view-sums-update",
        summary: "updates of a row each of a table that three views read against one that none does",
        limit: 1.5, measure: ViewOfRequests.updates),
      Figure(
        name: "view-sums-copy",
        summary: "COPY of a million rows into a table that three views read against one that none does",
        limit: 1.25, measure: ViewCapture.added),
      Figure(
        name: "view-sums-full",
        summary: "all groups of ten million rows against the server's CREATE TABLE AS of the SELECT",
        limit: 1.2, measure: ViewOfRequests.full),
      Figure(
        name: "view-sums-queue",
        summary: "the refresh after a million statements of a row each, in seconds", limit: 2,
        size: ("view-sums-queue-size", 100), measure: WaitingChanges.measure),
      Figure(
        name: "view-watch",
        summary: "from a commit to its being seen under refresh --watch, the 99th percentile, in seconds",
        limit: 1, measure: WatchedView.measure),
    ]
  }

  /// What the runs say: the figure, and its memory where that is one.
  func results(of runs: Runs) -> [FigureResult] {
    var result = FigureResult(
      name: name, unit: unit, judged: .median, limit: limit, ours: Spread(runs.ours.map(\.seconds)),
      runs: runs.ours.count, details: runs.details)
    if !runs.yardstick.isEmpty {
      result.judged = .ratio
      result.yardstick = Spread(runs.yardstick.map(\.seconds))
      result.ratio = Spread(zip(runs.ours, runs.yardstick).map { $0.seconds / $1.seconds })
    }
    guard let size else { return [result] }
    let sizes = runs.sizes ?? runs.ours.map(\.peakMemory)
    return [
      result,
      FigureResult(
        name: size.name, unit: "MB", judged: .maximum, limit: size.limit,
        ours: Spread(sizes.map { Double($0) / 1_048_576 }), runs: sizes.count, details: []),
    ]
  }
}

/// The runs of a figure.
struct Runs {
  var ours: [ProgramRun] = []
  /// Each right after ours of the same number; none where ours is held against nothing.
  var yardstick: [ProgramRun] = []
  /// What the figure's other limit is for, in bytes; the programs' largest resident memory when nil.
  var sizes: [Int]?
  /// What else there is to know: rows, megabytes a second.
  var details: [(name: String, value: Int)] = []
}

/// What was measured, and how it is judged.
struct FigureResult {
  /// What must not be more than the limit.
  enum Judged: String {
    /// The median of the ratios.
    case ratio
    /// The largest measurement of ours.
    case maximum
    /// The middle one of ours.
    case median
  }

  let name: String
  /// `s`, `MB` of 1,048,576 bytes, or `of 1`, a share.
  let unit: String
  var judged: Judged
  let limit: Double
  let ours: Spread
  let runs: Int
  let details: [(name: String, value: Int)]
  var yardstick: Spread?
  /// Of each of our runs to the yardstick's run right after it.
  var ratio: Spread?

  var hasPassed: Bool {
    switch judged {
    case .ratio: (ratio?.median ?? .infinity) <= limit
    case .maximum: ours.max <= limit
    case .median: ours.median <= limit
    }
  }
}

/// The middle and the ends of several measurements of the same thing.
struct Spread {
  let median: Double
  let min: Double
  let max: Double

  /// Of at least one measurement.
  init(_ values: [Double]) {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    min = sorted[0]
    max = sorted[sorted.count - 1]
  }
}
