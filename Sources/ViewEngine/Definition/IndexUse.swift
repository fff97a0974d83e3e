import Definitions
import PostgreSQL

/// Whether an incremental refresh finds the rows of a group by an index, or has to read a whole source.
struct IndexUse {
  /// A sentence for each source that would be read as a whole.
  let warnings: [String]

  /// Asks the planner how it would compute a few groups, were reading a whole table forbidden.
  ///
  /// To be called in a transaction.
  init(_ checked: CheckedView, on connection: Connection) throws {
    guard checked.view.strategy == .incremental else {
      warnings = []
      return
    }
    let tables = checked.sources.filter { $0.change == "groups" }.map(\.table.name)
    let columns = KeysQuery(checked.view).columns.map { name in
      let type = checked.columns.first { $0.name == name }?.typeName ?? "boolean"
      return "NULL::\(type) AS \(Quote.identifier(name))"
    }
    // A table, since the planner would see through a constant.
    let keys = "CREATE TEMP TABLE rivulet_some ON COMMIT DROP AS SELECT \(columns.joined(separator: ", "))"
    warnings = try Self.readWhole(
      tables, by: checked.view.sql(keys: "pg_temp.rivulet_some"), preparing: keys, on: connection
    ).map { table in "no index of \(table) serves the join to {keys}: each refresh reads all of it" }
  }

  /// Those of some tables that a SELECT would read as a whole, were that forbidden: no index serves it.
  ///
  /// To be called in a transaction.
  /// - Parameters:
  ///   - tables: `schema.name`.
  ///   - sql: the SELECT.
  ///   - preparation: what comes before, and is rolled back.
  ///   - connection: where to ask.
  /// - Returns: the tables, in their order.
  /// - Throws: `PostgreSQLError`.
  static func readWhole(
    _ tables: [String], by sql: String, preparing preparation: String = "", on connection: Connection
  ) throws -> [String] {
    let plan = try plan(of: sql, preparing: preparation, on: connection)
    return try tables.filter { table in
      let names = try Self.names(of: table, on: connection)
      return plan.indices.contains { line in names.contains { Self.readsAll(of: $0, plan, at: line) } }
    }
  }

  /// How the planner would do a SELECT, were reading a whole table forbidden: its lines.
  ///
  /// To be called in a transaction.
  /// - Throws: `PostgreSQLError`.
  static func plan(
    of sql: String, preparing preparation: String, on connection: Connection
  ) throws -> [String] {
    try connection.execute(
      """
      SAVEPOINT rivulet_plan;
      SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off;
      SET LOCAL enable_material = off; SET LOCAL enable_memoize = off; SET LOCAL enable_sort = off;
      \(preparation)
      """)
    let plan = try connection.query("EXPLAIN (VERBOSE, COSTS off) " + sql).rows.map {
      try $0.value(0, String.self)
    }
    // A release would keep the settings until the end of the transaction.
    try connection.execute("ROLLBACK TO rivulet_plan; RELEASE rivulet_plan")
    return plan
  }

  /// What a plan calls a table: it names the partitions that it reads.
  private static func names(of table: String, on connection: Connection) throws -> [String] {
    try connection.query(
      """
      WITH RECURSIVE tree(id) AS (
        SELECT to_regclass($1)::oid
        UNION SELECT i.inhrelid FROM pg_inherits i JOIN tree ON tree.id = i.inhparent)
      SELECT format('%I.%I', n.nspname, c.relname) FROM tree
      JOIN pg_class c ON c.oid = tree.id JOIN pg_namespace n ON n.oid = c.relnamespace
      """, [.text(Quote.qualified(table))]
    ).rows.map { try $0.value(0) }
  }

  /// Whether a line of a plan, with those that belong to it, reads a whole table.
  private static func readsAll(of table: String, _ plan: [String], at index: Int) -> Bool {
    let line = plan[index]
    guard line.contains(" on \(table)") else { return false }
    if line.contains("Seq Scan on \(table) ") || line.hasSuffix("Seq Scan on \(table)") { return true }
    guard line.contains("Index"), line.contains(" on \(table) ") || line.hasSuffix(" on \(table)") else {
      return false
    }
    let depth = line.prefix { $0 == " " }.count
    let own = plan[(index + 1)...].prefix { next in
      next.prefix { $0 == " " }.count > depth && !next.contains("->")
    }
    return !own.contains { $0.contains("Index Cond:") }
  }
}
