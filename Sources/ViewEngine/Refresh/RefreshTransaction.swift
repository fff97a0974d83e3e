import Definitions
import PostgreSQL

/// Brings one stored view up to date in one transaction, in one snapshot: what is taken off the queues is
/// exactly what that snapshot sees changed, so that a change that comes meanwhile is still waiting
/// afterwards.
struct RefreshTransaction {
  let view: ViewDefinition
  let registered: RegisteredView
  let connection: Connection

  /// So long a lock on a source is waited for at a time: a migration or a publication may hold it. Shorter
  /// than a server takes to look for a deadlock, which might end the migration.
  static let lockTimeout = "SET LOCAL lock_timeout = '700ms';"
  /// So many refreshes of a view are kept in its history.
  private static let history = 50

  /// What a source was that tables were attached to meanwhile.
  static let grown = "given tables while it was read"

  /// Why nothing was done.
  enum Obstacle: Error {
    /// The view is not there as it was known: made again, or dropped.
    case isOther
    /// Triggers are gone or switched off by which changes of a source are seen.
    case isUnwatched
  }

  /// Refreshes the view.
  /// - Throws: ``ViewProblem`` where its SELECT fails, ``RefreshError`` where it is not as it is defined, and
  ///   ``Obstacle``, with nothing done; `PostgreSQLError`.
  func run(isFull: Bool, date: String?) throws -> ViewRefresh {
    try connection.transaction(settings: settings(date)) {
      guard let size = try storedSize() else { throw Obstacle.isOther }
      try computation.sharded()?.begin()
      let pending = try pendingChanges()
      guard pending.isWatched else { throw Obstacle.isUnwatched }
      // Tables that have another name now, and others theirs, or a plain view that is gone.
      if pending.hasOtherCode || pending.hasLostQueue,
        try RegisteredView.find(view.name, on: connection)?.state != .whole
      {
        throw RefreshError.outOfStep(view.name)
      }
      guard isFull || !pending.isEmpty else {
        try connection.query(
          "UPDATE rivulet.view SET refreshed_at = now() WHERE name = $1", [.text(view.name)])
        return ViewRefresh(view)
      }
      var refresh = try computation.run(pending, ofGroups: size.groups ?? 0, isFull: isFull)
      // Row by row: what the snapshot does not see goes on waiting.
      for source in registered.sources where pending.queued.contains(source.name) {
        guard let queue = source.queue else { continue }
        refresh.taken += try connection.execute("DELETE FROM \(Quote.qualified(queue))").affectedRows
      }
      if refresh.kind == .full {
        try recordWhole()
      } else if !pending.publications.isEmpty {
        try connection.query(ReleaseRows.record, [.text(view.name)])
      }
      try record(refresh, of: size)
      // What comes after this snapshot is not seen, also where the subscription goes meanwhile.
      try mark(pending.subscribed, ViewBacklog.Reason.subscribed)
      try mark(try sourcesThatGrew(), Self.grown)
      return refresh
    }
  }

  /// Fills a table that was made in the transaction at work: nobody can have written to a captured source
  /// since.
  /// - Throws: ``ViewProblem`` where the SELECT fails; `PostgreSQLError`.
  func fill() throws {
    try connection.execute("SET LOCAL row_security = off")
    let settings = try ViewSettings(on: connection)
    try connection.execute(ViewComputation.memory)
    try computation.sharded()?.begin()
    // First, since each statement has a snapshot of its own here: what is replaced from now on is another
    // than is recorded.
    try recordWhole()
    try record(
      try computation.run(try pendingChanges(), ofGroups: 0, isFull: true), of: (rows: nil, groups: nil))
    try settings.restore()
  }

  /// What computes the view.
  var computation: ViewComputation {
    ViewComputation(view: view, registered: registered, connection: connection)
  }

  /// The sources are locked before the snapshot is taken, so that nobody can empty or move a table, or drop a
  /// trigger, between the two: that would be seen at once, whatever the snapshot.
  func settings(_ date: String?) -> String {
    """
    SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;
    SET LOCAL row_security = off; \(Self.lockTimeout)
      SET LOCAL rivulet.on_date = \(Quote.literal(date ?? ""));
    \(lock) SET LOCAL lock_timeout = '10s'; \(ViewSettings.statement); \(ViewComputation.memory)
    """
  }

  private var lock: String {
    let tables = registered.captures.map { Quote.qualified($0.source) }
    let shared = tables.isEmpty ? "" : "LOCK TABLE \(tables.joined(separator: ", ")) IN ACCESS SHARE MODE;"
    // A transaction of several servers is over on this one first: its mark must not be seen before its rows are.
    let marked = registered.sources.filter { $0.placed == .marks }.map { Quote.qualified($0.name) }
    return marked.isEmpty ? shared : "\(shared) LOCK TABLE \(marked.joined(separator: ", ")) IN SHARE MODE;"
  }

  /// Rows and groups before, where they are known; nil where the view is not there as it was known.
  func storedSize() throws -> (rows: Int?, groups: Int?)? {
    try connection.query(
      """
      SELECT rows, groups FROM rivulet.view WHERE number = \(registered.number)
        AND rivulet.relation(name) IS NOT NULL
      """
    ).first.map { (rows: try $0.optional(0), groups: try $0.optional(1)) }
  }

  private func pendingChanges() throws -> PendingChanges {
    let backlog = try ViewBacklog(of: view.name, limit: 1, on: connection)
    return PendingChanges(backlog[view.name]?.reasons ?? [], of: registered)
  }

  /// The sources that tables were attached to since the snapshot was taken: a query sees them, and the rows of
  /// them that were there; what is recorded of the source does not say so, nor would it after they have gone.
  func sourcesThatGrew() throws -> [String] {
    let names = registered.captures.map(\.source)
    // The function looks at what is there now; the query at what the snapshot has.
    let grew = """
      WITH RECURSIVE tree (root, id) AS (
        SELECT n, rivulet.relation(n)::oid FROM unnest($1::text[]) n
        UNION SELECT t.root, i.inhrelid FROM tree t JOIN pg_inherits i ON i.inhparent = t.id)
      SELECT DISTINCT n FROM unnest($1::text[]) n CROSS JOIN LATERAL pg_partition_tree(rivulet.relation(n)) p
      WHERE (n, p.relid::oid) NOT IN (SELECT root, id FROM tree)
      """
    return try connection.query(grew, [.textArray(names)]).rows.map { try $0.value(0) }
  }

  // MARK: Recording

  /// Has everything computed by the next refresh.
  private func mark(_ sources: [String], _ reason: String) throws {
    for source in sources {
      try connection.query(
        "INSERT INTO rivulet.view_mark (view, source, reason) VALUES ($1, $2, $3)",
        [.text(view.name), .text(source), .text(reason)])
    }
  }

  /// Records what was done, and takes off what the view was marked for.
  private func record(_ refresh: ViewRefresh, of size: (rows: Int?, groups: Int?)) throws {
    if size.rows == nil { try ViewGrants.open(view, on: connection) }
    let rows = refresh.rows ?? (size.rows ?? 0) + refresh.inserted - refresh.deleted
    let name = Quote.literal(view.name)
    let groups = try self.groups(refresh, rows, of: size.groups)
    func number(_ value: Int?) -> String { value.map(String.init) ?? "NULL" }
    try connection.execute(
      """
      DELETE FROM rivulet.view_mark WHERE view = \(name);
      UPDATE rivulet.view SET refreshed_at = now(), rows = \(rows), groups = \(number(groups))
      WHERE name = \(name);
      DELETE FROM rivulet.view_refresh WHERE view = \(name) AND refresh <= (
        SELECT refresh FROM rivulet.view_refresh WHERE view = \(name) ORDER BY refresh DESC
        OFFSET \(Self.history - 1) LIMIT 1);
      INSERT INTO rivulet.view_refresh (view, kind, seconds, groups, inserted, updated, deleted)
      VALUES (\(name), \(Quote.literal(refresh.kind?.rawValue ?? "")),
        extract(epoch FROM clock_timestamp() - now()),
        \(number(refresh.groups)), \(refresh.inserted), \(refresh.updated), \(refresh.deleted))
      """)
  }

  /// Records what all of it was computed from, and with.
  private func recordWhole() throws {
    try connection.query(ChangeCapture.recordTables, [.text(view.name)])
    try connection.query(ReleaseRows.record, [.text(view.name)])
    // A function that it uses may have come to ask for the date.
    try connection.query(
      """
      UPDATE rivulet.view v SET functions = used.functions, relations = used.relations,
        code = \(RegisteredView.code(of: "used")),
        follows_date = to_regprocedure('rivulet.today()')::oid = ANY (used.functions), as_of = rivulet.today()
      FROM (
        SELECT coalesce(array_agg(id ORDER BY id) FILTER (WHERE class = 'pg_proc'::regclass), '{}'),
          coalesce(array_agg(id ORDER BY id) FILTER (WHERE class = 'pg_class'::regclass), '{}')
        FROM rivulet.view_uses(rivulet.relation($2)) WHERE id <> rivulet.relation($2))
          used(functions, relations)
      WHERE name = $1
      """, [.text(view.name), .text(registered.twin)])
  }

  /// How many groups there are, as far as that is known without reading much.
  private func groups(_ refresh: ViewRefresh, _ rows: Int, of known: Int?) throws -> Int? {
    if view.key.isEmpty { return 1 }
    if Set(view.key.map(\.value)) == Set(view.unique.map(\.value)) { return rows }
    guard refresh.kind == .full else { return known }
    let key = KeysQuery.list(view.key.map(\.value))
    return try connection.query(
      "SELECT count(*) FROM (SELECT DISTINCT \(key) FROM \(Quote.qualified(view.name))) g")[0].value(0)
  }
}
