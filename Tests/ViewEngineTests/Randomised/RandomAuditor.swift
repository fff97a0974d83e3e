import Definitions
import PostgreSQL
import TestSupport
import Testing

/// One who holds the views against their SELECT at any moment, while others write and refresh.
///
/// A view may be behind then, but never without a trace: in whatever snapshot one looks, a group that differs
/// is one that rows in the queues of the same snapshot mean.
enum RandomAuditor {
  /// What it saw.
  struct Tally: Sendable {
    var exact = 0
    /// Different, in groups that the queues name.
    var behind = 0
    /// Not judged: everything has been asked for.
    var marked = 0
    /// Groups that differed and that nothing reports.
    var unexplained: [String] = []
  }

  /// Partitions that come and go leave no row in a queue; `mart.event` is left out.
  private static let audited = [
    "mart.user_month", "mart.visit_line", "mart.amount_line", "mart.loose", "mart.user_total",
  ]

  /// A TRUNCATE is seen at once whatever the snapshot, so that it must not come between this and the looking.
  private static let settings = """
    SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;
    LOCK TABLE app.visit, app.procedure, app.code, app.loose IN ACCESS SHARE MODE
    """

  /// Begins its part of a round, which it counts.
  static func start(
    _ database: TestDatabase, _ definitions: [ViewDefinition], counting tally: Shared<Tally>
  ) -> Background {
    Background {
      let connection = try database.connect()
      for name in (0..<4).flatMap({ _ in audited }) {
        let view = try #require(definitions.first { $0.name == name })
        try connection.transaction(settings: settings) { try audit(view, on: connection, tally) }
      }
    }
  }

  private static func audit(
    _ view: ViewDefinition, on connection: Connection, _ tally: Shared<Tally>
  ) throws {
    let marks = try connection.query("SELECT FROM rivulet.view_mark WHERE view = $1", [.text(view.name)])
    guard marks.count == 0 else { return tally.change { $0.marked += 1 } }
    let columns = view.key.map(\.value).joined(separator: ", ")
    let differing = """
      WITH fresh AS MATERIALIZED (SELECT \(columns), f::text AS line FROM (
      \(view.sql(keys: StoredViews.groups(of: view)))
      ) f), stored AS MATERIALIZED (SELECT \(columns), s::text AS line FROM \(Quote.qualified(view.name)) s)
      (SELECT * FROM fresh EXCEPT ALL SELECT * FROM stored) UNION ALL (SELECT * FROM stored EXCEPT ALL SELECT * FROM fresh)
      """
    let found = try connection.execute(differing).count
    guard found > 0 else { return tally.change { $0.exact += 1 } }
    let queues = try connection.query(
      "SELECT source, queue FROM rivulet.view_source WHERE view = $1 AND queue IS NOT NULL",
      [.text(view.name)])
    let pending = try queues.rows.map { row in
      let source = try #require(view.sources.first { $0.name.value == row[0] })
      guard case .groups(_, let keys) = source.change else {
        return "SELECT \(columns) FROM stored WHERE false"
      }
      return "(WITH changed AS (SELECT * FROM \(row[1] ?? "")) \(keys.sql))"
    }
    let unexplained = try connection.execute(
      "SELECT \(columns) FROM (\(differing)) d EXCEPT (\(pending.joined(separator: "\nUNION ALL\n")))")
    tally.change { $0.unexplained += unexplained.rows.map { "\(view.name) \($0[0] ?? "NULL")" } }
    tally.change { $0.behind += 1 }
  }
}
