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
    var kind: ViewRefresh.Kind?
    var reason: String?
    var groups: Int?
    var count = RowDifference.Count()
    /// Rows that were taken off the queues.
    var taken = 0
  }

  /// So long the locks on the sources are waited for: a migration or a publication may hold them.
  private static let patience = "10s"
  /// What sorts and hashes may take of the server's memory where it allows them less.
  private static let memory = "64MB"
  /// So many refreshes of a view are remembered.
  private static let remembered = 50

  /// Refreshes the view; throws ``ViewProblem`` where its SELECT fails.
  func run(isFull: Bool, date: String?) throws -> Result {
    try connection.transaction(settings: settings(date)) {
      try lockSources()
      let pending = try PendingChanges(of: registered, on: connection)
      guard isFull || !pending.isEmpty else {
        try noteUnchanged()
        return Result()
      }
      var result = try isFull ? computeAll(pending, because: nil) : compute(pending)
      result.taken = try takeOff()
      try note(result, pending)
      return result
    }
  }

  /// Fills a table that was made in the transaction at work.
  func fill() throws {
    let pending = try PendingChanges(of: registered, on: connection)
    try note(try computeAll(pending, because: pending.rebuild), pending)
  }

  private func settings(_ date: String?) -> String {
    """
    SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;
    SET LOCAL row_security = off; SET LOCAL lock_timeout = '\(Self.patience)';
    SET LOCAL rivulet.on_date = \(Quote.literal(date ?? ""));
    """
  }

  /// Before the snapshot is taken, so that nobody can empty or move a table between the two: that would be seen at once,
  /// whatever the snapshot.
  private func lockSources() throws {
    let tables = registered.captures.map { Quote.qualified($0.source) }
    guard !tables.isEmpty else { return }
    try connection.execute("LOCK TABLE \(tables.joined(separator: ", ")) IN ACCESS SHARE MODE")
  }

  // MARK: Computing

  private func compute(_ pending: PendingChanges) throws -> Result {
    guard view.strategy == .incremental else { return try computeAll(pending, because: nil) }
    if let reason = pending.rebuild { return try computeAll(pending, because: reason) }
    let keys = KeysQuery(view)
    let changed = keys.dirty { name in
      registered.sources.first { $0.name == name }.flatMap(pending.changed)
    }
    guard let changed else { return try computeAll(pending, because: nil) }
    let dirty = try explained {
      try connection.execute("CREATE TEMP TABLE rivulet_dirty ON COMMIT DROP AS \(changed)").affectedRows
    }
    if Double(dirty) > view.rebuildShare * Double(pending.groups ?? 0), dirty > 1 {
      return try computeAll(pending, because: "\(dirty) of \(pending.groups ?? 0) groups have changed")
    }
    try connection.execute("ANALYZE \(RowDifference.dirty)")
    try makeFresh()
    let difference = try difference
    guard try difference.staysInGroups() else { throw outsideOfGroups }
    guard try difference.tellsRowsApart() else { throw rowsAlike }
    return Result(kind: .incremental, groups: dirty, count: try difference.write(isWhole: false))
  }

  /// Computes the rows of the dirty groups.
  private func makeFresh() throws {
    let head = "CREATE TEMP TABLE rivulet_fresh ON COMMIT DROP AS\n"
    do {
      try connection.execute(head + view.sql(keys: RowDifference.dirty))
    } catch {
      throw view.located(error, after: head, keys: RowDifference.dirty)
    }
  }

  private func computeAll(_ pending: PendingChanges, because reason: String?) throws -> Result {
    try connection.execute(
      """
      SELECT set_config('work_mem', '\(Self.memory)', true)
      WHERE pg_size_bytes(current_setting('work_mem')) < pg_size_bytes('\(Self.memory)')
      """)
    let table = Quote.qualified(view.name)
    let twin = "TABLE \(Quote.qualified(registered.twin))"
    var result = Result(kind: .full, reason: view.strategy == .incremental ? reason : nil)
    if try connection.execute("SELECT FROM \(table) LIMIT 1").count == 0 {
      result.count.inserted = try explained {
        try connection.execute("INSERT INTO \(table) \(twin)").affectedRows
      }
    } else {
      let rows = try explained {
        try connection.execute("CREATE TEMP TABLE rivulet_fresh ON COMMIT DROP AS \(twin)").affectedRows
      }
      try connection.execute("ANALYZE \(RowDifference.fresh)")
      result.count = try explained { try difference.write(isWhole: true) }
      guard try connection.query("SELECT count(*) FROM \(table)")[0].value(0) == rows else { throw rowsAlike }
    }
    if result.count.inserted + result.count.updated + result.count.deleted > 0 {
      try connection.execute("ANALYZE \(table)")
    }
    return result
  }

  private var difference: RowDifference {
    get throws {
      RowDifference(
        table: Quote.qualified(view.name),
        columns: try connection.query(
          """
          SELECT attname FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped
          ORDER BY attnum
          """, [.text(Quote.qualified(view.name))]
        ).rows.map { try $0.value(0) },
        unique: view.unique.map(\.value), key: view.key.map(\.value), connection: connection)
    }
  }

  // MARK: Ending

  /// Takes off what the snapshot sees waiting, row by row, and gives how many rows the queues had.
  private func takeOff() throws -> Int {
    try connection.query("DELETE FROM rivulet.view_mark WHERE view = $1", [.text(view.name)])
    return try registered.sources.compactMap(\.queue).reduce(0) { count, queue in
      count + (try connection.execute("DELETE FROM \(Quote.qualified(queue))").affectedRows)
    }
  }

  private func noteUnchanged() throws {
    try connection.query(
      "UPDATE rivulet.view SET refreshed_at = now() WHERE name = $1", [.text(view.name)])
  }

  private func note(_ result: Result, _ pending: PendingChanges) throws {
    let count = result.count
    if pending.rows == nil { try StoredView(view: view, connection: connection).open() }
    let rows: Int
    if result.kind == .full {
      rows = try connection.query("SELECT count(*) FROM \(Quote.qualified(view.name))")[0].value(0)
    } else {
      rows = (pending.rows ?? 0) + count.inserted - count.deleted
    }
    for capture in registered.captures {
      try connection.query(
        """
        UPDATE rivulet.view_source SET partitions = ARRAY(\(RegisteredView.partitions))
        WHERE view = $2 AND source = $3 AND partitions <> ARRAY(\(RegisteredView.partitions))
        """, [.text(Quote.qualified(capture.source)), .text(view.name), .text(capture.source)])
    }
    try connection.query(
      """
      WITH state AS (
        UPDATE rivulet.view SET refreshed_at = now(), as_of = $2::date, rows = $3::int8, groups = $4::int8
        WHERE name = $1
      ), old AS (
        DELETE FROM rivulet.view_refresh WHERE view = $1 AND refresh <= (
          SELECT refresh FROM rivulet.view_refresh WHERE view = $1 ORDER BY refresh DESC
          OFFSET \(Self.remembered - 1) LIMIT 1)
      )
      INSERT INTO rivulet.view_refresh (view, kind, seconds, groups, inserted, updated, deleted)
      VALUES ($1, $5, extract(epoch FROM clock_timestamp() - now()), $6, $7, $8, $9)
      """,
      [
        .text(view.name), .text(pending.date), .integer(rows), Parameter(try groups(result, rows, pending)),
        .text(result.kind?.rawValue ?? ""), Parameter(result.groups), .integer(count.inserted),
        .integer(count.updated), .integer(count.deleted),
      ])
  }

  /// How many groups there are, as far as that is known without much ado.
  private func groups(_ result: Result, _ rows: Int, _ pending: PendingChanges) throws -> Int? {
    if view.key.isEmpty { return 1 }
    if Set(view.key.map(\.value)) == Set(view.unique.map(\.value)) { return rows }
    guard result.kind == .full else { return pending.groups }
    return try connection.query(
      "SELECT count(*) FROM (SELECT DISTINCT \(KeysQuery.list(view.key.map(\.value))) FROM \(Quote.qualified(view.name))) g"
    )[0].value(0)
  }

  // MARK: Errors

  private var rowsAlike: ViewProblem {
    let columns = view.unique.map(\.value)
    return ViewProblem(
      view, at: view.unique.first?.mark,
      columns.isEmpty
        ? "the SELECT gives several rows, though its key is empty"
        : "the SELECT gives several rows with the same \(columns.joined(separator: ", "))",
      hint: "name in 'unique' what tells its rows apart")
  }

  private var outsideOfGroups: ViewProblem {
    ViewProblem(
      view, at: Mark(line: view.line, column: 1),
      "the SELECT gives rows of groups that {keys} did not ask for",
      hint: "join {keys} on all columns of 'key', and take these from it")
  }

  private func explained<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch PostgreSQLError.server(let error) where error.sqlState == "23505" {
      throw rowsAlike
    } catch let error as PostgreSQLError {
      guard case .server(let server) = error, server.isAboutData || error.isAboutStatement else {
        throw error
      }
      throw ViewProblem(
        view, at: Mark(line: view.line, column: 1), "the view cannot be computed: \(server.discreetMessage)",
        sqlState: server.sqlState)
    }
  }

}
