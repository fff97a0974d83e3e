import Host
import PostgreSQL
import Progress

/// Brings one table with its rows to where its mark says, or back, in the transaction that is open.
///
/// The tables of its releases that are not attached go along: they could not be attached any more. What the server
/// loses of a table that it makes again, such as comments, is put back.
struct TableMove {
  /// Where the table goes.
  let mark: PlacementMark
  let connection: Connection
  /// What hangs on the tables; nil where nothing does.
  let dependents: (any DependentObjects)?
  /// The transaction is its own. Once one has changed several tables, or read a reference table, as a migration may,
  /// Citus measures and analyzes nothing in it.
  var isAlone = true

  /// What was moved.
  struct Outcome {
    var tables: [SQLName]
    var rows = 0
    var bytes = 0
  }

  /// The tables that are not where they should be, the table itself first; none where all are. Those that foreign keys
  /// tie together come back together: one that is local may not refer to one that is distributed.
  func waiting() throws -> [SQLName] {
    try connection.query(
      """
      WITH RECURSIVE tied (id) AS (
        SELECT to_regclass($1)::oid
        UNION SELECT other FROM tied JOIN pg_constraint f ON f.contype = 'f' AND tied.id IN (f.conrelid, f.confrelid) AND $2
        CROSS JOIN LATERAL (VALUES (f.conrelid), (f.confrelid)) o(other)
        JOIN pg_class c ON c.oid = other AND NOT c.relispartition)
      SELECT n.nspname, c.relname
      FROM (SELECT id FROM tied UNION
        SELECT rivulet.relation(t.partition)::oid FROM rivulet.release_table t
        JOIN tied ON rivulet.relation(t.target) = tied.id WHERE $3) u(id)
      JOIN pg_class c ON c.oid = u.id JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE (c.oid IN (SELECT id FROM tied) OR NOT c.relispartition)
        AND EXISTS (SELECT FROM pg_dist_partition d WHERE d.logicalrelid = c.oid) = $2
      ORDER BY c.oid <> to_regclass($1), 1, 2
      """, [.text(mark.quotedTable), .boolean(mark.place == .local), .boolean(mark.place != .reference)]
    ).rows.map { SQLName(schema: try $0.value(0), try $0.value(1)) }
  }

  /// What some tables take with those under them and their indexes, in bytes.
  func bytes(of tables: [SQLName]) throws -> Int {
    try connection.query(
      """
      SELECT coalesce(sum(CASE WHEN EXISTS (SELECT FROM pg_dist_partition d WHERE d.logicalrelid = t.id)
        THEN citus_total_relation_size(t.id) ELSE pg_total_relation_size(t.id) END), 0)::bigint FROM \(Self.tree) t
      """, [.textArray(tables.map(\.quoted))])[0].value(0)
  }

  /// The numbers of tables, `$1`, and of those under them.
  private static let tree = """
    (SELECT id::oid FROM unnest($1::text[]::regclass[]) id UNION
      SELECT p.relid FROM unnest($1::text[]::regclass[]) r, pg_partition_tree(r) p)
    """

  /// Moves what waits. To be called in a transaction of its own, or at the end of one.
  ///
  /// - Throws: `ClusterError`, `PostgreSQLError`.
  func run(_ task: TaskProgress? = nil) throws -> Outcome {
    let tables = try waiting()
    if tables.isEmpty { return Outcome(tables: []) }
    // Nothing but its place is to change: neither what reads it nor what is said of it.
    try connection.execute(settings)
    try connection.execute(
      "LOCK TABLE \(tables.map(\.quoted).joined(separator: ", ")) IN SHARE ROW EXCLUSIVE MODE")
    let own = Set(try connection.query("SELECT name FROM rivulet.view").rows.compactMap { $0[0] })
    // A table that comes back is made again, and with it goes what Citus does not know of it.
    let before =
      try isAlone || mark.place == .local ? SchemaSnapshot.read(from: connection, leavingOut: own) : nil
    // Those that they refer to may be emptied here with them.
    let written = try withReferred(tables)
    let storages = try written.map { try storage(of: $0) }
    var outcome = Outcome(tables: tables, rows: try rows(of: tables))
    if isAlone { outcome.bytes = try bytes(of: tables) }
    try dependents?.remove(reading: tables.map(\.description), on: connection)
    task?.enter("move")
    if mark.place == .local { try undistribute(tables) } else { try distribute(tables) }
    task?.enter("verify")
    let after = try rows(of: tables)
    guard after == outcome.rows else {
      throw ClusterError.otherRows(table: mark.table, before: outcome.rows, after: after)
    }
    if isAlone {
      task?.enter("analyze")
      try connection.execute("ANALYZE \(try leaves(of: tables).map(\.quoted).joined(separator: ", "))")
    }
    if isAlone, mark.place == .local { outcome.bytes = try bytes(of: tables) }
    for (table, storage) in zip(written, storages) {
      try connection.query(
        """
        UPDATE rivulet.merge SET storage = $2 WHERE rivulet.relation(target) = to_regclass($1) AND storage = $3
        """, [.text(table.quoted), .integer(try self.storage(of: table)), .integer(storage)])
    }
    if let before {
      let lines = before.differences(to: try SchemaSnapshot.read(from: connection, leavingOut: own))
        .map { $0.line(.wayBack) }
      guard lines.isEmpty else { throw ClusterError.losses(table: mark.table, lines: lines) }
    }
    return outcome
  }

  /// Once several connections have read a table, Citus refuses to drop or make what reads it over one of them; to
  /// fill tables it takes several.
  private var mode: String {
    mark.place == .local ? "SET LOCAL citus.multi_shard_modify_mode = 'sequential';" : ""
  }

  /// Names are written with their schemas, and what is done on the way is not said.
  private var settings: String {
    mode + "SET LOCAL search_path = ''; SET LOCAL client_min_messages = 'error'"
  }

  private func distribute(_ tables: [SQLName]) throws {
    for table in tables {
      if let key = mark.key {
        let other = table == mark.name ? mark.companion?.quoted ?? "none" : mark.quotedTable
        try connection.query(
          "SELECT create_distributed_table($1::regclass, $2, colocate_with => $3)",
          [.text(table.quoted), .text(key), .text(other)])
      } else {
        try connection.query("SELECT create_reference_table($1::regclass)", [.text(table.quoted)])
      }
    }
    // The rows are on the workers; what is left here nobody sees any more.
    for table in try connection.query(Self.leftHere, [.textArray(tables.map(\.quoted))]).rows {
      try connection.query(
        "SELECT truncate_local_data_after_distributing_table($1::oid::regclass)", [Parameter(table[0])])
    }
  }

  /// Tables, and those that they refer to.
  private func withReferred(_ tables: [SQLName]) throws -> [SQLName] {
    try connection.query(
      """
      WITH RECURSIVE \(Self.moved)
      SELECT n.nspname, c.relname FROM moved JOIN pg_class c ON c.oid = moved.id
      JOIN pg_namespace n ON n.oid = c.relnamespace
      """, [.textArray(tables.map(\.quoted))]
    ).rows.map { SQLName(schema: try $0.value(0), try $0.value(1)) }
  }

  private static let moved = """
    moved (id) AS (
      SELECT id::oid FROM unnest($1::text[]::regclass[]) id
      UNION SELECT f.confrelid FROM moved JOIN pg_constraint f ON f.contype = 'f' AND f.conrelid = moved.id)
    """

  /// The tables `$1`, and those that they refer to, which still hold rows here. A table that a local one refers to, by
  /// way of others or not, keeps them until that has followed: emptying the one empties the other.
  private static let leftHere = """
    WITH RECURSIVE \(moved),
    refers (id, by) AS (
      SELECT id, id FROM moved
      UNION SELECT r.id, f.conrelid FROM refers r JOIN pg_constraint f ON f.contype = 'f' AND f.confrelid = r.by)
    SELECT t.id FROM moved t
    WHERE (pg_relation_size(t.id) > 0
        OR EXISTS (SELECT FROM pg_partition_tree(t.id) p WHERE pg_relation_size(p.relid) > 0))
      AND NOT EXISTS (SELECT FROM refers r WHERE r.id = t.id
        AND NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = r.by))
    """

  private func undistribute(_ tables: [SQLName]) throws {
    let hadViews = try dependents?.release(on: connection) ?? false
    try connection.execute(settings)
    let kept = try KeptProperties(of: tables, on: connection)
    for table in tables {
      try connection.query(
        """
        SELECT undistribute_table(logicalrelid, cascade_via_foreign_keys => EXISTS (
          SELECT FROM pg_constraint WHERE contype = 'f' AND logicalrelid IN (conrelid, confrelid)))
        FROM pg_dist_partition WHERE logicalrelid = $1::regclass
        """, [.text(table.quoted)])
    }
    try kept.restore()
    guard hadViews, let dependents else { return }
    try connection.resetSession()
    try connection.execute(mode)
    try dependents.restore(on: connection)
    try connection.execute(settings)
  }

  private func rows(of tables: [SQLName]) throws -> Int {
    try tables.reduce(0) { sum, table in
      sum + (try connection.query("SELECT count(*) FROM \(table.quoted)")[0].value(0, Int.self))
    }
  }

  private func leaves(of tables: [SQLName]) throws -> [SQLName] {
    try connection.query(
      """
      SELECT n.nspname, c.relname FROM \(Self.tree) t JOIN pg_class c ON c.oid = t.id
      JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'r' OR NOT EXISTS (
        SELECT FROM pg_inherits i WHERE i.inhparent = c.oid) ORDER BY 1, 2
      """, [.textArray(tables.map(\.quoted))]
    ).rows.map { SQLName(schema: try $0.value(0), try $0.value(1)) }
  }

  /// As the ledger of merges knows a table: its file, or the table itself where it has parts.
  private func storage(of table: SQLName) throws -> Int {
    try connection.query(
      "SELECT coalesce(pg_relation_filenode(to_regclass($1)), to_regclass($1)::oid)::bigint",
      [.text(table.quoted)])[0].value(0)
  }
}
