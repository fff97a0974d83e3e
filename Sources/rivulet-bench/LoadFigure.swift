import Glibc
import Host
import PostgreSQL

/// The whole run of one or many releases, from the start of the program to its end, against `psql \copy` of
/// the same rows, cleaned, into keyed tables.
///
/// Each run of either side has a database of its own, a copy of a migrated one without releases, so that
/// nothing has to be rolled back between the runs. Both sides' tables are there, with their keys, before
/// their time begins: the tool's partitioned ones, and for the yardstick plain ones with the same columns,
/// checks and keys.
///
/// The databases are dropped after each run. ext4 makes new files more slowly for some minutes after many
/// were removed, which the tool, with its new tables for each release, pays for and the yardstick does not:
/// the ratio is rather too high than too low.
struct LoadFigure {
  let name: FigureName
  /// The bundles, a release each.
  let sources: [String]
  /// How many times the yardstick's time the run may take.
  let limit: Double

  private static let template = "bench_template"
  private static let database = "bench"
  private static let tables = ["rvu", "gpci", "locality_county", "anesthesia_cf", "opps_cap"]
  private static let memoryLimit = 64.0

  func measure(in workbench: Workbench) throws -> [Figure] {
    try workbench.withDatabase(LoadFigure.template) {
      try prepareTemplate(workbench)
      let cleaned = try CleanedFiles(of: self, in: workbench)
      defer { cleaned.remove() }
      let runs = try workbench.compare(
        ours: { try load(workbench, expecting: cleaned.rows) },
        yardstick: { try copy(cleaned, workbench) })
      let time = Figure(
        name.rawValue, ours: runs.ours.map(\.seconds), yardstick: runs.yardstick.map(\.seconds), limit: limit,
        details: [("rows of cms.rvu", cleaned.rows[0]), ("rows in all", cleaned.rows.reduce(0, +))])
      let memory = Figure(
        name.rawValue + "-memory", peaks: runs.ours.map(\.peakMemory), limit: LoadFigure.memoryLimit)
      return [time, memory]
    }
  }

  /// The schema that a user has before the first release, and beside it the yardstick's keyed tables.
  private func prepareTemplate(_ workbench: Workbench) throws {
    _ = try workbench.rivulet(["migrate", "up"], on: LoadFigure.template)
    let connection = try workbench.connect(to: LoadFigure.template)
    try connection.execute("CREATE SCHEMA plain")
    for table in LoadFigure.tables {
      try connection.execute(
        """
        CREATE TABLE plain.\(table)
          (LIKE cms.\(table) INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES INCLUDING STORAGE)
        """)
    }
  }

  /// Ours, once.
  private func load(_ workbench: Workbench, expecting rows: [Int]) throws -> ProgramRun {
    try workbench.withDatabase(LoadFigure.database, from: LoadFigure.template) {
      let run = try workbench.rivulet(["run", "cms-rvu", "--no-refresh"] + sources, on: LoadFigure.database)
      try check("cms", in: workbench, rows)
      return run
    }
  }

  /// The yardstick, once.
  private func copy(_ cleaned: CleanedFiles, _ workbench: Workbench) throws -> ProgramRun {
    try workbench.withDatabase(LoadFigure.database, from: LoadFigure.template) {
      let run = try workbench.psql(script: cleaned.script, on: LoadFigure.database)
      try check("plain", in: workbench, cleaned.rows)
      return run
    }
  }

  private func check(_ schema: String, in workbench: Workbench, _ expected: [Int]) throws {
    let tables = LoadFigure.tables.map { "\(schema).\($0)" }
    let found = try workbench.rows(of: tables, in: LoadFigure.database)
    for (table, (expected, found)) in zip(tables, zip(expected, found)) where expected != found {
      throw BenchError.wrongCount(what: "rows of \(table)", expected: expected, found: found)
    }
  }

  /// The rows of all releases as the tool has published them, a csv a table, and the script that loads them.
  private struct CleanedFiles {
    /// Of each table.
    let rows: [Int]
    let script: String
    private let files: [String]

    /// Loads the sources once and exports what was published.
    init(of figure: LoadFigure, in workbench: Workbench) throws {
      let files = LoadFigure.tables.map { workbench.path("\($0).csv") }
      let (export, script) = (workbench.path("export.sql"), workbench.path("copy.sql"))
      let pairs = zip(LoadFigure.tables, files)
      try Files.write(
        pairs.map { "\\copy (SELECT * FROM cms.\($0)) TO '\($1)' (FORMAT csv)\n" }.joined(), to: export)
      try Files.write(pairs.map { "\\copy plain.\($0) FROM '\($1)' (FORMAT csv)\n" }.joined(), to: script)
      rows = try workbench.withDatabase(LoadFigure.database, from: LoadFigure.template) {
        _ = try workbench.rivulet(
          ["run", "cms-rvu", "--no-refresh"] + figure.sources, on: LoadFigure.database)
        _ = try workbench.psql(script: export, on: LoadFigure.database)
        return try workbench.rows(of: LoadFigure.tables.map { "cms.\($0)" }, in: LoadFigure.database)
      }
      self.files = files
      self.script = script
    }

    func remove() {
      for file in files { unlink(file) }
    }
  }
}
