import PostgreSQL

/// One per cent of the keys of ten million facts have changed: `rivulet refresh`, from the start of the
/// program to its end, against `REFRESH MATERIALIZED VIEW CONCURRENTLY` of the same sums, which readers can
/// look at meanwhile as well.
///
/// The yardstick's session is given memory enough to hash all keys; with the server's own it is slower still.
struct ViewKeysFigure {
  private static let table = FactTable(keys: 1_000_000, order: .strewn)
  private static let changed = table.keys / 100
  private static let materialized = "bench.materialized"
  private static let database = "bench"
  private static let limit = 0.05
  private static let memoryLimit = 64.0

  func measure(in workbench: Workbench) throws -> [Figure] {
    let project = try BenchProject(in: workbench, named: FigureName.viewKeys.rawValue)
    return try workbench.withDatabase(Self.database) {
      try project.makeFacts([(Self.table, Self.changed)], in: Self.database, workbench)
      let connection = try workbench.connect(to: Self.database)
      try connection.execute(
        """
        SET work_mem = '256MB';
        CREATE MATERIALIZED VIEW \(Self.materialized) AS \(Self.table.view.select());
        CREATE UNIQUE INDEX ON \(Self.materialized) (key)
        """)
      var round = 0
      let runs = try workbench.compare(
        ours: {
          round += 1
          try Self.table.change(Self.changed, round: round, on: connection)
          return try project.refresh(Self.table.view, groups: Self.changed, in: Self.database, workbench)
        },
        yardstick: {
          let run = try workbench.psql(
            "SET work_mem = '256MB';\nREFRESH MATERIALIZED VIEW CONCURRENTLY \(Self.materialized);\n",
            on: Self.database)
          try Self.table.view.check([Self.table.view.name, Self.materialized], on: connection)
          return run
        })
      return [
        Figure(
          FigureName.viewKeys.rawValue, ours: runs.ours.map(\.seconds),
          yardstick: runs.yardstick.map(\.seconds), limit: Self.limit,
          details: [("facts", Self.table.facts), ("keys", Self.table.keys), ("changed", Self.changed)]),
        Figure(
          FigureName.viewKeys.rawValue + "-memory", peaks: runs.ours.map(\.peakMemory),
          limit: Self.memoryLimit),
      ]
    }
  }
}

extension BenchProject {
  /// Makes tables of facts, each with the first round of its changes done, and their views, filled.
  func makeFacts(
    _ tables: [(table: FactTable, changed: Int)], in database: String, _ workbench: Workbench
  ) throws {
    _ = try rivulet(["migrate", "up"], on: database, workbench)
    let connection = try workbench.connect(to: database)
    for (table, changed) in tables {
      try table.make(on: connection)
      try table.change(changed, round: 0, on: connection)
      try add(table.view)
    }
    _ = try rivulet(["migrate", "up"], on: database, workbench)
    _ = try rivulet(["refresh"], on: database, workbench)
    try connection.execute("CHECKPOINT")
  }

  /// Refreshes a view by the program; throws unless it computed so many groups, and wrote some of them.
  func refresh(_ view: BenchView, groups: Int, in database: String, _ workbench: Workbench) throws
    -> ProgramRun
  {
    let run = try rivulet(["refresh", view.name], on: database, workbench)
    try view.checkRefresh(groups: groups, on: workbench.connect(to: database))
    return run
  }
}
