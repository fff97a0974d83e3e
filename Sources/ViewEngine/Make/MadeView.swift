import Definitions
import PostgreSQL

/// Makes a view, with everything that belongs to it.
struct MadeView {
  let view: ViewDefinition
  let connection: Connection

  /// Makes a plain view with the reader's rights; or a table, empty, the plain view beside it, and the capture
  /// of changes. And records the view among those made.
  ///
  /// To be called in a transaction.
  func make() throws {
    let number: Int = try connection.query(
      """
      INSERT INTO rivulet.view (name, definition_hash, strategy, file, description, readers,
        definition, key_columns, fresh_for)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::float8 * interval '1 second') RETURNING number
      """,
      [
        .text(view.name), .text(view.digest), .text(view.strategy.rawValue), .text(view.file),
        .text(view.description), .textArray(view.readers.map(\.value)), .text(view.sql(keys: "{keys}")),
        .textArray(view.key.map(\.value)), view.freshFor.map { .double($0 / .seconds(1)) } ?? .null,
      ])[0].value(0)
    guard view.isStored else {
      try view.createView(view.name, "WITH (security_invoker = true)", on: connection)
      let comment = Quote.literal(view.description)
      try connection.execute("COMMENT ON VIEW \(Quote.qualified(view.name)) IS \(comment)")
      return try ViewGrants.open(view, on: connection)
    }
    let checked = try CheckedView(view, twin: RegisteredView.twin(number), on: connection)
    if checked.shardKey != nil { try connection.execute(ChangeCapture.allowance) }
    try makeTable(checked)
    try ShardedView.make(checked, number: number, on: connection)
    let (sums, reason) = try StoredSums.find(for: checked, number: number, on: connection)
    for (index, source) in checked.sources.enumerated() {
      try register(source, at: index + 1, of: checked, number: number, sums)
    }
    try connection.query(
      """
      UPDATE rivulet.view SET follows_date = $2, warnings = $3, sums_reason = $4,
        own_indexes = ARRAY(SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
          WHERE i.indrelid = rivulet.relation($1))
      WHERE name = $1
      """,
      [
        .text(view.name), .boolean(checked.followsDate),
        .textArray(
          try sums?.missingIndexes(checked)
            ?? (checked.isPlaced ? [] : IndexUse(checked, on: connection).warnings)),
        Parameter(reason),
      ])
  }

  private func makeTable(_ checked: CheckedView) throws {
    let table = Quote.qualified(view.name)
    try connection.execute("CREATE TABLE \(table) AS TABLE \(Quote.qualified(checked.twin)) WITH NO DATA")
    if let key = checked.shardKey { try key.distribute(table, on: connection) }
    let key = view.key.map(\.value)
    var statements: [String] = []
    statements.append(
      view.indexed.isEmpty
        ? "CREATE UNIQUE INDEX ON \(table) ((true))"
        : "CREATE UNIQUE INDEX ON \(table) (\(KeysQuery.list(view.indexed))) NULLS NOT DISTINCT")
    if !key.allSatisfy(view.indexed.contains) {
      statements.append("CREATE INDEX ON \(table) (\(KeysQuery.list(key)))")
    }
    for index in view.indexes {
      statements.append("CREATE INDEX ON \(table) (\(KeysQuery.list(index.map(\.value))))")
    }
    statements.append("COMMENT ON TABLE \(table) IS \(Quote.literal(view.description))")
    for statement in statements { try connection.execute(statement) }
    try DefaultPrivileges.revoke(onTable: table, on: connection)
    if let owner = view.ownerColumn { try makePolicy(owner, of: checked) }
  }

  /// Rows are their owner's alone: what the sources' policies say does not reach what is stored.
  private func makePolicy(_ owner: Marked<String>, of checked: CheckedView) throws {
    let function = "auth.uid()"
    let type = try connection.query(
      "SELECT prorettype::regtype::text FROM pg_proc WHERE oid = to_regprocedure($1)", [.text(function)])
    guard let type = type.first?[0] else {
      throw ViewProblem(
        view, at: owner.mark, "there is no function \(function), which says whose rows a reader may see",
        sqlState: "42883")
    }
    let column = checked.columns.first { $0.name == owner.value }
    let (one, other) =
      column?.typeName == type
      ? (Quote.identifier(owner.value), "(SELECT \(function))")
      : ("\(Quote.identifier(owner.value))::text", "(SELECT \(function)::text)")
    let table = Quote.qualified(view.name)
    try connection.execute(
      """
      ALTER TABLE \(table) ENABLE ROW LEVEL SECURITY;
      CREATE POLICY rivulet_owner ON \(table) FOR SELECT USING (\(one) = \(other))
      """)
  }

  private func register(
    _ source: CheckedView.Source, at position: Int, of checked: CheckedView, number: Int, _ sums: StoredSums?
  ) throws {
    let capture = ChangeCapture(
      view: view.name, number: number, source: source.table.name, position: position, capture: source.capture,
      isOnShards: source.placed == .shards)
    let sums = sums?.shape.source == source.table.name ? sums : nil
    let uses: [String] = try connection.query(
      """
      INSERT INTO rivulet.view_source (view, source, position, change, capture, queue, adds, placed, uses)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $9, CASE WHEN $7::text IS NOT NULL THEN ARRAY(
          SELECT DISTINCT a.attname FROM pg_rewrite r
          JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
            AND d.refclassid = 'pg_class'::regclass AND d.refobjid = rivulet.relation($2)
          JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
          WHERE r.ev_class = rivulet.relation($8) ORDER BY a.attname) ELSE '{}' END)
      RETURNING uses
      """,
      [
        .text(view.name), .text(source.table.name), .integer(position), .text(source.change),
        .textArray(source.capture), Parameter(source.placed == .marks ? nil : capture.queue),
        Parameter(sums?.shape.adds.rawValue),
        .text(checked.twin), Parameter(source.placed?.rawValue),
      ])[0].value(0)
    switch source.table.kind {
    case .captured: try capture.make(on: connection, adding: sums, uses)
    case .sharded(let key):
      guard let queue = capture.queue else { return }
      try capture.makeOnShards(queue, by: key, on: connection)
    case .marked:
      // A merge or a publication meanwhile would leave no mark, since others do not see the view yet.
      try connection.execute("LOCK TABLE \(Quote.qualified(source.table.name)) IN SHARE MODE")
      return
    case .releases, .untracked: return
    }
    try capture.watch(on: connection)
    try connection.query(ChangeCapture.recordTables, [.text(view.name)])
  }

  /// Throws where the table that is there has not the columns that the SELECT gives.
  func requireColumns(of checked: CheckedView) throws {
    let columns = try connection.query(
      """
      SELECT attname, atttypid::int8 FROM pg_attribute
      WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped ORDER BY attnum
      """, [.text(Quote.qualified(view.name))]
    ).rows.map { (try $0.value(0, String.self), try $0.value(1, Int.self)) }
    guard columns.elementsEqual(checked.columns.map { ($0.name, $0.type) }, by: ==) else {
      throw ViewProblem(view, at: nil, "its table has other columns")
    }
  }
}

extension ViewDefinition {
  /// The columns that distinguish rows, in the order of their index: groups are looked up by it, too, and so
  /// theirs come first.
  var indexed: [String] {
    let (key, unique) = (key.map(\.value), unique.map(\.value))
    return key.filter(unique.contains) + unique.filter { !key.contains($0) }
  }
}
