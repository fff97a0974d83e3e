import Definitions
import PipelineCore
import PostgreSQL
import Store

extension ReleaseChange {
  /// Counts them in a staged table; nil where nothing is published that it could be held against.
  ///
  /// To be called in a transaction, under the pipeline's lock, which keeps what is published where it is.
  init?(
    of staged: StagedTable, as release: ReleaseIdentity, pipeline: Pipeline, on connection: Connection
  ) throws {
    guard
      let base = try ReleaseStore(connection: connection).base(
        of: release, pipeline: pipeline.name),
      !base.missing.contains(staged.target.name),
      let source = pipeline.sources.first,
      let compared = try ComparedTable.all(of: source, in: pipeline, on: connection).first
    else { return nil }
    let row = try connection.execute(
      compared.totals(
        from: ComparedSide(relation: compared.name, release: base.release),
        to: ComparedSide(relation: staged.name, release: release.name)))[0]
    self.init(
      table: compared.name, from: base.release, fromRevision: base.revision, added: try row.value(0),
      removed: try row.value(1), changed: try row.value(2))
  }
}
