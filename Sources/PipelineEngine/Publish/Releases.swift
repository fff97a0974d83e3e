public import PostgreSQL

/// A revision of a release, as `releases list` shows it.
public struct ReleaseRow: Sendable {
  /// The pipeline.
  public let pipeline: String
  /// The release, such as 2025D.
  public let release: String
  /// Counts the contents loaded under the name, from 1.
  public let revision: Int
  /// staged, published, superseded or withdrawn.
  public let state: String
  /// Readers of "current" see this one.
  public let isCurrent: Bool
  /// Current because somebody said so.
  public let isPinned: Bool
  /// First day in effect, ISO.
  public let effectiveFrom: String?
  /// Last day in effect, ISO.
  public let effectiveTo: String?
  /// When it was last published, ISO 8601.
  public let publishedAt: String?
  /// The run that loaded it.
  public let run: Int
  /// Rows over all its tables.
  public let rows: Int
  /// How many runs have merged changes into it.
  public let merges: Int
  /// The last day whose changes it holds, ISO; nil where nothing was merged into it.
  public let mergedTo: String?
}

/// What taking a publication back did.
public struct RolledBack: Sendable {
  /// The release.
  public let release: String
  /// The revision that went out of sight.
  public let withdrawn: Int
  /// The one that came back in its place.
  public let restored: Int?
  /// The release was pinned, and is no more, since it is out of sight.
  public let isUnpinned: Bool
  /// The last day whose changes were merged into the revision that went; nil where there were none.
  public let mergedTo: String?
}

/// The releases of a database: what is there, what is in sight, what is current.
public struct Releases {
  private let connections: PipelineConnections
  /// How long to wait for a run of the same pipeline, in seconds.
  public var lockWait = 0.0

  /// The releases of one database.
  ///
  /// Changes are tried again where they fail for a reason that may pass; `onRetry` takes a sentence on each new try.
  public init(connection: Connection, onRetry: @escaping @Sendable (String) -> Void = { _ in }) {
    connections = PipelineConnections(connection, retry: Retry(limit: 3, tell: onRetry))
  }

  var connection: Connection { get throws { try connections.main } }

  /// All revisions, newest release first.
  public func list(pipeline: String? = nil) throws -> [ReleaseRow] {
    try connection.query(
      """
      SELECT r.pipeline, r.release, r.revision, r.state, c.release IS NOT NULL, coalesce(c.pinned, false),
        r.effective_from, r.effective_to,
        to_char(r.published_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), r.run,
        coalesce((SELECT sum(t.rows)::bigint FROM rivulet.release_table t
          WHERE (t.pipeline, t.release, t.revision) = (r.pipeline, r.release, r.revision)), 0),
        m.runs, m.last
      FROM rivulet.release r
      CROSS JOIN LATERAL (
        SELECT count(DISTINCT m.run) AS runs, max(m.period_to) AS last FROM rivulet.merge m
        WHERE (m.pipeline, m.release, m.revision) = (r.pipeline, r.release, r.revision)) m
      LEFT JOIN rivulet.current_release c USING (pipeline, release, revision)
      WHERE $1::text IS NULL OR r.pipeline = $1
      ORDER BY r.pipeline, r.effective_from DESC NULLS LAST, r.release DESC, r.revision DESC
      """, [Parameter(pipeline)]
    ).rows.map { row in
      ReleaseRow(
        pipeline: try row.value(0), release: try row.value(1), revision: try row.value(2),
        state: try row.value(3), isCurrent: try row.value(4), isPinned: try row.value(5),
        effectiveFrom: row[6], effectiveTo: row[7], publishedAt: row[8], run: try row.value(9),
        rows: try row.value(10), merges: try row.value(11), mergedTo: row[12])
    }
  }

  /// Publishes a revision of a release, or else the one that was withdrawn or staged last.
  ///
  /// Gives the revision, and whether there was anything to do.
  public func publish(
    pipeline: String, release: String, revision: Int? = nil
  ) throws -> (revision: Int, isNew: Bool) {
    var isRepeated = false
    return try locked(pipeline) { connection in
      defer { isRepeated = true }
      let revisions = try revisions(pipeline, release)
      guard let latest = revisions.first else {
        throw ReleaseOperationError.unknown(
          pipeline: pipeline, release: release, known: try known(pipeline))
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
        .publish(Publisher.Revision(release: release, revision: named.revision))
      return (named.revision, true)
    }
  }

  /// Makes a published release the current one until further notice; nil lets the calendar decide again.
  public func pin(pipeline: String, release: String?) throws {
    try locked(pipeline) { connection in
      if let release {
        let revisions = try revisions(pipeline, release)
        guard !revisions.isEmpty else {
          throw ReleaseOperationError.unknown(
            pipeline: pipeline, release: release, known: try known(pipeline))
        }
        guard revisions.contains(where: { $0.state == "published" }) else {
          throw ReleaseOperationError.notPublished(release: release)
        }
      }
      try connection.query(
        """
        WITH mark AS (
          \(Publisher.pointing(
            "'changed: ' || CASE WHEN $2::text IS NULL THEN $1::text || ' is pinned no more' ELSE $1::text || ' was pinned to ' || $2 END",
            where: "$2::text IS DISTINCT FROM (SELECT d.pinned_release FROM rivulet.dataset d WHERE d.pipeline = $1)"))
        )
        INSERT INTO rivulet.dataset (pipeline, pinned_release) VALUES ($1, $2)
        ON CONFLICT (pipeline) DO UPDATE SET pinned_release = excluded.pinned_release
        """, [.text(pipeline), Parameter(release)])
    }
  }

  /// Takes the newest publication of a pipeline back.
  public func rollback(pipeline: String) throws -> RolledBack {
    var tried: Publisher.Rollback?
    let rollback = try locked(pipeline) { connection in
      let publisher = Publisher(connection: connection, pipeline: pipeline, lockWait: lockWait)
      // The COMMIT of an earlier try, whose answer was lost, may have done it: another would go one further back.
      if let tried, try publisher.isUndone(tried.publication) { return tried }
      return try publisher.rollback { tried = $0 }
    }
    return RolledBack(
      release: rollback.withdrawn.release, withdrawn: rollback.withdrawn.revision,
      restored: rollback.restored?.revision, isUnpinned: rollback.isUnpinned,
      mergedTo: try list(pipeline: pipeline).first {
        $0.release == rollback.withdrawn.release && $0.revision == rollback.withdrawn.revision
      }?.mergedTo)
  }

  /// Removes a release with all its revisions for good, or one revision of it that is out of sight.
  ///
  /// Throws ``ReleaseOperationError`` where readers of "current" see the release, or where the one revision is
  /// published.
  public func drop(pipeline: String, release: String, revision: Int? = nil) throws -> DroppedRelease {
    var tried: DroppedRelease?
    return try locked(pipeline) { connection in
      // The COMMIT of an earlier try, whose answer was lost, may have done it.
      if let tried,
        try !revisions(pipeline, release).contains(where: { tried.revisions.contains($0.revision) })
      {
        return tried
      }
      return try Publisher(connection: connection, pipeline: pipeline, lockWait: lockWait)
        .drop(release, choose: { try droppable(pipeline, release, revision) }) { tried = $0 }
    }
  }

  /// The revisions to drop, one or all.
  private func droppable(_ pipeline: String, _ release: String, _ revision: Int?) throws -> [Int] {
    let all = try list(pipeline: pipeline).filter { $0.release == release }
    guard !all.isEmpty else {
      throw ReleaseOperationError.unknown(pipeline: pipeline, release: release, known: try known(pipeline))
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
      throw ReleaseOperationError.revisionInSight(
        pipeline: pipeline, release: release, revision: revision)
    }
    return [revision]
  }

  /// The tables that the published revision of a release came without.
  ///
  /// Throws ``ReleaseOperationError`` where the release is not loaded or not published.
  func missingTables(pipeline: String, release: String) throws -> [String] {
    let tables = try connection.query(
      """
      SELECT state = 'published', m.name
      FROM rivulet.release LEFT JOIN LATERAL unnest(missing_tables) m(name) ON true
      WHERE pipeline = $1 AND release = $2 ORDER BY 1 DESC
      """, [.text(pipeline), .text(release)])
    guard let first = tables.first else {
      throw ReleaseOperationError.unknown(pipeline: pipeline, release: release, known: try known(pipeline))
    }
    guard try first.value(0) else { throw ReleaseOperationError.notPublished(release: release) }
    return try tables.rows.filter { try $0.value(0) }.compactMap { $0[1] }
  }

  /// The revisions of a release, by the moment since when they are what they are: published, withdrawn or staged, the
  /// latest first. What was replaced comes last.
  private func revisions(_ pipeline: String, _ release: String) throws -> [(revision: Int, state: String)] {
    try connection.query(
      """
      SELECT r.revision, r.state FROM rivulet.release r JOIN rivulet.run u USING (run)
      CROSS JOIN LATERAL (
        SELECT max(p.undone_at) AS undone_at, max(p.published_at) FILTER (WHERE p.undone_at IS NULL) AS done_at
        FROM rivulet.publication p
        WHERE (p.pipeline, p.release, p.revision) = (r.pipeline, r.release, r.revision)) p
      WHERE r.pipeline = $1 AND r.release = $2
      ORDER BY CASE r.state WHEN 'published' THEN coalesce(p.done_at, r.published_at)
        WHEN 'withdrawn' THEN p.undone_at
        WHEN 'staged' THEN coalesce(u.finished_at, u.started_at) END DESC NULLS LAST, r.revision DESC
      """, [.text(pipeline), .text(release)]
    ).rows.map { (try $0.value(0), try $0.value(1)) }
  }

  private func known(_ pipeline: String) throws -> [String] {
    try connection.query(
      "SELECT DISTINCT release FROM rivulet.release WHERE pipeline = $1 ORDER BY 1", [.text(pipeline)]
    ).rows.map { try $0.value(0) }
  }

  /// Does something under the pipeline's lock, again where it fails for a reason that may pass.
  private func locked<Value>(_ pipeline: String, _ body: (Connection) throws -> Value) throws -> Value {
    guard try connections.lock(pipeline, waiting: lockWait) else {
      throw ReleaseOperationError.busy(pipeline: pipeline)
    }
    defer { connections.unlock() }
    do {
      return try connections.retry.attempt { try body(try connections.main) }
    } catch let error as PostgreSQLError where error.sqlState == "42501" {
      let connection = try connections.main
      throw connection.missingRights(behind: error, in: try schemas(of: pipeline, on: connection)) ?? error
    }
  }

  /// The schemas whose owners may move the releases of a pipeline.
  private func schemas(of pipeline: String, on connection: Connection) throws -> [String] {
    let schemas = try? connection.query(
      "SELECT DISTINCT split_part(target, '.', 1) FROM rivulet.release_table WHERE pipeline = $1",
      [.text(pipeline)])
    return try ["rivulet"] + (schemas?.rows.map { try $0.value(0) } ?? [])
  }
}
