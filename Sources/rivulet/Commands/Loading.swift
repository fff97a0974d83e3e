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
  do {
    try session.showing(engine.progress) {
      try engine.run(found, lockWait: try session.lockWait()) { run in
        session.record.add(run)
        warn(of: run, session)
        report(run)
      }
    }
  } catch {
    session.record.add(error)
    throw error
  }
}
