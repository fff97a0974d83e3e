import Host
import PipelineCore
import PostgreSQL
import Store

/// Publishes releases and hides them. Every change is one short transaction: readers see one revision of a
/// release, whole, or none of it.
///
/// ``PublicationPlan`` says what is moved; this moves it.
struct Publisher {
  let connection: Connection
  let pipeline: String
  /// How long the user would wait for others, in seconds.
  var lockWait: Double

  private var store: ReleaseStore { ReleaseStore(connection: connection) }

  /// What a rollback does.
  struct Rollback {
    let publication: Int
    let withdrawn: ReleaseRevision
    /// What is published in its place.
    let restored: ReleaseRevision?
    /// The release was pinned, and no longer is.
    let isUnpinned: Bool
  }

  /// Publishes a staged or withdrawn revision in the place of the published one, if there is one; `first` and
  /// `also` are done in the same transaction, before and after.
  /// - Throws: ``ReleaseOperationError`` where a table is lost, or readers do not release the tables in time.
  func publish(
    _ revision: ReleaseRevision, first: () throws -> Void = {}, also: () throws -> Void = {}
  ) throws {
    try retryingLocks({ revision.release }) { timeout in
      try first()
      let old = try store.publishedRevision(of: revision.release, pipeline: pipeline)
      let replaced = old.map { ReleaseRevision(release: revision.release, revision: $0) }
      try carryOut(
        try PublicationPlan(
          publishing: try subject(revision), replacing: try replaced.map { try subject($0) }), timeout)
      try store.recordPublication(of: revision, replacing: old, pipeline: pipeline)
      try also()
    }
  }

  /// Rolls a publication back: the revision that it replaced is published again, or, where it was the first,
  /// the release is no longer published. `about` gets the change before it is committed.
  /// - Throws: ``ReleaseOperationError`` where it is not published any more, or readers do not release the
  ///   tables in time.
  func rollback(_ publication: Int, of release: String, about: (Rollback) -> Void) throws -> Rollback {
    var outcome: Rollback?
    let gone = ReleaseOperationError.nothingToRollBack(pipeline: pipeline, release: release)
    try retryingLocks({ release }) { timeout in
      guard let newest = try store.newestPublication(of: pipeline, number: publication) else { throw gone }
      try carryOut(
        try PublicationPlan(
          rollingBack: try subject(newest.published), to: try newest.replaced.map { try subject($0) }),
        timeout)
      let rollback = Rollback(
        publication: newest.number, withdrawn: newest.published, restored: newest.replaced,
        isUnpinned: try store.recordRollback(of: newest, pipeline: pipeline))
      outcome = rollback
      about(rollback)
    }
    guard let outcome else { throw gone }
    return outcome
  }

  /// Removes revisions of a release with their tables, in one transaction, which also asks for those to
  /// remove: what is current changes with the hour. `about` gets the change before it is committed.
  /// - Throws: what `choose` throws, and ``ReleaseOperationError`` where readers do not release the tables in
  ///   time.
  func drop(
    _ release: String, choose: () throws -> [Int], about: (DroppedRelease) -> Void
  ) throws -> DroppedRelease {
    var dropped = DroppedRelease(revisions: [], rows: 0, bytes: 0)
    try retryingLocks({ release }) { timeout in
      let revisions = try choose().map { ReleaseRevision(release: release, revision: $0) }
      let parts = try revisions.flatMap { try store.parts(of: $0, pipeline: pipeline) }
      let plan = PublicationPlan(dropping: parts)
      let tables = parts.filter(\.isThere).map(\.partition)
      // First: once a transaction has changed them, Citus does not say.
      let bytes = try store.size(of: tables)
      try connection.execute(keepVacuumAway(from: parts))
      try carryOut(plan, timeout)
      if !tables.isEmpty {
        try connection.query("SELECT rivulet.drop_staged($1)", [.textArray(tables)])
      }
      try store.markDropped(release, attached: plan.detached, pipeline: pipeline)
      for revision in revisions { try store.forget(revision, pipeline: pipeline) }
      dropped = DroppedRelease(
        revisions: revisions.map(\.revision), rows: parts.reduce(0) { $0 + $1.rows }, bytes: bytes)
      about(dropped)
    }
    return dropped
  }

  private func subject(_ revision: ReleaseRevision) throws -> PublicationPlan.Subject {
    PublicationPlan.Subject(revision, try store.parts(of: revision, pipeline: pipeline))
  }

  // MARK: Tables

  private func carryOut(_ plan: PublicationPlan, _ timeout: Int) throws {
    // What the server reads of the tables, and compiles, it has before anybody waits.
    try move(by: plan, isOnlyChecked: true)
    try keepReadersAway(from: plan, timeout)
    try move(by: plan, isOnlyChecked: false)
    try store.recordStates(plan.states, pipeline: pipeline)
  }

  /// Detaches tables, and attaches others; or only has the server look whether it may.
  private func move(by plan: PublicationPlan, isOnlyChecked: Bool) throws {
    if plan.detached.isEmpty && plan.attached.isEmpty { return }
    try connection.query(
      "SELECT rivulet.move_staged($1, $2, $3, $4, $5, $6)",
      [
        Parameter(plan.states.last?.revision.release),
        .textArray(plan.detached.map(\.partition)), .textArray(plan.detached.map(\.target)),
        .textArray(plan.attached.map(\.partition)), .textArray(plan.attached.map(\.target)),
        .boolean(isOnlyChecked),
      ])
  }

  /// Waits for the readers of tables and keeps new ones waiting until the end of the transaction.
  ///
  /// Attaching alone would not need it. But a statement opens the partitions before it takes the snapshot in
  /// which it sees what is current: one that was planned before the publishing and ran after it would find
  /// the new release without a row. All tables at once and before anything is moved, so that nobody waits for
  /// one with another half moved.
  private func keepReadersAway(from plan: PublicationPlan, _ timeout: Int) throws {
    let targets = plan.lockedTargets.map(Quote.qualified)
    guard !targets.isEmpty else { return }
    // A lock_timeout holds for each table by itself: readers of the first would wait until all others are
    // had.
    try connection.execute(
      keepVacuumAway(from: plan.locked) + "SET LOCAL statement_timeout = \(timeout)")
    // The limit ends in the same message: what only sets it back would be under it too.
    let answer = Result {
      try connection.execute(
        """
        LOCK TABLE ONLY \(targets.joined(separator: ", ONLY ")) IN ACCESS EXCLUSIVE MODE;
        SET LOCAL statement_timeout TO DEFAULT
        """)
    }
    if case .failure(let error as PostgreSQLError) = answer, error.isCancellation {
      try Interruption.shared.check()
      throw PostgreSQLError.lockTimeout("the tables were not released in time")
    }
    _ = try answer.get()
  }

  /// Statements that wait until nobody vacuums or analyzes the tables of revisions, before anybody waits for
  /// us: the lock is one that no reader minds.
  ///
  /// The server makes its own autovacuum give way, but only to who has waited for `deadlock_timeout`.
  private func keepVacuumAway(from parts: [ReleasePart]) -> String {
    let tables = parts.filter(\.isThere).map(\.partition).sorted().map(Quote.qualified)
    guard !tables.isEmpty else { return "" }
    return """
      SELECT set_config('lock_timeout', (1000 * extract(epoch FROM
        current_setting('deadlock_timeout')::interval) + 500)::int::text, true);
      LOCK TABLE ONLY \(tables.joined(separator: ", ONLY ")) IN SHARE UPDATE EXCLUSIVE MODE;
      SET LOCAL lock_timeout = '\(Publisher.lockTimeout)';
      """
  }

  /// So long what is not a target's table is waited for.
  private static let lockTimeout = "500ms"

  /// So long readers are waited for at the first tries, and at each after them, in milliseconds.
  ///
  /// New readers queue behind it as long. Where those who are at work are done at once they hardly notice; who
  /// takes longer is waited for longer, or nothing would ever be published among them.
  private static let timeouts = [30, 30, 60, 120, 250, 500]

  /// Runs a change in a transaction that waits only briefly for tables: while it waits, new readers queue
  /// behind it, so that it is rolled back and tried again after a pause.
  ///
  /// - Parameters:
  ///   - release: that is known at the end, for the error.
  ///   - change: takes how long it is to wait for readers, in milliseconds.
  /// - Throws: ``ReleaseOperationError/blocked(pipeline:release:sessions:)`` at the end;
  ///   ``RunError/ownedByOther(target:owner:)`` before the beginning.
  func retryingLocks(_ release: () -> String?, _ change: (Int) throws -> Void) throws {
    try store.requireOwner(of: try store.targets(of: pipeline))
    let settings = "SET LOCAL lock_timeout = '\(Publisher.lockTimeout)'"
    var timeouts = Publisher.timeouts[...]
    do {
      try RetryPolicy.locks(seconds: max(lockWait, Connection.leastLockWait), pause: 0.4, and: []).run { _ in
        let timeout = timeouts.count > 1 ? timeouts.removeFirst() : timeouts[timeouts.startIndex]
        try connection.transaction(settings: settings) { try change(timeout) }
      }
    } catch let error as PostgreSQLError where error.isLockTimeout {
      // The tables that say who holds them may be what is locked.
      let sessions = try? connection.transaction(settings: settings) {
        try store.sessionsInTheWay(of: release(), pipeline: pipeline)
      }
      throw ReleaseOperationError.blocked(
        pipeline: pipeline, release: release(), sessions: sessions ?? [])
    }
  }
}
