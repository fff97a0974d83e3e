import Host
import PipelineCore
import PostgreSQL
import Values
import ViewEngine

/// The events of views that are refreshed.
struct LineageViews {
  let lineage: Lineage
  let target: ConnectionTarget

  /// Writes that a view was refreshed, or that this failed; nothing where there was nothing to do.
  func add(_ refresh: ViewRefresh, on connection: Connection) {
    guard [.refreshed, .failed].contains(refresh.outcome) else { return }
    let job: JSON = ["jobType": LineageFacet.jobType("VIEW")]
    let run = LineageRun(
      refresh.view, in: lineage.namespace, job: job, parent: lineage.parent, to: lineage.sink)
    let inputs = reads(of: refresh.view, on: connection).map {
      LineageTable($0, at: target, on: connection).dataset()
    }
    let view = LineageTable(refresh.view, at: target, on: connection)
    run.start(at: Machine.preciseTime(ago: refresh.seconds), inputs: inputs, outputs: [view.dataset()])
    let isDone = refresh.outcome == .refreshed
    run.end(
      refresh.error.map(Lineage.end) ?? (isDone ? .complete : .fail("the view could not be refreshed")),
      inputs: inputs, outputs: [view.dataset(counted: isDone ? refresh.rowsChanged : nil)])
  }

  /// The tables and views that a stored view is computed from.
  private func reads(of view: String, on connection: Connection) -> [String] {
    let rows = try? connection.query(
      """
      SELECT DISTINCT n.nspname || '.' || c.relname
      FROM rivulet.view v
      JOIN pg_rewrite w ON w.ev_class = to_regclass('rivulet.view_' || v.number)
      JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid
        AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> w.ev_class
      JOIN pg_class c ON c.oid = d.refobjid JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE v.name = $1 ORDER BY 1
      """, [.text(view)])
    return rows.map { $0.rows.compactMap { $0[0] } } ?? []
  }
}
