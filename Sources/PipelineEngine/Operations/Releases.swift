public import PipelineCore
public import PostgreSQL
public import Store

/// What rolling a publication back did, or would do.
public struct RolledBack: Sendable {
  /// The publication's number.
  let publication: Int
  /// The release.
  public let release: String
  /// The revision that was hidden.
  public let withdrawn: Int
  /// The one that came back in its place.
  public let restored: Int?
  /// The release was pinned, and is no more, since it is not published.
  public let isUnpinned: Bool
  /// The last day whose changes were merged into the revision that went; nil where there were none.
  public let mergedTo: String?
}

/// The releases of a database: what is there, what is published, what is current.
public struct Releases {
  private let connections: PipelineConnections
  /// How long to wait for a run of the same pipeline, in seconds.
  public var lockWait = 0.0

  /// The releases of one database.
  ///
  /// Changes are tried again where they fail for a reason that may pass; `onRetry` takes a sentence on each
  /// new try.
  public init(connection: Connection, onRetry: @escaping @Sendable (String) -> Void = { _ in }) {
    connections = PipelineConnections(connection, retry: Retry(limit: 3, tell: onRetry))
  }

  var connection: Connection { get throws { try connections.main } }

  private var store: ReleaseStore { get throws { ReleaseStore(connection: try connection) } }

  /// All revisions, newest release first.
  /// - Throws: `PostgreSQLError` where a statement fails.
  public func list(pipeline: String? = nil) throws -> [ReleaseRow] { try store.list(pipeline: pipeline) }

  /// The current release of a pipeline and its age in days, see ``ReleaseStore/currentAge(of:)``.
  /// - Throws: `PostgreSQLError` where a statement fails.
  public func currentAge(of pipeline: String) throws -> (release: String, days: Int)? {
    try store.currentAge(of: pipeline)
  }

  /// The current release of a pipeline and when it is in effect, see ``ReleaseStore/current(of:)``.
  /// - Throws: `PostgreSQLError` where a statement fails.
  public func current(of pipeline: String) throws -> CurrentRelease? { try store.current(of: pipeline) }

  /// Publishes a revision of a release, or else the one that was withdrawn or staged last.
  ///
  /// Gives the revision, and whether there was anything to do.
  /// - Throws: ``ReleaseOperationError`` where it is unknown, a run is at work or readers hold its tables.
  public func publish(
    pipeline: String, release: String, revision: Int? = nil
  ) throws -> (revision: Int, isNew: Bool) {
    var isRepeated = false
    return try locked(pipeline) { connection in
      defer { isRepeated = true }
      let revisions = try store.revisions(of: release, pipeline: pipeline)
      guard let latest = revisions.first else {
        throw ReleaseOperationError.unknown(
          pipeline: pipeline, release: release, known: try store.names(of: pipeline))
      }
      let chosen = revision.map { number in revisions.first { $0.revision == number } } ?? latest
      guard let named = chosen else {
        throw ReleaseOperationError.unknownRevision(
          release: release, revision: revision ?? 0, known: revisions.map(\.revision).sorted(by: >))
      }
      if named.state == "published" {
        // The COMMIT of an earlier try, whose answer was lost, may have done it.
        return (named.revision, isRepeated)
      }
      try Publisher(connection: connection, pipeline: pipeline, lockWait: lockWait)
        .publish(ReleaseRevision(release: release, revision: named.revision))
      return (named.revision, true)
    }
  }

  /// Makes a published release the current one until further notice; nil lets the calendar decide again.
  /// - Throws: ``ReleaseOperationError`` where it is not published, or a run is at work.
  public func pin(pipeline: String, release: String?) throws {
    try locked(pipeline) { connection in
      if let release {
        let revisions = try store.revisions(of: release, pipeline: pipeline)
        guard !revisions.isEmpty else {
          throw ReleaseOperationError.unknown(
            pipeline: pipeline, release: release, known: try store.names(of: pipeline))
        }
        guard revisions.contains(where: { $0.state == "published" }) else {
          throw ReleaseOperationError.notPublished(release: release)
        }
      }
      try store.pin(release, pipeline: pipeline)
    }
  }

  /// What ``rollback(pipeline:release:)`` would do now.
  ///
  /// `release`: whose newest publication is meant; nil is the pipeline's.
  /// - Throws: ``ReleaseOperationError`` where the release is unknown, or nothing is published.
  public func rollbackDue(pipeline: String, release: String? = nil) throws -> RolledBack {
    let revisions = try namingRights(of: pipeline) { try list(pipeline: pipeline) }
    if let release, !revisions.contains(where: { $0.release == release }) {
      throw ReleaseOperationError.unknown(
        pipeline: pipeline, release: release, known: try store.names(of: pipeline))
    }
    guard let newest = try store.newestPublication(of: pipeline, release: release) else {
      throw ReleaseOperationError.nothingToRollBack(pipeline: pipeline, release: release)
    }
    let withdrawn = revisions.first {
      $0.release == newest.published.release && $0.revision == newest.published.revision
    }
    return RolledBack(
      publication: newest.number, release: newest.published.release, withdrawn: newest.published.revision,
      restored: newest.replaced?.revision,
      isUnpinned: newest.replaced == nil && withdrawn?.isPinned == true, mergedTo: withdrawn?.mergedTo)
  }

  /// Rolls the newest publication of a pipeline, or of one release of it, back.
  /// - Throws: ``ReleaseOperationError`` where nothing is published, a run is at work or readers hold tables.
  public func rollback(pipeline: String, release: String? = nil) throws -> RolledBack {
    try rollBack(try rollbackDue(pipeline: pipeline, release: release), pipeline: pipeline)
  }

  /// Rolls a publication back, and no other.
  /// - Throws: ``ReleaseOperationError`` where it is not published any more, a run is at work or readers hold
  ///   tables.
  public func rollBack(_ due: RolledBack, pipeline: String) throws -> RolledBack {
    var tried: Publisher.Rollback?
    let rollback = try locked(pipeline) { connection in
      let publisher = Publisher(connection: connection, pipeline: pipeline, lockWait: lockWait)
      // The COMMIT of an earlier try, whose answer was lost, may have done it: another would go one further
      // back.
      if let tried, try store.isUndone(tried.publication) { return tried }
      return try publisher.rollback(due.publication, of: due.release) { tried = $0 }
    }
    return RolledBack(
      publication: rollback.publication, release: rollback.withdrawn.release,
      withdrawn: rollback.withdrawn.revision,
      restored: rollback.restored?.revision, isUnpinned: rollback.isUnpinned,
      mergedTo: try list(pipeline: pipeline).first {
        $0.release == rollback.withdrawn.release && $0.revision == rollback.withdrawn.revision
      }?.mergedTo)
  }

  /// Removes a release with all its revisions for good, or one revision of it that is not published.
  ///
  /// - Throws: ``ReleaseOperationError`` where readers of "current" see the release, or where the one revision
  /// is published.
  public func drop(pipeline: String, release: String, revision: Int? = nil) throws -> DroppedRelease {
    var tried: DroppedRelease?
    return try locked(pipeline) { connection in
      // The COMMIT of an earlier try, whose answer was lost, may have done it.
      if let tried,
        try !store.revisions(of: release, pipeline: pipeline).contains(where: {
          tried.revisions.contains($0.revision)
        })
      {
        return tried
      }
      return try Publisher(connection: connection, pipeline: pipeline, lockWait: lockWait)
        .drop(release, choose: { try droppable(pipeline, release, revision) }) { tried = $0 }
    }
  }

  /// What ``drop(pipeline:release:revision:)`` would remove now.
  /// - Throws: ``ReleaseOperationError`` as that does.
  public func dropDue(pipeline: String, release: String, revision: Int? = nil) throws -> DroppedRelease {
    let revisions = try droppable(pipeline, release, revision)
    let parts = try revisions.flatMap {
      try store.parts(of: ReleaseRevision(release: release, revision: $0), pipeline: pipeline)
    }
    return DroppedRelease(
      revisions: revisions, rows: parts.reduce(0) { $0 + $1.rows },
      bytes: try store.size(of: parts.filter(\.isThere).map(\.partition)))
  }

  /// The revisions to drop, one or all.
  private func droppable(_ pipeline: String, _ release: String, _ revision: Int?) throws -> [Int] {
    let all = try list(pipeline: pipeline).filter { $0.release == release }
    guard !all.isEmpty else {
      throw ReleaseOperationError.unknown(
        pipeline: pipeline, release: release, known: try store.names(of: pipeline))
    }
    guard let revision else {
      if let current = all.first(where: \.isCurrent) {
        throw ReleaseOperationError.isCurrent(
          pipeline: pipeline, release: release, isPinned: current.isPinned)
      }
      return all.map(\.revision)
    }
    guard let only = all.first(where: { $0.revision == revision }) else {
      throw ReleaseOperationError.unknownRevision(
        release: release, revision: revision, known: all.map(\.revision))
    }
    guard only.state != "published" else {
      throw ReleaseOperationError.revisionIsPublished(
        pipeline: pipeline, release: release, revision: revision)
    }
    return [revision]
  }

  /// Does something under the pipeline's lock, again where it fails for a reason that may pass.
  private func locked<Value>(_ pipeline: String, _ body: (Connection) throws -> Value) throws -> Value {
    guard try connections.lock(pipeline, waiting: lockWait) else {
      throw ReleaseOperationError.busy(pipeline: pipeline)
    }
    defer { connections.unlock() }
    return try namingRights(of: pipeline) {
      try connections.retry.attempt { try body(try connections.main) }
    }
  }

  /// Does something, and tells which right is missing where one is.
  private func namingRights<Value>(of pipeline: String, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as PostgreSQLError where error.sqlState == "42501" {
      let connection = try connections.main
      throw connection.missingRights(
        behind: error, in: ["rivulet"] + ((try? store.schemas(of: pipeline)) ?? []),
        unlessCalling: "rivulet.owner_stage_table") ?? error
    }
  }
}
