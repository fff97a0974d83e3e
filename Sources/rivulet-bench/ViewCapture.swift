import Glibc
import PostgreSQL

/// COPY of a million rows into a table that views are computed from, against the same table without.
///
/// Both have the keys and indexes that such tables have: the fewer indexes, the dearer capture looks.
struct ViewCapture {
  private static let rows = 1_000_000
  private static let template = "bench_template"
  private static let plain = "bench.plain"

  /// The table's columns, and its indexes' but for the key's.
  let columns: String
  let indexed: [String]
  /// A SELECT of so many rows.
  let content: (Int) -> String
  let views: [BenchView]
  /// How many rows one COPY leaves in each view's queue.
  let queued: [Int]

  /// Groups are computed from their rows, since lists cannot be added up. The primary key is captured, of which
  /// none comes twice.
  static func byKey(in workbench: Workbench) throws -> Runs {
    let view = BenchView(
      name: "bench.by_visit", key: "id", source: "bench.visit", columns: "id, array_agg(amount) AS amounts",
      grouping: "id")
    return try ViewCapture(
      columns: """
        id bigint PRIMARY KEY, user_id bigint NOT NULL, visit_date date NOT NULL, amount numeric(8,2) NOT NULL,
        note text
        """,
      indexed: ["user_id"],
      // Visits in the order of their numbers, a user's strewn over all of them.
      content: {
        """
        SELECT n, n * 7919::bigint % 100000, date '2020-01-01' + n / 500, (n % 10007) / 10.0, 'visit ' || n % 977 \
        FROM generate_series(1, \($0)) n
        """
      }, views: [view], queued: [rows]
    ).measure(in: workbench)
  }

  /// Changes are added up, by three views.
  static func added(in workbench: Workbench) throws -> Runs {
    let table = RequestTable(rows: rows)
    return try ViewCapture(
      columns: RequestTable.columns, indexed: RequestTable.indexed, content: RequestTable.content,
      views: table.views, queued: RequestTable.groups
    ).measure(in: workbench)
  }

  private func measure(in workbench: Workbench) throws -> Runs {
    try workbench.withDatabase(Self.template) {
      let queues = try prepare(BenchProject(in: workbench, named: "view-capture"), workbench)
      let file = workbench.path("rows.csv")
      defer { unlink(file) }
      try workbench.psql(
        "\\copy (\(content(Self.rows))) TO '\(file)' (FORMAT csv)\n", on: Self.template)
      func copy(into table: String, _ expected: [String: Int]) throws -> ProgramRun {
        try workbench.runAlone(from: Self.template, expecting: expected) {
          try workbench.psql("\\copy \(table) FROM '\(file)' (FORMAT csv)\n")
        }
      }
      var expected = [views[0].source: Self.rows]
      for (queue, rows) in zip(queues, queued) { expected[queue] = rows }
      return try workbench.compare(
        ["rows": Self.rows, "captured": queued.reduce(0, +)],
        ours: { _ in try copy(into: views[0].source, expected) },
        yardstick: { _ in try copy(into: Self.plain, [Self.plain: Self.rows]) })
    }
  }

  /// Makes the tables and the views; gives the tables that changes wait in.
  private func prepare(_ project: BenchProject, _ workbench: Workbench) throws -> [String] {
    try project.rivulet(["migrate", "up"], on: Self.template)
    let connection = try workbench.connect(to: Self.template)
    for table in [views[0].source, Self.plain] {
      try connection.execute("CREATE TABLE \(table) (\(columns))")
      for index in indexed { try connection.execute("CREATE INDEX ON \(table) (\(index))") }
    }
    for view in views { try view.write(to: project) }
    try project.rivulet(["migrate", "up"], on: Self.template)
    return try views.map { view in
      try connection.query("SELECT queue FROM rivulet.view_source WHERE view = $1", [.text(view.name)])[0]
        .value(0)
    }
  }
}
