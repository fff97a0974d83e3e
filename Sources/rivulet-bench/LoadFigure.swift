import Glibc
import Host
import PostgreSQL

/// The whole run of one or many releases, from the start of the program to its end, against `psql \copy` of the
/// same rows, cleaned, into keyed tables.
///
/// Each run of either side has a database of its own, a copy of a migrated one without releases, so that nothing
/// has to be rolled back between the runs. Both sides' tables are there, with their keys, before their time
/// begins: the tool's partitioned ones, and for the yardstick plain ones with the same columns, checks and keys.
///
/// The databases are dropped when all is measured. ext4 makes new files more slowly for some minutes after many were
/// removed, which the tool, with its new tables for each release, would pay for and the yardstick would not.
struct LoadFigure {
  let name: FigureName
  /// The bundles, a release each.
  let sources: [String]
  /// How many times the yardstick's time the run may take.
  let limit: Double

  private static let template = "bench_template"
  private static let tables = ["rvu", "gpci", "locality_county", "anesthesia_cf", "opps_cap"]
  private static let memoryLimit = 64.0

  func measure(in workbench: Workbench) throws -> [Figure] {
    try workbench.withDatabase(LoadFigure.template) {
      try prepareTemplate(workbench)
      let databases = Databases(of: workbench)
      defer { databases.drop() }
      let cleaned = try CleanedFiles(of: self, in: workbench, databases)
      defer { cleaned.remove() }
      let runs = try workbench.compare(
        ours: { try load(into: databases.make(), workbench, expecting: cleaned.rows) },
        yardstick: { try copy(cleaned, into: databases.make(), workbench) })
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
  private func load(into database: String, _ workbench: Workbench, expecting rows: [Int]) throws -> ProgramRun
  {
    let run = try workbench.rivulet(["run", "cms-rvu", "--no-refresh"] + sources, on: database)
    try check("cms", of: database, in: workbench, rows)
    return run
  }

  /// The yardstick, once.
  private func copy(_ cleaned: CleanedFiles, into database: String, _ workbench: Workbench) throws
    -> ProgramRun
  {
    let run = try workbench.psql(script: cleaned.script, on: database)
    try check("plain", of: database, in: workbench, cleaned.rows)
    return run
  }

  private func check(_ schema: String, of database: String, in workbench: Workbench, _ expected: [Int]) throws
  {
    let tables = LoadFigure.tables.map { "\(schema).\($0)" }
    let found = try workbench.rows(of: tables, in: database)
    for (table, (expected, found)) in zip(tables, zip(expected, found)) where expected != found {
      throw BenchError.wrongCount(what: "rows of \(table)", expected: expected, found: found)
    }
  }

  /// Copies of the template, one for each run, until all is measured.
  private final class Databases {
    private let workbench: Workbench
    private var names: [String] = []

    init(of workbench: Workbench) { self.workbench = workbench }

    func make() throws -> String {
      names.append("bench_\(names.count)")
      try workbench.makeDatabase(names[names.count - 1], from: LoadFigure.template)
      return names[names.count - 1]
    }

    func drop() { names.forEach(workbench.dropDatabase) }
  }

  /// The rows of all releases as the tool has published them, a csv a table, and the script that loads them.
  private struct CleanedFiles {
    /// Of each table.
    let rows: [Int]
    let script: String
    private let files: [String]

    /// Loads the sources once and exports what was published.
    init(of figure: LoadFigure, in workbench: Workbench, _ databases: Databases) throws {
      let files = LoadFigure.tables.map { workbench.path("\($0).csv") }
      let (export, script) = (workbench.path("export.sql"), workbench.path("copy.sql"))
      let pairs = zip(LoadFigure.tables, files)
      try Files.write(
        pairs.map { "\\copy (SELECT * FROM cms.\($0)) TO '\($1)' (FORMAT csv)\n" }.joined(), to: export)
      try Files.write(pairs.map { "\\copy plain.\($0) FROM '\($1)' (FORMAT csv)\n" }.joined(), to: script)
      let database = try databases.make()
      _ = try workbench.rivulet(["run", "cms-rvu", "--no-refresh"] + figure.sources, on: database)
      _ = try workbench.psql(script: export, on: database)
      rows = try workbench.rows(of: LoadFigure.tables.map { "cms.\($0)" }, in: database)
      self.files = files
      self.script = script
    }

    func remove() {
      for file in files { unlink(file) }
    }
  }
}
