import PostgreSQL

/// Views that count requests and add them up, and are kept by adding what statements have changed.
struct ViewOfRequests {
  private let project: BenchProject
  private let workbench: Workbench
  let connection: Connection

  /// Makes tables of requests and views over them, filled.
  init(_ tables: [RequestTable], _ views: [BenchView], in workbench: Workbench) throws {
    self.workbench = workbench
    project = try BenchProject(in: workbench, named: "view-of-requests")
    try project.rivulet(["migrate", "up"])
    connection = try workbench.connect(to: Workbench.own)
    for table in tables { try table.make(on: connection) }
    for view in views { try view.write(to: project) }
    try project.rivulet(["migrate", "up"])
    try workbench.check(["rivulet.view_source WHERE adds = 'sums'": views.count])
    try connection.execute("CHECKPOINT")
  }

  /// Executes a statement.
  func execute(_ sql: String) throws { try connection.execute(sql) }

  /// Refreshes a view, which must have written rows.
  func refresh(_ view: BenchView, groups: Int?, _ options: [String] = []) throws -> ProgramRun {
    let run = try project.rivulet(["refresh", view.name] + options)
    try view.checkRefresh(groups: groups, in: workbench)
    return run
  }

  /// Refreshes all that is behind, which is not measured.
  func refreshAll() throws { try project.rivulet(["refresh"]) }

  // MARK: One row

  /// A request that was new is pending, of tables of three sizes: the slowest refresh of six, from the start
  /// of the program to its end.
  static func row(in workbench: Workbench) throws -> Runs {
    let tables = [200_000, 2_000_000, 10_000_000].map { RequestTable(rows: $0) }
    return try workbench.withDatabase {
      let requests = try ViewOfRequests(tables, tables.flatMap { [$0.byStatus, $0.pending] }, in: workbench)
      let runs = try workbench.compare(
        ["rows": tables[2].rows, "refreshes": 6],
        ours: { turn in
          let runs = try tables.flatMap { try requests.refreshesOfRow($0, turn) }
          return runs.max { $0.seconds < $1.seconds } ?? runs[0]
        })
      for table in tables { try requests.check([table.byStatus, table.pending]) }
      return runs
    }
  }

  /// The same of ten million rows against two hundred thousand: both views of either.
  static func growth(in workbench: Workbench) throws -> Runs {
    let (large, small) = (RequestTable(rows: 10_000_000), RequestTable(rows: 200_000))
    return try workbench.withDatabase {
      let tables = [large, small]
      let requests = try ViewOfRequests(tables, tables.flatMap { [$0.byStatus, $0.pending] }, in: workbench)
      func refresh(_ table: RequestTable, _ turn: Int) throws -> ProgramRun {
        let runs = try requests.refreshesOfRow(table, turn)
        return runs[0] + runs[1]
      }
      return try workbench.compare(
        ["rows": large.rows, "rows of the yardstick": small.rows],
        ours: { try refresh(large, $0) }, yardstick: { try refresh(small, $0) })
    }
  }

  /// Changes a row, and refreshes the views by status and of what is pending.
  private func refreshesOfRow(_ table: RequestTable, _ turn: Int) throws -> [ProgramRun] {
    // Its number leaves no remainder, and so it is new.
    try execute(table.move("id = \(table.rows / 2 + 5 * turn)"))
    return [try refresh(table.byStatus, groups: 2), try refresh(table.pending, groups: 1)]
  }

  private func check(_ views: [BenchView]) throws {
    for view in views { try view.check([view.name], in: workbench) }
  }

  // MARK: All rows

  /// All groups of ten million rows, against the server's own `CREATE TABLE AS` of the same SELECT.
  static func full(in workbench: Workbench) throws -> Runs {
    let table = RequestTable(rows: 10_000_000)
    return try workbench.withDatabase {
      let requests = try ViewOfRequests([table], [table.byStatus], in: workbench)
      return try workbench.compare(
        ["rows": table.rows],
        ours: { turn in
          try requests.execute(table.move("id = \(5 * turn + 5)"))
          return try requests.refresh(table.byStatus, groups: nil, ["--full"])
        },
        yardstick: { _ in
          let copy = "bench.copy"
          let run = try workbench.psql("CREATE TABLE \(copy) AS \(table.byStatus.select());\n")
          try table.byStatus.check([table.byStatus.name, copy], in: workbench)
          try requests.execute("DROP TABLE \(copy)")
          return run
        })
    }
  }

  // MARK: Statements

  /// Updates of a row each, prepared, on one connection: of a table that three views read, against one that
  /// none does. Each is committed.
  static func updates(in workbench: Workbench) throws -> Runs {
    let count = 2_000
    let (watched, plain) = (RequestTable(rows: 200_000), RequestTable(rows: 200_000, suffix: "_plain"))
    return try workbench.withDatabase {
      let requests = try ViewOfRequests([watched, plain], watched.views, in: workbench)
      for table in [watched, plain] {
        try requests.execute("PREPARE \(table.statement) (bigint) AS \(table.move("id = $1"))")
      }
      func update(_ table: RequestTable, _ turn: Int) throws -> ProgramRun {
        // 7919 is prime: no row comes twice in a turn.
        let rows = (0..<count).map { (turn * count + $0) * 7919 % table.rows + 1 }
        return try workbench.timed {
          for row in rows { try requests.execute("EXECUTE \(table.statement) (\(row))") }
        }
      }
      let runs = try workbench.compare(
        ["updates": count, "views": watched.views.count],
        ours: { turn in
          let run = try update(watched, turn)
          try requests.refreshAll()
          return run
        }, yardstick: { try update(plain, $0) })
      try requests.check(watched.views)
      return runs
    }
  }
}

extension RequestTable {
  /// What the statement that moves one request is called.
  fileprivate var statement: String { "move\(suffix)" }
}
