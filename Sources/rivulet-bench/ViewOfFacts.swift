import PostgreSQL

/// Keys of many facts have changed: `rivulet refresh` of their sums, from the start of the program to its end.
struct ViewOfFacts {
  private static let changed = 10_000

  private let workbench: Workbench
  private let project: BenchProject
  private let connection: Connection

  /// Makes tables of facts, each with the first round of its changes done, and their views, filled.
  private init(_ tables: [FactTable], in workbench: Workbench) throws {
    self.workbench = workbench
    project = try BenchProject(in: workbench, named: "view-of-\(tables.count)-tables")
    try project.rivulet(["migrate", "up"])
    connection = try workbench.connect(to: Workbench.own)
    for table in tables {
      try table.make(on: connection)
      try table.change(Self.changed, round: 0, on: connection)
      try table.view.write(to: project)
    }
    try project.rivulet(["migrate", "up"])
    try project.rivulet(["refresh"])
    try connection.execute("CHECKPOINT")
  }

  /// Changes a table and refreshes its view, which is what is timed.
  private func refresh(_ table: FactTable, round: Int) throws -> ProgramRun {
    try table.change(Self.changed, round: round, on: connection)
    let run = try project.rivulet(["refresh", table.view.name])
    try table.view.checkRefresh(groups: Self.changed, in: workbench)
    return run
  }

  /// One per cent of the keys of ten million facts, against `REFRESH MATERIALIZED VIEW CONCURRENTLY` of the
  /// same sums, which readers can look at meanwhile as well.
  ///
  /// The yardstick's session is given memory enough to hash all keys; with the server's own it is slower still.
  static func keys(in workbench: Workbench) throws -> Runs {
    let table = FactTable(keys: 1_000_000, order: .strewn)
    let materialized = "bench.materialized"
    return try workbench.withDatabase {
      let views = try ViewOfFacts([table], in: workbench)
      try workbench.psql(
        """
        SET work_mem = '256MB';
        CREATE MATERIALIZED VIEW \(materialized) AS \(table.view.select());
        CREATE UNIQUE INDEX ON \(materialized) (key);

        """)
      return try workbench.compare(
        ["facts": table.facts, "keys": table.keys, "changed": changed],
        ours: { try views.refresh(table, round: $0 + 1) },
        yardstick: { _ in
          let run = try workbench.psql(
            "SET work_mem = '256MB';\nREFRESH MATERIALIZED VIEW CONCURRENTLY \(materialized);\n")
          try table.view.check([table.view.name, materialized], in: workbench)
          return run
        })
    }
  }

  /// The same number of keys of ten million facts, and of one million: what a refresh takes must follow what
  /// has changed, not how much there is.
  ///
  /// A key's facts are together: of strewn ones a page each has to be had from the system where the server's
  /// own memory does not hold the table, however they are read.
  static func growth(in workbench: Workbench) throws -> Runs {
    let large = FactTable(keys: 1_000_000, order: .together)
    let small = FactTable(keys: 100_000, order: .together)
    return try workbench.withDatabase {
      let views = try ViewOfFacts([large, small], in: workbench)
      let runs = try workbench.compare(
        ["facts": large.facts, "facts of the yardstick": small.facts, "changed": changed],
        ours: { try views.refresh(large, round: $0 + 1) },
        yardstick: { try views.refresh(small, round: $0 + 1) })
      for table in [large, small] { try table.view.check([table.view.name], in: workbench) }
      return runs
    }
  }
}
