import Host
import PostgreSQL

/// Moves releases in and out of sight. Every change is one short transaction: readers see one revision of a
/// release, whole, or none of it.
struct Publisher {
  let connection: Connection
  let pipeline: String
  /// How long the user would wait for others, in seconds.
  var lockWait: Double

  /// A revision of a release.
  struct Revision: Sendable, Equatable {
    let release: String
    let revision: Int
  }

  /// The next free revision of a release.
  func nextRevision(of release: String) throws -> Int {
    try connection.query(
      "SELECT coalesce(max(revision), 0) + 1 FROM rivulet.release WHERE pipeline = $1 AND release = $2",
      [.text(pipeline), .text(release)])[0].value(0)
  }

  /// The published revision of a release.
  func publishedRevision(of release: String) throws -> Int? {
    try connection.query(
      """
      SELECT revision FROM rivulet.release
      WHERE pipeline = $1 AND release = $2 AND state = 'published'
      """, [.text(pipeline), .text(release)]
    ).first?.value(0)
  }

  /// Puts a staged or withdrawn revision in the place of the published one, if there is one; `first` and `also`
  /// are done in the same transaction, before and after.
  func publish(
    _ revision: Revision, first: () throws -> Void = {}, also: () throws -> Void = {}
  ) throws {
    try retryingLocks {
      try first()
      let old = try publishedRevision(of: revision.release)
      if let old, old != revision.revision {
        try detach(Revision(release: revision.release, revision: old), state: "superseded")
      }
      try attach(revision)
      try connection.query(
        """
        INSERT INTO rivulet.publication (pipeline, release, revision, replaced_revision)
        VALUES ($1, $2, $3, $4)
        """,
        [
          .text(pipeline), .text(revision.release), .integer(revision.revision), Parameter(old),
        ])
      try also()
    }
  }

  /// Takes the newest publication back: the revision that it replaced is in sight again, or, where it was the
  /// first, the release is out of sight. Gives what was withdrawn and what came back.
  func rollback() throws -> (withdrawn: Revision, restored: Revision?) {
    var outcome: (Revision, Revision?)?
    try retryingLocks {
      let newest = try connection.query(
        """
        SELECT p.publication, p.release, p.revision, p.replaced_revision
        FROM rivulet.publication p
        JOIN rivulet.release r USING (pipeline, release, revision)
        WHERE p.pipeline = $1 AND p.undone_at IS NULL AND r.state = 'published'
        ORDER BY p.publication DESC LIMIT 1
        """, [.text(pipeline)])
      guard let row = newest.first else { throw ReleaseOperationError.nothingToRollBack(pipeline: pipeline) }
      let withdrawn = Revision(release: try row.value(1), revision: try row.value(2))
      var restored: Revision?
      try detach(withdrawn, state: "withdrawn")
      if let old: Int = try row.optional(3), try isKept(withdrawn.release, old) {
        let revision = Revision(release: withdrawn.release, revision: old)
        try attach(revision)
        restored = revision
      }
      try connection.query(
        "UPDATE rivulet.dataset SET pinned_release = NULL WHERE pipeline = $1 AND pinned_release = $2",
        [.text(pipeline), .text(restored == nil ? withdrawn.release : "")])
      try connection.query(
        "UPDATE rivulet.publication SET undone_at = clock_timestamp() WHERE publication = $1",
        [.integer(try row.value(0))])
      outcome = (withdrawn, restored)
    }
    guard let outcome else { throw ReleaseOperationError.nothingToRollBack(pipeline: pipeline) }
    return outcome
  }

  // MARK: Tables

  private struct Part {
    let target: String
    let partition: String
  }

  private func parts(of revision: Revision) throws -> [Part] {
    try connection.query(
      """
      SELECT target, partition FROM rivulet.release_table
      WHERE pipeline = $1 AND release = $2 AND revision = $3 ORDER BY target
      """, [.text(pipeline), .text(revision.release), .integer(revision.revision)]
    ).rows.map { Part(target: try $0.value(0), partition: try $0.value(1)) }
  }

  private func attach(_ revision: Revision) throws {
    for part in try parts(of: revision) {
      guard
        try connection.query("SELECT to_regclass($1)", [.text(Quote.qualified(part.partition))])[0][0] != nil
      else {
        throw ReleaseOperationError.tableLost(
          release: revision.release, revision: revision.revision, table: part.partition)
      }
      try connection.execute(
        """
        ALTER TABLE \(Quote.qualified(part.target)) ATTACH PARTITION \(Quote.qualified(part.partition))
          FOR VALUES IN (\(Quote.literal(revision.release)))
        """)
    }
    try setState("published", revision)
  }

  private func detach(_ revision: Revision, state: String) throws {
    for part in try parts(of: revision) where try isAttached(part) {
      try connection.execute(
        """
        ALTER TABLE \(Quote.qualified(part.target)) DETACH PARTITION \(Quote.qualified(part.partition))
        """)
    }
    try setState(state, revision)
  }

  /// Somebody may have dropped or detached the table by hand: then there is nothing left to take out of sight.
  private func isAttached(_ part: Part) throws -> Bool {
    try connection.query(
      "SELECT FROM pg_inherits WHERE inhrelid = to_regclass($1) AND inhparent = to_regclass($2)",
      [.text(Quote.qualified(part.partition)), .text(Quote.qualified(part.target))]
    ).count > 0
  }

  private func setState(_ state: String, _ revision: Revision) throws {
    try connection.query(
      """
      UPDATE rivulet.release SET state = $4,
        published_at = CASE WHEN $4 = 'published' THEN clock_timestamp() ELSE published_at END
      WHERE pipeline = $1 AND release = $2 AND revision = $3
      """,
      [.text(pipeline), .text(revision.release), .integer(revision.revision), .text(state)])
  }

  private func isKept(_ release: String, _ revision: Int) throws -> Bool {
    try connection.query(
      """
      SELECT FROM rivulet.release WHERE pipeline = $1 AND release = $2 AND revision = $3
        AND state = 'superseded'
      """, [.text(pipeline), .text(release), .integer(revision)]
    ).count > 0
  }

  /// Runs a change in a transaction that waits only briefly for tables: while it waits, new readers queue
  /// behind it, so that it is given up, rolled back and tried again after a pause.
  private func retryingLocks(_ change: () throws -> Void) throws {
    let deadline = Machine.seconds + max(5, lockWait)
    while true {
      do {
        try connection.transaction {
          try connection.execute("SET LOCAL lock_timeout = '500ms'")
          try change()
        }
        return
      } catch let error as PostgreSQLError where error.isLockTimeout && Machine.seconds < deadline {
        try Interruption.shared.check()
        Machine.sleep(seconds: Double.random(in: 0.2...0.6))
      }
    }
  }
}
