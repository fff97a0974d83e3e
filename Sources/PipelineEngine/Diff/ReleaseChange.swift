import Definitions
import PostgreSQL

/// How many rows of a release's main table are new, gone and changed against what was published before it.
public struct ReleaseChange: Sendable {
  /// The main table, `schema.table`: that of the pipeline's first source.
  public let table: String
  /// The published release that it was held against: the same one, else the one in effect before it.
  public let from: String
  /// Its published revision.
  public let fromRevision: Int
  /// Rows whose key is new.
  public let added: Int
  /// Rows whose key is gone.
  public let removed: Int
  /// Rows of both with another value in one column or more.
  public let changed: Int
}

extension ReleaseChange {
  /// Counts them in a staged table; nil where nothing is published that it could be held against.
  ///
  /// To be called in a transaction, under the pipeline's lock, which keeps what is published where it is.
  init?(
    of staged: StagedTable, as release: ReleaseIdentity, pipeline: Pipeline, on connection: Connection
  ) throws {
    guard let base = try StagedDiff.base(of: release, pipeline: pipeline.name, on: connection),
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
