import Host
import PostgreSQL

/// The whole run of a main file of NPPES of a million records into the five tables, checked, keyed and published,
/// against the usual way: `psql \copy` into one table of texts and INSERT into the same five with their keys. And
/// against the `\copy` alone.
///
/// Each run of either side has a database of its own, as in ``LoadFigure``.
struct ProvidersFigure {
  let name: FigureName

  private static let template = "bench_template"
  private static let database = "bench"
  private static let memoryLimit = 96.0
  private static let limit = 0.3
  private static let limitOfCopy = 1.0

  func measure(in workbench: Workbench) throws -> [Figure] {
    let file = try ProviderFile(in: workbench)
    defer { try? Files.remove(file.path) }
    let table = WideTable(width: file.width)
    return try workbench.withDatabase(Self.template) {
      _ = try workbench.rivulet(["migrate", "up"], on: Self.template)
      try workbench.connect(to: Self.template).execute(table.make)
      var copies: [Double] = []
      let runs = try workbench.compare(
        ours: { try load(file, workbench) },
        yardstick: {
          let (copy, whole) = try usualWay(file, table, workbench)
          copies.append(copy)
          return whole
        })
      let ours = runs.ours.map(\.seconds)
      let figure = Figure(
        name.rawValue, ours: ours, yardstick: runs.yardstick.map(\.seconds), limit: Self.limit,
        details: details(of: file, seconds: Spread(ours).median))
      // The first of them is that of the warm-up.
      let copy = Figure(
        name.rawValue + "-copy", ours: ours, yardstick: Array(copies.dropFirst()), limit: Self.limitOfCopy,
        details: [])
      let memory = Figure(
        name.rawValue + "-memory", peaks: runs.ours.map(\.peakMemory), limit: Self.memoryLimit)
      return [figure, copy, memory]
    }
  }

  /// Ours, once.
  private func load(_ file: ProviderFile, _ workbench: Workbench) throws -> ProgramRun {
    try workbench.withDatabase(Self.database, from: Self.template) {
      let run = try workbench.rivulet(["run", "nppes", "--no-refresh", file.path], on: Self.database)
      try check("directory", in: workbench)
      return run
    }
  }

  /// The yardstick, once, and the time of its first step.
  private func usualWay(
    _ file: ProviderFile, _ table: WideTable, _ workbench: Workbench
  ) throws -> (copy: Double, whole: ProgramRun) {
    try workbench.withDatabase(Self.database, from: Self.template) {
      let copy = try workbench.psql(table.copy(from: file.path), on: Self.database)
      let insert = try workbench.psql(table.insert, on: Self.database)
      try check("plain", in: workbench)
      let whole = ProgramRun(
        seconds: copy.seconds + insert.seconds, peakMemory: max(copy.peakMemory, insert.peakMemory),
        output: "")
      return (copy.seconds, whole)
    }
  }

  private func check(_ schema: String, in workbench: Workbench) throws {
    let found = try workbench.rows(of: ["\(schema).provider"], in: Self.database)[0]
    guard found == ProviderFile.records else {
      throw BenchError.wrongCount(what: "rows of provider", expected: ProviderFile.records, found: found)
    }
  }

  private func details(of file: ProviderFile, seconds: Double) -> [(name: String, value: Int)] {
    let perSecond = Double(ProviderFile.records) / seconds
    return [
      ("records", ProviderFile.records), ("records a second", Int(perSecond)),
      ("MB a second", Int(Double(file.size) / 1_048_576 / seconds)),
      (
        "seconds for \(ProviderFile.recordsOfAll) records", Int(Double(ProviderFile.recordsOfAll) / perSecond)
      ),
    ]
  }
}
