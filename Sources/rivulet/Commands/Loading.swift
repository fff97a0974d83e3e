import Definitions
import PipelineCore
import PipelineEngine
import PostgreSQL

/// Loads sources as `run` does, and shows how far it has come and what is odd about each run that has ended.
func load(
  _ found: [Discovered], through pipeline: Pipeline, on connection: Connection, to target: ConnectionTarget,
  _ invocation: Invocation, _ session: Session, report: (RunReport) -> Void
) throws {
  for warning in found.flatMap(\.warnings) { session.warn(warning) }
  let engine = try LoadOptions.engine(pipeline, on: connection, to: target, invocation, session)
  let lineage = try session.lineage()
  // In the order in which they are loaded; of those that begin meanwhile each is said to begin when its turn
  // comes.
  var loads = Discovered.inOrder(found)[...]
  func next() -> LineageLoad? {
    guard let lineage, let found = loads.popFirst() else { return nil }
    let load = LineageLoad(
      found, through: pipeline, named: pipeline.name, on: connection, at: target, lineage)
    load.start()
    return load
  }
  var current = next()
  do {
    try session.showing(engine.progress) {
      try engine.run(found, lockWait: try session.lockWait()) { run in
        session.record.add(run)
        current?.end(run)
        current = nil
        warn(of: run, session)
        report(run)
        current = next()
      }
    }
  } catch {
    session.record.add(error)
    current?.end((error as? RunFailure)?.report, error)
    throw error
  }
}
