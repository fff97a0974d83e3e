import Glibc
import PostgreSQL

/// COPY of a million rows into a table that a view is computed from, against the same table without. The
/// primary key is captured, of which none comes twice.
///
/// Both have a primary key and an index on the user, as such tables have: the fewer indexes, the dearer
/// capture looks.
enum ViewCapture {
  private static let rows = 1_000_000
  private static let template = "bench_template"
  private static let view = BenchView(
    name: "bench.by_visit", key: "id", source: "bench.visit", columns: "id, sum(amount) AS amount",
    grouping: "id")

  static func measure(in workbench: Workbench) throws -> Runs {
    try workbench.withDatabase(template) {
      let queue = try prepare(BenchProject(in: workbench, named: "view-capture"), workbench)
      let file = workbench.path("visits.csv")
      defer { unlink(file) }
      // Visits in the order of their numbers, a user's strewn over all of them.
      let visits = """
        SELECT n, n * 7919::bigint % 100000, date '2020-01-01' + n / 500, (n % 10007) / 10.0, 'visit ' || n % 977 \
        FROM generate_series(1, \(rows)) n
        """
      try workbench.psql("\\copy (\(visits)) TO '\(file)' (FORMAT csv)\n", on: template)
      func copy(into table: String, _ expected: [String: Int]) throws -> ProgramRun {
        try workbench.runAlone(from: template, expecting: expected) {
          try workbench.psql("\\copy \(table) FROM '\(file)' (FORMAT csv)\n")
        }
      }
      return try workbench.compare(
        ["rows": rows, "captured": rows],
        ours: { _ in try copy(into: view.source, [view.source: rows, queue: rows]) },
        yardstick: { _ in try copy(into: "bench.plain", ["bench.plain": rows]) })
    }
  }

  /// Makes the tables and the view; gives the table that changed keys wait in.
  private static func prepare(_ project: BenchProject, _ workbench: Workbench) throws -> String {
    try project.rivulet(["migrate", "up"], on: template)
    let connection = try workbench.connect(to: template)
    for table in [view.source, "bench.plain"] {
      try connection.execute(
        """
        CREATE TABLE \(table) (id bigint PRIMARY KEY, user_id bigint NOT NULL, visit_date date NOT NULL,
          amount numeric(8,2) NOT NULL, note text);
        CREATE INDEX ON \(table) (user_id)
        """)
    }
    try view.write(to: project)
    try project.rivulet(["migrate", "up"], on: template)
    return try workbench.connect(to: template).query("SELECT queue FROM rivulet.view_source")[0].value(0)
  }
}
