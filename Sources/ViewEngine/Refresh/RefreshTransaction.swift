import Definitions
import PostgreSQL

/// Brings one stored view up to date in one transaction, in one snapshot: what is taken off the queues is exactly what
/// that snapshot sees changed, so that a change that comes meanwhile is still waiting afterwards.
struct RefreshTransaction {
  let view: ViewDefinition
  let registered: RegisteredView
  let connection: Connection

  /// What was done.
  struct Result {
    var work = ViewComputation.Work()
    /// Rows that were taken off the queues.
    var taken = 0
  }

  /// So long a lock on a source is waited for at a time: a migration or a publication may hold it. Shorter than a server
  /// takes to look for a deadlock, which might end the migration.
  static let lockTimeout = "SET LOCAL lock_timeout = '700ms';"
  /// So many refreshes of a view are remembered.
  private static let remembered = 50

  /// Why nothing was done.
  enum Obstacle: Error {
    /// The view is not there as it was known: made anew, or dropped; or the project's time zone is another.
    case isOther
    /// Triggers are gone or switched off by which changes of a source are seen.
    case isUnwatched
  }

  /// Refreshes the view; throws ``ViewProblem`` where its SELECT fails, and ``Obstacle`` with nothing done.
  /// - Parameter following: a statement for after its end, which comes in the same round trip and must not fail.
  func run(isFull: Bool, date: String?, following: String) throws -> Result {
    var closing = ""
    let opening = "\(settings(date)); \(PendingChanges.state(of: registered))"
    return try connection.transaction(opening: opening, closing: { closing }, following: following) {
      answers in
      guard let pending = try PendingChanges(of: registered, answers, on: connection) else {
        throw Obstacle.isOther
      }
      guard pending.isWatched else { throw Obstacle.isUnwatched }
      // Tables that bear another name now, and others theirs, or a plain view that is gone.
      if pending.hasOtherCode, try ViewRegister(of: view.name, on: connection).hash(of: view.name) == nil {
        throw RefreshError.outOfStep(view.name)
      }
      guard isFull || !pending.isEmpty else {
        closing = "UPDATE rivulet.view v SET \(freshness(pending, isWhole: false)) WHERE name = \(name)"
        return Result()
      }
      let work = try computation.run(pending, isFull: isFull)
      let taken = try takeOff(pending)
      if work.kind == .full { try noteWhole() }
      closing = try note(work, pending)
      return Result(work: work, taken: taken)
    }
  }

  /// Fills a table that was made in the transaction at work.
  func fill() throws {
    let settings = try ViewSettings(on: connection)
    try connection.execute(ViewComputation.memory)
    let pending = try PendingChanges(of: registered, on: connection)
    // First, since each statement has a snapshot of its own here: what is replaced from now on is another than was noted.
    try noteWhole()
    try connection.execute(try note(try computation.run(pending, isFull: true), pending))
    try settings.takeBack()
  }

  private var computation: ViewComputation {
    ViewComputation(view: view, registered: registered, connection: connection)
  }

  /// The sources are locked before the snapshot is taken, so that nobody can empty or move a table, or drop a trigger,
  /// between the two: that would be seen at once, whatever the snapshot.
  private func settings(_ date: String?) -> String {
    """
    SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;
    SET LOCAL row_security = off; \(Self.lockTimeout) \(ViewSettings.statements(zone: registered.timeZone))
    SET LOCAL rivulet.on_date = \(Quote.literal(date ?? ""));
    \(lock) SET LOCAL lock_timeout = '10s'; \(ViewComputation.memory)
    """
  }

  private var lock: String {
    let tables = registered.captures.map { Quote.qualified($0.source) }
    return tables.isEmpty ? "" : "LOCK TABLE \(tables.joined(separator: ", ")) IN ACCESS SHARE MODE;"
  }

  // MARK: Ending

  /// Takes off what the snapshot sees waiting in the queues, row by row, and gives how many rows those had.
  private func takeOff(_ pending: PendingChanges) throws -> Int {
    try registered.sources.filter { pending.queued.contains($0.name) }.compactMap(\.queue).reduce(0) {
      count, queue in
      count + (try connection.execute("DELETE FROM \(Quote.qualified(queue))").affectedRows)
    }
  }

  private var name: String { Quote.literal(view.name) }

  /// Assignments to a row `v` of `rivulet.view`: when it was exact, and, where the code is the same in other versions, which.
  private func freshness(_ pending: PendingChanges, isWhole: Bool) -> String {
    let versions = pending.hasOtherVersions && !isWhole ? ", versions = \(ViewCode.versions(of: "v"))" : ""
    return "refreshed_at = now()" + versions
  }

  /// Statements that note what was done, and take off what the view was marked for.
  private func note(_ work: ViewComputation.Work, _ pending: PendingChanges) throws -> String {
    let count = work.count
    if pending.rows == nil { try StoredView(view: view, connection: connection).open() }
    let rows: Int
    if work.kind == .full {
      rows = try connection.query("SELECT count(*) FROM \(Quote.qualified(view.name))")[0].value(0)
    } else {
      rows = (pending.rows ?? 0) + count.inserted - count.deleted
    }
    func number(_ value: Int?) -> String { value.map(String.init) ?? "NULL" }
    return """
      DELETE FROM rivulet.view_mark WHERE view = \(name);
      WITH state AS (
        UPDATE rivulet.view v SET \(freshness(pending, isWhole: work.kind == .full)), rows = \(rows),
          groups = \(number(try groups(work, rows, pending)))
        WHERE name = \(name)
      ), old AS (
        DELETE FROM rivulet.view_refresh WHERE view = \(name) AND refresh <= (
          SELECT refresh FROM rivulet.view_refresh WHERE view = \(name) ORDER BY refresh DESC
          OFFSET \(Self.remembered - 1) LIMIT 1)
      )
      INSERT INTO rivulet.view_refresh (view, kind, seconds, groups, inserted, updated, deleted)
      VALUES (\(name), \(Quote.literal(work.kind?.rawValue ?? "")), extract(epoch FROM clock_timestamp() - now()),
        \(number(work.groups)), \(count.inserted), \(count.updated), \(count.deleted))
      """
  }

  /// Notes what all of it was computed from, and with.
  private func noteWhole() throws {
    try connection.query(CapturedTables.note, [.text(view.name)])
    // A function that it uses may have come to ask for the date.
    try connection.query(
      """
      UPDATE rivulet.view v SET functions = used.functions, relations = used.relations,
        code = \(ViewCode.digest(of: "used")), versions = \(ViewCode.versions(of: "used")),
        follows_date = to_regprocedure('rivulet.today()')::oid = ANY (used.functions), as_of = rivulet.today()
      FROM (
        SELECT coalesce(array_agg(id ORDER BY id) FILTER (WHERE class = 'pg_proc'::regclass), '{}'),
          coalesce(array_agg(id ORDER BY id) FILTER (WHERE class = 'pg_class'::regclass), '{}')
        FROM rivulet.view_uses(rivulet.relation($2)) WHERE id <> rivulet.relation($2)) used(functions, relations)
      WHERE name = $1
      """, [.text(view.name), .text(registered.twin)])
  }

  /// How many groups there are, as far as that is known without much ado.
  private func groups(_ work: ViewComputation.Work, _ rows: Int, _ pending: PendingChanges) throws -> Int? {
    if view.key.isEmpty { return 1 }
    if Set(view.key.map(\.value)) == Set(view.unique.map(\.value)) { return rows }
    guard work.kind == .full else { return pending.groups }
    return try connection.query(
      "SELECT count(*) FROM (SELECT DISTINCT \(KeysQuery.list(view.key.map(\.value))) FROM \(Quote.qualified(view.name))) g"
    )[0].value(0)
  }
}
