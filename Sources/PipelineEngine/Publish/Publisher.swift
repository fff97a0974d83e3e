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

  /// What taking a publication back does.
  struct Rollback {
    let publication: Int
    let withdrawn: Revision
    /// What is in sight in its place.
    let restored: Revision?
    /// The release was pinned, and is no more.
    let isUnpinned: Bool
  }

  /// The next revision of a release. A number is never given twice: what is dropped stays in the ledger under its own.
  func nextRevision(of release: String) throws -> Int {
    try connection.query(
      """
      SELECT greatest(
        (SELECT max(revision) FROM rivulet.release WHERE pipeline = $1 AND release = $2),
        (SELECT max(revision) FROM rivulet.run WHERE pipeline = $1 AND release = $2), 0) + 1
      """, [.text(pipeline), .text(release)])[0].value(0)
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
    try retryingLocks({ revision.release }) {
      try first()
      let old = try publishedRevision(of: revision.release)
      let parts = try parts(of: revision)
      if let old, old != revision.revision {
        let replaced = Revision(release: revision.release, revision: old)
        let oldParts = try self.parts(of: replaced)
        try keepReadersAway(from: parts + oldParts)
        try detach(oldParts, of: replaced, state: "superseded")
      } else {
        try keepReadersAway(from: parts)
      }
      try attach(parts, of: revision)
      try connection.query(
        """
        \(Publisher.marks)
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
  /// first, the release is out of sight. `about` is told what before it is committed.
  func rollback(about: (Rollback) -> Void) throws -> Rollback {
    var outcome: Rollback?
    var release: String?
    try retryingLocks({ release }) {
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
      release = withdrawn.release
      var restored: Revision?
      let parts = try parts(of: withdrawn)
      if let old: Int = try row.optional(3), try isKept(withdrawn.release, old) {
        let revision = Revision(release: withdrawn.release, revision: old)
        let oldParts = try self.parts(of: revision)
        try keepReadersAway(from: parts + oldParts)
        try detach(parts, of: withdrawn, state: "withdrawn")
        try attach(oldParts, of: revision)
        restored = revision
      } else {
        try keepReadersAway(from: parts)
        try detach(parts, of: withdrawn, state: "withdrawn")
      }
      let pin = try connection.query(
        "UPDATE rivulet.dataset SET pinned_release = NULL WHERE pipeline = $1 AND pinned_release = $2",
        [.text(pipeline), .text(restored == nil ? withdrawn.release : "")])
      let rollback = Rollback(
        publication: try row.value(0), withdrawn: withdrawn, restored: restored,
        isUnpinned: pin.affectedRows > 0)
      try connection.query(
        """
        \(Publisher.marks)
        UPDATE rivulet.publication SET undone_at = clock_timestamp() WHERE publication = $5
        """,
        [
          .text(pipeline), .text(withdrawn.release), Parameter(restored?.revision),
          .integer(withdrawn.revision), .integer(rollback.publication),
        ])
      outcome = rollback
      about(rollback)
    }
    guard let outcome else { throw ReleaseOperationError.nothingToRollBack(pipeline: pipeline) }
    return outcome
  }

  /// Whether a publication was taken back.
  func isUndone(_ publication: Int) throws -> Bool {
    try connection.query(
      "SELECT FROM rivulet.publication WHERE publication = $1 AND undone_at IS NOT NULL",
      [.integer(publication)]
    ).count > 0
  }

  // MARK: Tables

  /// A table of a revision.
  struct Part {
    let target: String
    let partition: String
    let rows: Int
    /// False where somebody has dropped the table by hand.
    let isThere: Bool
    /// False also where somebody has detached it by hand: then there is nothing left to take out of sight.
    let isAttached: Bool
    /// False where the target is gone, as after `migrate down`.
    let hasTarget: Bool
  }

  func parts(of revision: Revision) throws -> [Part] {
    try connection.query(
      """
      SELECT target, partition, rows, to_regclass(partition) IS NOT NULL,
        EXISTS (SELECT FROM pg_inherits
          WHERE inhrelid = to_regclass(partition) AND inhparent = to_regclass(target)),
        to_regclass(target) IS NOT NULL
      FROM rivulet.release_table
      WHERE pipeline = $1 AND release = $2 AND revision = $3 ORDER BY target
      """, [.text(pipeline), .text(revision.release), .integer(revision.revision)]
    ).rows.map {
      Part(
        target: try $0.value(0), partition: try $0.value(1), rows: try $0.value(2), isThere: try $0.value(3),
        isAttached: try $0.value(4), hasTarget: try $0.value(5))
    }
  }

  /// Waits for the readers of tables and keeps new ones waiting until the end of the transaction.
  ///
  /// Attaching alone would not need it. But a statement opens the partitions before it takes the snapshot in which it
  /// sees what is current: one that was planned before the publishing and ran after it would find the new release
  /// without a row. All tables at once and before anything is moved, so that nobody waits for one with another half moved.
  func keepReadersAway(from parts: [Part]) throws {
    let targets = Set(parts.filter(\.hasTarget).map(\.target)).sorted().map(Quote.qualified)
    guard !targets.isEmpty else { return }
    // A lock_timeout holds for each table by itself: readers of the first would wait until all others are had.
    try connection.execute(
      keepVacuumAway(from: parts) + "SET LOCAL statement_timeout = '\(Publisher.patience)'")
    let answer = Result {
      try connection.execute(
        "LOCK TABLE ONLY \(targets.joined(separator: ", ONLY ")) IN ACCESS EXCLUSIVE MODE")
    }
    if case .failure(let error as PostgreSQLError) = answer, error.isCancellation {
      try Interruption.shared.check()
      throw PostgreSQLError.lockTimeout("the tables were not given up in time")
    }
    _ = try answer.get()
    try connection.execute("SET LOCAL statement_timeout TO DEFAULT")
  }

  /// Statements that wait until nobody vacuums or analyses the tables of revisions, before anybody waits for us: the lock
  /// is one that no reader minds.
  ///
  /// The server makes its own autovacuum give way, but only to who has waited for `deadlock_timeout`.
  func keepVacuumAway(from parts: [Part]) -> String {
    let tables = parts.filter(\.isThere).map(\.partition).sorted().map(Quote.qualified)
    guard !tables.isEmpty else { return "" }
    return """
      SELECT set_config('lock_timeout', (1000 * extract(epoch FROM
        current_setting('deadlock_timeout')::interval) + 500)::int::text, true);
      LOCK TABLE ONLY \(tables.joined(separator: ", ONLY ")) IN SHARE UPDATE EXCLUSIVE MODE;
      SET LOCAL lock_timeout = '\(Publisher.patience)';
      """
  }

  /// So long readers may have to wait for a change that waits for others.
  static let patience = "500ms"

  private func attach(_ parts: [Part], of revision: Revision) throws {
    if let lost = parts.first(where: { !$0.isThere }) {
      throw ReleaseOperationError.tableLost(
        release: revision.release, revision: revision.revision, table: lost.partition)
    }
    let statements = parts.map { part in
      """
      ALTER TABLE \(Quote.qualified(part.partition)) RESET (\(StagedTable.unattended.joined(separator: ", ")));
      ALTER TABLE \(Quote.qualified(part.target)) ATTACH PARTITION \(Quote.qualified(part.partition))
        FOR VALUES IN (\(Quote.literal(revision.release)))
      """
    }
    if !statements.isEmpty { try connection.execute(statements.joined(separator: ";\n")) }
    try setState("published", revision)
  }

  private func detach(_ parts: [Part], of revision: Revision, state: String) throws {
    try detach(parts)
    try setState(state, revision)
  }

  /// Takes the tables that are attached out of sight.
  func detach(_ parts: [Part]) throws {
    let statements = parts.filter(\.isAttached).map { part in
      "ALTER TABLE \(Quote.qualified(part.target)) DETACH PARTITION \(Quote.qualified(part.partition))"
    }
    if !statements.isEmpty { try connection.execute(statements.joined(separator: ";\n")) }
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
}
