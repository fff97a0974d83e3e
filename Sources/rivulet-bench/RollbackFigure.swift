import Host
import PostgreSQL

/// `releases rollback` and `releases publish`, from the start of the program to its end, on a database with
/// two revisions of a release, against a command that only starts, connects and looks.
///
/// What the ratio leaves over one is what moving the tables of a release takes, whatever their size.
struct RollbackFigure {
  /// The bundle that is loaded.
  let source: String

  private static let database = "bench"
  private static let limit = 2.0

  func measure(in workbench: Workbench) throws -> [Figure] {
    try workbench.withDatabase(Self.database) {
      _ = try workbench.rivulet(["migrate", "up"], on: Self.database)
      _ = try workbench.rivulet(["run", "cms-rvu", source], on: Self.database)
      _ = try workbench.rivulet(["run", "cms-rvu", source, "--force"], on: Self.database)
      let rows = try workbench.rows(of: ["cms.rvu"], in: Self.database)[0]
      let release = try workbench.connect(to: Self.database).query(
        "SELECT release FROM rivulet.current_release")[0]
        .value(0, String.self)
      var publishings: [Double] = []
      let runs = try workbench.compare(
        ours: {
          let run = try move(["rollback", "cms-rvu"], workbench)
          try check(revision: 1, rows, workbench)
          publishings.append(try move(["publish", "cms-rvu", release], workbench).seconds)
          try check(revision: 2, rows, workbench)
          return run
        }, yardstick: { try workbench.rivulet(["releases", "list", "cms-rvu"], on: Self.database) })
      let idle = runs.yardstick.map(\.seconds)
      return [
        Figure(
          "rollback", ours: runs.ours.map(\.seconds), yardstick: idle, limit: Self.limit,
          details: [("rows of cms.rvu", rows)]),
        Figure(
          "rollback-publish", ours: Array(publishings.dropFirst()), yardstick: idle, limit: Self.limit,
          details: [("rows of cms.rvu", rows)]),
      ]
    }
  }

  /// Runs a command of `releases` that moves tables, without the refresh of the views that follows it.
  private func move(_ command: [String], _ workbench: Workbench) throws -> ProgramRun {
    try workbench.rivulet(["releases"] + command + ["--no-refresh"], on: Self.database)
  }

  /// Throws unless this revision is published with its rows.
  private func check(revision: Int, _ rows: Int, _ workbench: Workbench) throws {
    let connection = try workbench.connect(to: Self.database)
    let found: Int = try connection.query("SELECT revision FROM rivulet.current_release")[0].value(0)
    guard found == revision else {
      throw BenchError.wrongCount(what: "the published revision", expected: revision, found: found)
    }
    let count = try workbench.rows(of: ["cms.rvu"], in: Self.database)[0]
    guard count == rows else {
      throw BenchError.wrongCount(what: "rows of cms.rvu", expected: rows, found: count)
    }
  }
}
