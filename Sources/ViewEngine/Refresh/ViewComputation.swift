import Definitions
import PostgreSQL

/// Computes what has changed of a stored view, and writes what differs. To be used in the refresh's transaction.
struct ViewComputation {
  let view: ViewDefinition
  let registered: RegisteredView
  let connection: Connection

  /// What was computed, and how much of it was written.
  struct Work {
    /// Nil where nothing had changed.
    var kind: ViewRefresh.Kind?
    /// Why every group was computed of a view that is incremental.
    var reason: String?
    /// How many groups were computed; nil where all were.
    var groups: Int?
    var count = RowDifference.Count()
  }

  /// Computes the groups that something waits for, or all where that is asked for, or has to be.
  func run(_ pending: PendingChanges, isFull: Bool) throws -> Work {
    guard view.strategy == .incremental, !isFull, pending.rebuild == nil else {
      return try computeAll(because: pending.rebuild)
    }
    let types = try pending.columns(on: connection)
    let changed = KeysQuery(view).dirty { name in
      registered.sources.first { $0.name == name }.flatMap { pending.changed($0, types) }
    }
    guard let changed else { return try computeAll(because: nil) }
    let dirty = try explained { try self.dirty(changed, pending) }
    return try compute(dirty, pending, difference(types[table] ?? [:]))
  }

  /// A sort or hash that is feared to go to the disk makes the planner read ten million rows by an index, ten times as
  /// slow; a refresh is the server's maintenance, and takes of its memory what that may.
  static let memory = """
    SELECT set_config('work_mem', greatest(pg_size_bytes(current_setting('work_mem')),
      pg_size_bytes(current_setting('maintenance_work_mem'))) / 1024 || 'kB', true)
    """

  // MARK: Some groups

  private func dirty(_ changed: String, _ pending: PendingChanges) throws -> DirtyGroups {
    let columns = KeysQuery(view).columns
    if pending.isOfReleases(registered),
      let few = try DirtyGroups(few: changed, columns, on: connection)
    {
      return few
    }
    return try DirtyGroups(changed, columns, on: connection)
  }

  private func compute(
    _ dirty: DirtyGroups, _ pending: PendingChanges, _ difference: RowDifference
  ) throws -> Work {
    let groups = pending.groups ?? 0
    guard Double(dirty.count) <= view.rebuildShare * Double(groups) || dirty.count <= 1 else {
      return try computeAll(
        because: groups == 0
          ? "there were no groups, and now there may be \(dirty.count)"
          : "\(dirty.count) of \(groups) groups have changed")
    }
    var work = Work(kind: .incremental, groups: dirty.count)
    if dirty.count == 0 { return work }
    let present = PresentGroups(dirty, view: view, connection: connection)
    let expected = (pending.rows ?? 0) / max(1, groups) * dirty.count
    let few = try FewGroups(dirty, present, view: view, expecting: expected, difference, on: connection)
    if let outcome = try explained({ try few?.write() }) {
      guard outcome.staysInGroups else { throw outsideOfGroups }
      guard outcome.tellsRowsApart else { throw rowsAlike }
      work.count = outcome.count
      return work
    }
    try dirty.analyse(on: connection)
    try makeFresh(try explained { try present.found() }, difference.columns)
    let findings = try difference.examine(dirty)
    guard findings.staysInGroups else { throw outsideOfGroups }
    guard findings.tellsRowsApart, try difference.leavesOtherGroups(dirty, findings.patterns) else {
      throw rowsAlike
    }
    work.count = try explained { try difference.write(dirty, findings.patterns) }
    return work
  }

  /// Computes the rows of groups, some after the other.
  private func makeFresh(_ keys: [PresentGroups.Keys], _ columns: [String]) throws {
    // By name: what a * has come to stand for since is not asked for.
    let names = KeysQuery.list(columns)
    try connection.execute(
      "CREATE TEMP TABLE rivulet_fresh ON COMMIT DROP AS SELECT \(names) FROM \(table) WITH NO DATA"
    )
    let head = "INSERT INTO \(RowDifference.fresh)\nSELECT \(names) FROM (\n"
    for keys in keys {
      do {
        try connection.query(head + view.sql(keys: keys.sql) + "\n) computed", keys.parameters)
      } catch {
        throw view.located(error, after: head, keys: keys.sql)
      }
    }
  }

  // MARK: All groups

  private func computeAll(because reason: String?) throws -> Work {
    let twin = "TABLE \(Quote.qualified(registered.twin))"
    var work = Work(kind: .full, reason: view.strategy == .incremental ? reason : nil)
    if try connection.execute("SELECT FROM \(table) LIMIT 1").count == 0 {
      work.count.inserted = try explained {
        try connection.execute("INSERT INTO \(table) \(twin)").affectedRows
      }
    } else {
      let rows = try explained {
        try connection.execute("CREATE TEMP TABLE rivulet_fresh ON COMMIT DROP AS \(twin)").affectedRows
      }
      try connection.execute("ANALYZE \(RowDifference.fresh)")
      let difference = difference(try ColumnType.columns(of: table, on: connection))
      work.count = try explained { try difference.write(nil, try difference.patterns()) }
      guard try connection.query("SELECT count(*) FROM \(table)")[0].value(0) == rows else { throw rowsAlike }
    }
    if work.count.rows > 0 { try connection.execute("ANALYZE \(table)") }
    return work
  }

  private var table: String { Quote.qualified(view.name) }

  private func difference(_ types: [String: ColumnType]) -> RowDifference {
    RowDifference(
      table: table,
      columns: types.sorted { $0.value.position < $1.value.position }.map(\.key), types: types,
      unique: view.unique.map(\.value),
      key: view.key.map(\.value), connection: connection)
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
