import Definitions
import PipelineCore
import PostgreSQL
import Store

extension StagedDiff {
  /// Compares staged tables with what is published; nil where nothing is that they could be held against.
  ///
  /// To be called under the pipeline's lock, which keeps what is published where it is.
  ///
  /// `staged`: by target.
  init?(
    _ staged: [String: StagedTable], of release: ReleaseIdentity, pipeline: Pipeline,
    on connection: Connection
  ) throws {
    guard let base = try ReleaseStore(connection: connection).base(of: release, pipeline: pipeline.name)
    else { return nil }
    let lacking = pipeline.lackedTargets(by: Array(staged.keys))
    let tables = try ComparedTable.all(of: pipeline, on: connection).map { table in
      let missing: [TableDiff.Side] =
        (base.missing.contains(table.name) ? [.from] : []) + (lacking.contains(table.name) ? [.to] : [])
      return try TableDiff(
        table, from: ComparedSide(relation: table.name, release: base.release),
        to: ComparedSide(relation: staged[table.name]?.name ?? table.name, release: release.name),
        missingIn: missing, on: connection)
    }
    self.init(from: base.release, fromRevision: base.revision, to: release.name, tables: tables)
  }
}
