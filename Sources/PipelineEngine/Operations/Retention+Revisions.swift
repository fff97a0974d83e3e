public import Definitions
import Host
import PipelineCore
public import Store

/// A revision that retention looked at.
public struct ExpiredRevision: Sendable {
  /// The pipeline.
  public let pipeline: String
  /// The release.
  public let release: String
  /// Its number.
  public let revision: Int
  /// What was removed; nothing where it was left.
  public var removed = Removed()
  /// Why it was left for another time, as where a run of the pipeline is at work; nil where it is gone.
  public var leftBecause: String?
}

extension Retention {
  /// The revisions of a pipeline that ``removeRevisions(of:olderThan:_:)`` would look at now.
  /// - Throws: `PostgreSQLError`.
  public func expiredRevisions(of pipeline: Pipeline, olderThan span: Duration) throws -> [ExpiredRevision] {
    let amending = pipeline.sources.filter { $0.amendment != nil }.map(\.name)
    return try ReleaseStore(connection: connection).expired(
      pipeline.name, olderThan: span, amending: amending
    )
    .map { ExpiredRevision(pipeline: pipeline.name, release: $0.release, revision: $0.revision) }
  }

  /// Drops the revisions of a pipeline that were hidden longer ago than a span, each as `releases drop` does
  /// it.
  ///
  /// A revision that rolling the newest publication back would publish again was hidden with it. What the
  /// next corrections are applied to is kept: the tables of a release as they were before any.
  /// - Throws: `PostgreSQLError`, and `Interrupted` where the program is asked to end.
  public func removeRevisions(
    of pipeline: Pipeline, olderThan span: Duration, _ report: (ExpiredRevision) -> Void
  ) throws {
    let releases = Releases(connection: connection)
    for var expired in try expiredRevisions(of: pipeline, olderThan: span) {
      try Interruption.shared.check()
      do {
        let dropped = try releases.drop(
          pipeline: expired.pipeline, release: expired.release, revision: expired.revision)
        expired.removed.count = 1
        expired.removed.rows = dropped.rows
        expired.removed.bytes = dropped.bytes
      } catch let error as ReleaseOperationError {
        expired.leftBecause = error.description
      }
      report(expired)
    }
  }
}
