import Glibc
import Host
import PostgreSQL

/// COPY of a million rows into a table that a view is computed from, against the same table without.
///
/// Both have a primary key and an index on the user, as such tables have: the fewer indexes, the dearer
/// capture looks.
struct ViewCaptureFigure {
  private static let rows = 1_000_000
  private static let users = 100_000
  private static let template = "bench_template"
  private static let database = "bench"
  private static let limit = 1.4

  /// What is captured: a key that comes again and again, and one that does not.
  private static let views = [
    BenchView(
      name: "bench.by_user", key: ["user_id"], unique: ["user_id"], source: "bench.visit_of_user",
      capture: ["user_id"], keys: "SELECT user_id FROM changed",
      columns: "user_id, count(*) AS visits, sum(amount) AS amount", grouping: "user_id"),
    BenchView(
      name: "bench.by_visit", key: ["id"], unique: ["id"], source: "bench.visit", capture: ["id"],
      keys: "SELECT id FROM changed", columns: "id, sum(amount) AS amount", grouping: "id"),
  ]

  func measure(in workbench: Workbench) throws -> [Figure] {
    let project = try BenchProject(in: workbench, named: FigureName.viewCapture.rawValue)
    return try workbench.withDatabase(Self.template) {
      try prepare(project, workbench)
      let file = workbench.path("visits.csv")
      defer { unlink(file) }
      _ = try workbench.psql("\\copy (\(Self.visits)) TO '\(file)' (FORMAT csv)\n", on: Self.template)
      return try Self.views.map { view in
        let captured = view.capture == ["id"] ? Self.rows : Self.users
        let runs = try workbench.compare(
          ours: { try copy(file, into: view.source, expecting: captured, of: view, workbench) },
          yardstick: { try copy(file, into: "bench.plain", workbench) })
        return Figure(
          FigureName.viewCapture.rawValue + (captured == Self.rows ? "-unique" : "-repeats"),
          ours: runs.ours.map(\.seconds), yardstick: runs.yardstick.map(\.seconds), limit: Self.limit,
          details: [("rows", Self.rows), ("captured", captured)])
      }
    }
  }

  /// Visits in the order of their numbers, a user's strewn over all of them.
  private static let visits = """
    SELECT n, n * 7919::bigint % \(users), date '2020-01-01' + n / 500, (n % 10007) / 10.0, 'visit ' || n % 977 \
    FROM generate_series(1, \(rows)) n
    """

  private func prepare(_ project: BenchProject, _ workbench: Workbench) throws {
    _ = try project.rivulet(["migrate", "up"], on: Self.template, workbench)
    let connection = try workbench.connect(to: Self.template)
    for table in Self.views.map(\.source) + ["bench.plain"] {
      try connection.execute(
        """
        CREATE TABLE \(table) (id bigint PRIMARY KEY, user_id bigint NOT NULL, visit_date date NOT NULL,
          amount numeric(8,2) NOT NULL, note text);
        CREATE INDEX ON \(table) (user_id)
        """)
    }
    for view in Self.views { try project.add(view) }
    _ = try project.rivulet(["migrate", "up"], on: Self.template, workbench)
  }

  /// Loads the file once; throws unless the table has all rows, and the view's queue as many as are expected.
  private func copy(
    _ file: String, into table: String, expecting captured: Int = 0, of view: BenchView? = nil,
    _ workbench: Workbench
  ) throws -> ProgramRun {
    try workbench.withDatabase(Self.database, from: Self.template) {
      let run = try workbench.psql("\\copy \(table) FROM '\(file)' (FORMAT csv)\n", on: Self.database)
      var expected = [(table, Self.rows)]
      if let view {
        let queue: String = try workbench.connect(to: Self.database).query(
          "SELECT queue FROM rivulet.view_source WHERE view = $1", [.text(view.name)])[0].value(0)
        expected.append((queue, captured))
      }
      let found = try workbench.rows(of: expected.map(\.0), in: Self.database)
      for ((table, expected), found) in zip(expected, found) where expected != found {
        throw BenchError.wrongCount(what: "rows of \(table)", expected: expected, found: found)
      }
      return run
    }
  }
}
