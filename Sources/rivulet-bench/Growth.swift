import Host
import PostgreSQL
import Reporting
import Values

/// What commands take as a database grows: with 1, 10, 50 and 200 releases of relative value units, and with a
/// hundred thousand, one and three million providers.
struct Growth {
  /// One measure at each size.
  struct Line {
    let name: String
    let unit: String
    /// The value at each size.
    var values: [Double] = []
  }

  /// The measures of a dataset.
  struct Dataset {
    let name: String
    let sizes: [Int]
    var lines: [Line]
    /// From which size on nothing may grow with the size: before it the start of the program is most of it.
    let base: Int

    /// How much each measure has grown from the base to the largest size.
    var growth: [Double] {
      lines.map { $0.values[sizes.count - 1] / $0.values[sizes.firstIndex(of: base) ?? 0] }
    }
  }

  private let workbench: Workbench

  /// Measures both datasets; takes minutes.
  static func measure(in workbench: Workbench) throws -> [Dataset] {
    let growth = Growth(workbench: workbench)
    return [try growth.releases(), try growth.providers()]
  }

  private func releases() throws -> Dataset {
    var found = Dataset(
      name: "releases", sizes: [1, 10, 50, 200],
      lines: [
        Line(name: "loading a row", unit: "us"), Line(name: "memory", unit: "MB"),
        Line(name: "releases list", unit: "s"), Line(name: "releases rollback", unit: "s"),
        Line(name: "refresh of one release", unit: "s"),
      ], base: 10)
    for size in found.sizes {
      let sources = try workbench.bundle.releases(size)
      // A short load is repeated, as its time varies more.
      let loads = try (0..<max(1, min(workbench.options.runs, 50 / size))).map { _ in
        try workbench.withDatabase { try load(sources.map(\.path)) }
      }
      let values = try workbench.withDatabase {
        _ = try load(sources.map(\.path))
        return try commands(sources[size / 2])
      }
      add(
        [
          Spread(loads.map { $0.run.seconds * 1e6 / Double($0.rows) }).median,
          Double(loads.map(\.run.peakMemory).max() ?? 0) / 1_048_576,
        ] + values, to: &found, at: size)
    }
    return found
  }

  private func load(_ paths: [String]) throws -> (run: ProgramRun, rows: Int) {
    try workbench.rivulet(["migrate", "up"])
    let run = try workbench.rivulet(["run", "cms-rvu", "--no-refresh"] + paths)
    let rows: Int = try workbench.connect(to: Workbench.own).query(
      "SELECT sum(rows)::bigint FROM rivulet.release_table")[0].value(0)
    return (run, rows)
  }

  /// The medians of listing the releases, rolling one back, and refreshing what reads it.
  private func commands(_ release: (path: String, name: String)) throws -> [Double] {
    try workbench.rivulet(["run", "cms-rvu", "--no-refresh", "--force", release.path])
    try workbench.rivulet(["refresh"])
    var times: [[Double]] = [[], [], []]
    for turn in 0...workbench.options.runs {
      let runs = try [
        workbench.rivulet(["releases", "list", "cms-rvu"]),
        workbench.rivulet(["releases", "rollback", "cms-rvu", release.name, "--no-refresh"]),
        workbench.rivulet(["refresh", "mart.rvu_by_status"]),
      ]
      try workbench.rivulet(
        ["releases", "publish", "cms-rvu", release.name, "--revision", "2", "--no-refresh"])
      try workbench.rivulet(["refresh"])
      guard turn > 0 else { continue }
      for (index, run) in runs.enumerated() { times[index].append(run.seconds) }
    }
    return times.map { Spread($0).median }
  }

  private func providers() throws -> Dataset {
    var found = Dataset(
      name: "providers", sizes: [100_000, 1_000_000, 3_000_000],
      lines: [Line(name: "loading a record", unit: "us"), Line(name: "memory", unit: "MB")], base: 100_000)
    for size in found.sizes {
      let file = try ProviderFile(in: workbench, records: size)
      defer { try? Files.remove(file.path) }
      let run = try workbench.withDatabase {
        try workbench.rivulet(["migrate", "up"])
        let run = try workbench.rivulet(["run", "nppes", "--no-refresh", file.path])
        try workbench.check(["directory.provider": size])
        return run
      }
      add(
        [run.seconds * 1e6 / Double(size), Double(run.peakMemory) / 1_048_576], to: &found, at: size)
    }
    return found
  }

  private func add(_ values: [Double], to found: inout Dataset, at size: Int) {
    for (index, value) in values.enumerated() { found.lines[index].values.append(value) }
    let shown = zip(found.lines, values).map { "\($0.name) \($1.fixed(3)) \($0.unit)" }
    workbench.say("  \(size.grouped) \(found.name): \(shown.joined(separator: ", "))")
  }
}

extension Growth.Dataset {
  /// The most that a measure may grow.
  static let limit = 1.15

  /// A row for each measure, a column for each size.
  var markdown: String {
    let heads = ["measure"] + sizes.map { "\($0.grouped) \(name)" } + ["from \(base.grouped) on"]
    let rows = zip(lines, growth).map { line, growth in
      [line.name] + line.values.map { "\($0.fixed($0 < 10 ? 3 : 1)) \(line.unit)" } + [growth.fixed(2)]
    }
    return ([heads, heads.map { _ in "---" }] + rows).map { "| \($0.joined(separator: " | ")) |\n" }.joined()
  }
}
