import Definitions
import PostgreSQL

/// Computes what has changed of a stored view, and writes what differs. To be used in the refresh's
/// transaction.
struct ViewComputation {
  let view: ViewDefinition
  let registered: RegisteredView
  let connection: Connection

  /// Computes the groups that something waits for, or all where that is asked for, or has to be.
  /// - Throws: ``ViewProblem`` where the SELECT fails, or gives rows that are not those of its groups;
  ///   `PostgreSQLError`.
  func run(_ pending: PendingChanges, ofGroups groups: Int, isFull: Bool) throws -> ViewRefresh {
    if let sharded = try self.sharded() {
      return try run(pending, on: sharded, ofGroups: groups, isFull: isFull)
    }
    // In one query, which the server takes longer to plan than to answer.
    let sumsTable = Quote.qualified(StoredSums.table(registered.number))
    let sources = pending.publications.map { Quote.qualified($0.source) }
    let types = try ColumnType.columns(of: Array(Set([table, sumsTable] + sources)), on: connection)
    let sums = try StoredSums.known(of: registered, view, types: types[sumsTable], on: connection)
    guard view.strategy == .incremental, !isFull, pending.rebuild == nil else {
      return try computeAll(because: pending.rebuild, sums)
    }
    if let sums { return try add(pending, to: sums, types) }
    let query = KeysQuery(view)
    let changed = query.dirty { name in
      registered.sources.first { $0.name == name }.flatMap { self.changed($0, pending, types) }
    }
    guard let changed else { return try computeAll(because: nil, nil) }
    let dirty = try explained { try DirtyGroups(changed, query, on: connection) }
    return try compute(dirty, ofGroups: groups, difference(types[table] ?? [:]))
  }

  /// A sort or hash that is feared to go to the disk makes the planner read ten million rows by an index, ten
  /// times as slow; a refresh is the server's maintenance, and takes of its memory what that may.
  static let memory = """
    SELECT set_config('work_mem', greatest(pg_size_bytes(current_setting('work_mem')),
      pg_size_bytes(current_setting('maintenance_work_mem'))) / 1024 || 'kB', true)
    """

  // MARK: Some groups

  /// The SELECT of what changed rows of a source held in the captured columns; nil where nothing changed. Of
  /// sources the types are given by the table's quoted name.
  func changed(
    _ source: RegisteredView.Source, _ pending: PendingChanges, _ types: [String: [String: ColumnType]]
  ) -> String? {
    let columns = KeysQuery.list(source.capture)
    let queue = pending.queued.contains(source.name) ? source.queue.map(Quote.qualified) : nil
    let queued = queue.map { "SELECT \(columns) FROM \($0)" }
    let parts = [queued, published(source, pending, types)].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " UNION ALL ")
  }

  /// The same of the releases that came or went; nil where none did.
  private func published(
    _ source: RegisteredView.Source, _ pending: PendingChanges, _ types: [String: [String: ColumnType]]
  ) -> String? {
    let columns = KeysQuery.list(source.capture)
    let types = types[Quote.qualified(source.name)] ?? [:]
    let distinct = source.capture.allSatisfy { types[$0]?.isExact == true } ? "DISTINCT " : ""
    var parts: [String] = []
    for publication in pending.publications where publication.source == source.name {
      if source.capture == ["release"] {
        let release = Quote.literal(publication.release)
        parts.append("SELECT \(release)::\(types["release"]?.name ?? "text") AS release")
      } else if let table = publication.table {
        parts.append("SELECT \(distinct)\(columns) FROM \(Quote.qualified(table))")
      }
    }
    return parts.isEmpty ? nil : parts.joined(separator: " UNION ALL ")
  }

  /// Computes the groups that something has changed in, of so many that the view has.
  private func compute(
    _ dirty: DirtyGroups, ofGroups groups: Int, _ difference: RowDifference
  ) throws -> ViewRefresh {
    guard Double(dirty.count) <= view.rebuildShare * Double(groups) || dirty.count <= 1 else {
      return try computeAll(
        because: groups == 0
          ? "there were no groups, and now there may be \(dirty.count)"
          : "\(dirty.count) of \(groups) groups have changed", nil)
    }
    var refresh = ViewRefresh(view, .refreshed)
    refresh.kind = .incremental
    refresh.groups = dirty.count
    if dirty.count == 0 { return refresh }
    try makeFresh(try explained { try dirty.present() }, difference.columns)
    guard try difference.staysIn(dirty) else { throw outsideOfGroups }
    let patterns = try difference.patterns()
    guard try difference.isDistinct(dirty, patterns) else { throw rowsAlike }
    try explained { try difference.write(dirty, patterns, into: &refresh) }
    return refresh
  }

  /// Computes the rows of groups, some after the other, each aside: a statement that writes is not done by
  /// several processes.
  private func makeFresh(_ keys: [DirtyGroups.Keys], _ columns: [String]) throws {
    // By name: what a * has come to mean since is not asked for.
    let names = KeysQuery.list(columns)
    if keys.isEmpty {
      try connection.execute(
        "CREATE TEMP TABLE rivulet_fresh ON COMMIT DROP AS SELECT \(names) FROM \(table) WITH NO DATA")
    }
    for (index, keys) in keys.enumerated() {
      let name = index == 0 ? "rivulet_fresh" : "rivulet_more"
      let head = "CREATE TEMP TABLE \(name) ON COMMIT DROP AS\nSELECT \(names) FROM (\n"
      do {
        try connection.query(head + view.sql(keys: keys.sql) + "\n) computed", keys.parameters)
      } catch {
        throw view.located(error, after: head, keys: keys.sql)
      }
      if index > 0 {
        try connection.execute(
          "INSERT INTO \(RowDifference.fresh) TABLE pg_temp.rivulet_more; DROP TABLE pg_temp.rivulet_more")
      }
    }
  }

  // MARK: Sums

  /// Adds what has changed of one source, and computes the groups again that changes of others mean, and rows
  /// that have come or gone with a release.
  private func add(
    _ pending: PendingChanges, to sums: StoredSums, _ types: [String: [String: ColumnType]]
  ) throws -> ViewRefresh {
    let query = KeysQuery(view)
    // Where what rows are joined to has changed, a row that went was added by what that was before: nothing is
    // added, and the groups of all are computed.
    let haveOthersChanged = registered.sources.contains { source in
      source.adds == nil && changed(source, pending, types) != nil
    }
    let queue = registered.added.flatMap { pending.queued.contains($0.name) ? $0.queue : nil }
      .map(Quote.qualified)
    let publications = pending.publications.filter { $0.source == registered.added?.name }
    let isPublished = !publications.isEmpty
    // Of which groups their rows were may follow from the name of the release alone.
    let known = registered.added?.capture == ["release"] ? publications.count { $0.table == nil } : 0
    if isPublished, try ReleaseRows.lost(view.name, on: connection) > known {
      return try computeAll(because: "rows of a release went with their table", sums)
    }
    let rows = haveOthersChanged ? nil : try addedRows(queue, pending)
    if let queue, try hasMoreRows(queue, than: sums.shape.source) {
      return try computeAll(because: "more rows were changed than there are", sums)
    }
    // What statements have changed may be rows of a release that came, which were never added: those that went
    // from it must not be taken away, nor does its table say of which groups they were.
    let isMixed = queue != nil && isPublished
    var asked = query.dirty { name in
      registered.sources.first { $0.name == name }.flatMap { source in
        if source.adds == nil || haveOthersChanged { return changed(source, pending, types) }
        if isMixed, source.adds == .rows { return changed(source, pending, types) }
        if case .releases = rows { return nil }
        return published(source, pending, types)
      }
    }
    if isMixed, sums.shape.adds == .sums, let queue {
      let groups = "SELECT \(sums.shape.keyList) FROM \(queue)"
      asked = asked.map { "\(groups)\nUNION SELECT * FROM (\($0)) a" } ?? groups
    }
    var refresh = ViewRefresh(view, .refreshed)
    refresh.kind = .incremental
    let difference = difference(types[table] ?? [:])
    let dirty: DirtyGroups
    let groups: [NullPattern]
    do {
      // A value that cannot be computed, or is too large for its type, may come and go between two refreshes.
      let added = try connection.transaction { () throws -> (DirtyGroups, [NullPattern])? in
        let dirty = try gather(rows, query, asking: asked, to: sums)
        let groups = try dirty.patterns(of: sums.shape.key)
        let isRight = try dirty.count == 0 || sums.add(groups, from: rows, asking: asked)
        return isRight ? (dirty, groups) : nil
      }
      guard let added else {
        return try computeAll(because: "what was stored of its groups cannot be right", sums)
      }
      (dirty, groups) = added
    } catch PostgreSQLError.server(let error) where error.isAboutData {
      return try computeAll(because: "what has changed cannot be added up by itself", sums)
    }
    refresh.groups = dirty.count
    if dirty.count == 0 { return refresh }
    let names = KeysQuery.list(difference.columns)
    try explained {
      try connection.execute(
        """
        CREATE TEMP TABLE rivulet_fresh ON COMMIT DROP AS SELECT \(names) FROM \(table) WITH NO DATA;
        INSERT INTO \(RowDifference.fresh) \(sums.rows(difference.columns, of: groups))
        """)
      try difference.write(dirty, try difference.patterns(), into: &refresh)
    }
    return refresh
  }

  /// The changes of the source whose changes are added up, as far as that is done; nil where there are none.
  private func addedRows(_ queue: String?, _ pending: PendingChanges) throws -> AddedRows? {
    let publications = pending.publications.filter { $0.source == registered.added?.name }
    if publications.isEmpty { return queue.map(AddedRows.queue) }
    // What a statement has added may be of a release that came or went: which it was the queue does not say.
    if queue != nil { return nil }
    return try ReleaseRows.find(view.name, marked: publications.compactMap(\.table), on: connection)?.rows
      .map { .releases($0) }
  }

  /// Whether to add up what a queue holds is dearer than to compute everything, by what the server knows of
  /// both without reading them.
  private func hasMoreRows(_ queue: String, than source: String) throws -> Bool {
    // Who may see some rows of the source only may add up what is known of all.
    let isLarge = """
      SELECT pg_relation_size(\(Quote.literal(queue))) > \(Self.largeQueue)
        AND NOT row_security_active(rivulet.relation($1))
      """
    guard try connection.query(isLarge, [.text(source)])[0].value(0) else { return false }
    func rows(_ table: String) throws -> Double {
      let plan: String = try connection.execute("EXPLAIN SELECT FROM \(table)")[0].value(0)
      return plan.firstMatch(of: /rows=(\d+)/).flatMap { Double($0.1) } ?? 0
    }
    return try rows(queue) > rows(Quote.qualified(source))
  }

  /// A queue of fewer bytes is added up in no time.
  private static let largeQueue = 1 << 20

  /// Puts together what is to be added, and the groups that this and others mean.
  private func gather(
    _ rows: AddedRows?, _ query: KeysQuery, asking asked: String?, to sums: StoredSums
  ) throws -> DirtyGroups {
    var keys = "SELECT \(sums.shape.keyList) FROM \(StoredSums.delta)"
    if sums.shape.adds == .sums {
      try sums.gather(rows)
    } else if let rows, let source = registered.added {
      keys =
        query.dirty { name in
          name == source.name ? "SELECT \(KeysQuery.list(source.capture)) FROM \(rows.table)" : nil
        } ?? keys
    } else {
      keys = asked ?? "SELECT \(sums.shape.keyList) FROM \(sums.table) LIMIT 0"
    }
    let dirty = try DirtyGroups(
      asked.map { "SELECT * FROM (\(keys)) k\nUNION SELECT * FROM (\($0)) a" } ?? keys, query,
      types: asked == nil && sums.shape.adds == .sums ? sums.types : nil, on: connection)
    if sums.shape.adds == .rows { try sums.gatherRows(rows) }
    return dirty
  }

  // MARK: All groups

  private func computeAll(because reason: String?, _ sums: StoredSums?) throws -> ViewRefresh {
    let difference = difference(try ColumnType.columns(of: table, on: connection))
    var rows = "TABLE \(Quote.qualified(registered.twin))"
    if let sums {
      try explained { try sums.fill() }
      rows = sums.rows(difference.columns)
    }
    let order = view.indexed.isEmpty ? "" : " ORDER BY \(KeysQuery.list(view.indexed))"
    var refresh = ViewRefresh(view, .refreshed)
    refresh.kind = .full
    refresh.reason = view.strategy == .incremental ? reason : nil
    if try connection.execute("SELECT FROM \(table) LIMIT 1").count == 0 {
      refresh.inserted = try explained { try fill(rows, order) }
      refresh.rows = refresh.inserted
    } else {
      let count = try explained {
        try connection.execute("CREATE TEMP TABLE rivulet_fresh ON COMMIT DROP AS \(rows)").affectedRows
      }
      // Nothing else is asked of its columns than which rows are alike.
      let columns = view.indexed.isEmpty ? "" : "(\(KeysQuery.list(view.indexed)))"
      try connection.execute("ANALYZE \(RowDifference.fresh)\(columns)")
      try explained { try difference.writeAll(of: count, order, into: &refresh) }
      refresh.rows = try connection.query("SELECT count(*) FROM \(table)")[0].value(0)
      guard refresh.rows == count else { throw rowsAlike }
    }
    if refresh.rowsChanged > 0 { try connection.execute("ANALYZE \(table)") }
    return refresh
  }

  /// Writes rows to the table, which is empty, in the order of its index, which takes half the time.
  private func fill(_ rows: String, _ order: String) throws -> Int {
    func insert(_ rows: String) throws -> Int {
      try connection.execute("INSERT INTO \(table) SELECT * FROM (\n\(rows)\n) r\(order)").affectedRows
    }
    // A statement that writes is not done by several processes; what they compute is written then.
    guard try isParallel(rows) else { return try insert(rows) }
    try connection.execute("CREATE TEMP TABLE rivulet_fresh ON COMMIT DROP AS \(rows)")
    let count = try insert("TABLE \(RowDifference.fresh)")
    // The next view may be filled in the same transaction.
    try connection.execute("DROP TABLE \(RowDifference.fresh)")
    return count
  }

  /// Whether the server would compute it by several processes.
  private func isParallel(_ rows: String) throws -> Bool {
    try connection.execute("EXPLAIN (COSTS off) \(rows)").rows.contains { ($0[0] ?? "").contains("Gather") }
  }

  /// The view's table, quoted.
  var table: String { Quote.qualified(view.name) }

  /// What writes, or counts, the rows in which the view's table, of some columns, differs from those computed.
  func difference(_ types: [String: ColumnType]) -> RowDifference {
    RowDifference(
      table: table,
      columns: types.sorted { $0.value.position < $1.value.position }.map(\.key), types: types,
      unique: view.unique.map(\.value),
      key: view.key.map(\.value), connection: connection)
  }

  // MARK: Errors

  var rowsAlike: ViewProblem {
    let columns = view.unique.map(\.value)
    return ViewProblem(
      view, at: view.unique.first?.mark,
      columns.isEmpty
        ? "the SELECT gives several rows, though its key is empty"
        : "the SELECT gives several rows with the same \(columns.joined(separator: ", "))",
      hint: "name in 'unique' what distinguishes its rows")
  }

  var outsideOfGroups: ViewProblem {
    ViewProblem(
      view, at: Mark(line: view.line, column: 1),
      "the SELECT gives rows of groups that {keys} did not ask for",
      hint: "join {keys} on all columns of 'key', and take these from it")
  }

  /// Does something; where the server finds fault with data or the SELECT, the error is the view's.
  func explained<Value>(_ body: () throws -> Value) throws -> Value {
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
