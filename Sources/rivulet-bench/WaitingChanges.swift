import PostgreSQL

/// A million statements of a row each, none of which was followed by a refresh: how much room what waits takes,
/// and how long the refresh takes that comes at last.
enum WaitingChanges {
  private static let statements = 1_000_000
  private static let template = "bench_template"

  static func measure(in workbench: Workbench) throws -> Runs {
    let table = RequestTable(rows: 200_000)
    let view = table.byStatus
    let project = try BenchProject(in: workbench, named: "waiting-changes")
    return try workbench.withDatabase(template) {
      let queue = try prepare(table, project, workbench)
      var runs = try workbench.compare(
        ["statements": statements, "rows waiting": queue.rows],
        ours: { _ in
          try workbench.withDatabase(from: template) {
            let run = try project.rivulet(["refresh", view.name])
            try view.checkRefresh(groups: RequestTable.groups[0], in: workbench)
            try view.check([view.name], in: workbench)
            return run
          }
        })
      runs.sizes = [queue.size]
      return runs
    }
  }

  /// Makes the template, in which changes wait; gives how many rows they are, and their size in bytes.
  private static func prepare(
    _ table: RequestTable, _ project: BenchProject, _ workbench: Workbench
  ) throws -> (rows: Int, size: Int) {
    try project.rivulet(["migrate", "up"], on: template)
    let connection = try workbench.connect(to: template)
    try table.make(on: connection)
    try table.byStatus.write(to: project)
    try project.rivulet(["migrate", "up"], on: template)
    workbench.say("  \(statements) statements")
    // Half of them bring a request, half move one on.
    try connection.execute(
      """
      DO $do$ BEGIN
        FOR n IN 1..\(statements / 2) LOOP
          INSERT INTO \(table.name) VALUES (\(table.rows) + n, 'new', 'low', n % 100, 1, now());
          \(table.move("id = 1 + n % \(table.rows)"));
          IF n % 500 = 0 THEN COMMIT; END IF;
        END LOOP;
      END $do$
      """)
    let queue: String = try connection.query("SELECT queue FROM rivulet.view_source")[0].value(0)
    let size: Int = try connection.query("SELECT pg_total_relation_size($1)", [.text(queue)])[0].value(0)
    return (try workbench.rows(of: queue, in: template), size)
  }
}
