import PostgreSQL

/// One per cent of two million requests moved on by one statement, and the refresh of the view that counts
/// them; against the extension pg_ivm, which keeps the same SELECT within the statement, on the same server and
/// with the same rows. Either has the statement in it, which takes as long without a view as the details say.
enum AddedBeside {
  private static let rows = 2_000_000
  private static let materialized = "bench.maintained"

  static func measure(in workbench: Workbench) throws -> Runs {
    let (table, other) = (RequestTable(rows: rows), RequestTable(rows: rows, suffix: "_ivm"))
    let plain = RequestTable(rows: rows, suffix: "_plain")
    let available = try workbench.connect().query(
      "SELECT FROM pg_available_extensions WHERE name = 'pg_ivm'")
    guard available.count > 0 else {
      throw BenchError.missing(
        "the server has no extension pg_ivm; Documentation/Benchmarks.md says how to build it")
    }
    return try workbench.withDatabase {
      let requests = try ViewOfRequests([table, other, plain], [table.byStatus], in: workbench)
      // Its hooks are there before any statement.
      try requests.execute(
        "CREATE EXTENSION pg_ivm; ALTER DATABASE \(Workbench.own) SET session_preload_libraries = 'pg_ivm'")
      let maintained = try workbench.connect(to: Workbench.own)
      let schema: String = try maintained.query(
        "SELECT pronamespace::regnamespace::text FROM pg_proc WHERE proname = 'create_immv'")[0].value(0)
      try maintained.query(
        "SELECT \(schema).create_immv($1, $2)", [.text(materialized), .text(other.byStatus.select())])
      try maintained.execute("CHECKPOINT")
      func move(_ table: RequestTable, _ turn: Int, by connection: Connection) throws -> ProgramRun {
        try workbench.timed { try connection.execute(table.move("id % 100 = \(turn % 100)")) }
      }
      var unwatched: [Double] = []
      var runs = try workbench.compare(
        ["rows": rows, "changed": rows / 100],
        ours: { turn in
          try move(table, turn, by: requests.connection) + requests.refresh(table.byStatus, groups: 2)
        },
        yardstick: { turn in
          let run = try move(other, turn, by: maintained)
          // It keeps columns of its own beside those of the SELECT.
          try table.byStatus.check(
            [table.byStatus.name, "(SELECT status, requests, oldest FROM \(materialized))"], in: workbench)
          unwatched.append(try move(plain, turn, by: requests.connection).seconds)
          return run
        })
      runs.details.append(("ms of the statement without a view", Int(Spread(unwatched).median * 1_000)))
      return runs
    }
  }
}
