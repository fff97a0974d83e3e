import PostgreSQL
import SQLText

/// What a statement that cannot run in a transaction leaves behind when it fails or is killed, and how to go
/// on.
struct StatementRecovery {
  let connection: Connection
  let statement: SQLStatement

  /// Whether a statement that was begun, and whose end is not recorded, has done its work.
  func isDone() throws -> Bool {
    if let index = ConcurrentIndex(statement) {
      guard let name = index.name else { return false }
      let state = try validity(of: name)
      return index.isDropped ? state == nil : state == true && !index.isRebuilt
    }
    if let detached { return try finish(detached) }
    if statement.begins(with: "CREATE", "DATABASE"), let name = statement.name(at: 2) {
      return try hasDatabase(name)
    }
    if let drop = DropObjects(statement), drop.kind == "DATABASE", let name = drop.names.first {
      return try !hasDatabase(name.name)
    }
    return false
  }

  private func hasDatabase(_ name: String) throws -> Bool {
    try connection.query("SELECT FROM pg_database WHERE datname = $1", [.text(name)]).count > 0
  }

  /// What `ALTER TABLE ... DETACH PARTITION ... CONCURRENTLY` parts.
  private var detached: (parent: SQLName, partition: SQLName)? {
    guard let alter = AlterTable(statement),
      case .detachPartition(let partition, isConcurrent: true)? = alter.actions.first?.kind
    else { return nil }
    return (alter.name, partition)
  }

  /// Whether it has begun what only another command can end.
  func isHalfDone() throws -> Bool {
    try detached.map(isPending) == true
  }

  /// Whether a partition is on its way out; nil where it is none any more.
  private func isPending(_ detached: (parent: SQLName, partition: SQLName)) throws -> Bool? {
    let parent = try number(of: detached.parent)
    let child = try number(of: detached.partition)
    return try connection.query(
      """
      SELECT inhdetachpending FROM pg_catalog.pg_inherits
      WHERE inhparent = $1::pg_catalog.oid AND inhrelid = $2::pg_catalog.oid
      """, [Parameter(parent), Parameter(child)]
    ).first?.value(0)
  }

  /// A partition that is on its way out can only be let go; true where it is gone.
  private func finish(_ detached: (parent: SQLName, partition: SQLName)) throws -> Bool {
    guard let isPending = try isPending(detached) else { return true }
    guard isPending else { return false }
    let (parent, partition) = (detached.parent.quoted, detached.partition.quoted)
    try connection.execute("ALTER TABLE \(parent) DETACH PARTITION \(partition) FINALIZE")
    return true
  }

  /// The invalid indexes of the statement's table that it could have left, by their numbers.
  func invalidIndexes() throws -> Set<String> { Set(try leftovers().map(\.number)) }

  /// Drops the invalid indexes that a `CREATE INDEX CONCURRENTLY` or `REINDEX ... CONCURRENTLY` has left,
  /// save those that were there before it.
  func clean(sparing before: Set<String> = []) throws {
    for index in try leftovers() where !before.contains(index.number) {
      try connection.execute("DROP INDEX CONCURRENTLY IF EXISTS \(index.name)")
    }
  }

  private func leftovers() throws -> [(number: String, name: String)] {
    guard let index = ConcurrentIndex(statement), !index.isDropped else { return [] }
    // Names lead where the session's path does; all else is asked with nobody's functions in the way.
    let table = try number(of: index.table)
    let named = try number(of: index.name)
    return try connection.transaction(settings: "SET LOCAL search_path = pg_catalog, pg_temp") {
      try connection.query(
        """
        SELECT c.oid, format('%I.%I', n.nspname, c.relname)
        FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE NOT i.indisvalid AND c.relkind = 'i' AND c.relname ~ $3
          AND i.indrelid = coalesce($1::pg_catalog.oid, (SELECT indrelid FROM pg_index WHERE indexrelid = $2::pg_catalog.oid))
          -- Somebody else may be building it at this moment, which only the lock shows to every role.
          AND NOT EXISTS (SELECT FROM pg_locks l WHERE l.relation = i.indrelid AND l.granted
            AND l.mode = 'ShareUpdateExclusiveLock' AND l.pid <> pg_backend_pid())
        """, [Parameter(table), Parameter(named), .text(index.leftoverPattern)]
      ).rows.map { (try $0.value(0), try $0.value(1)) }
    }
  }

  private func number(of name: SQLName?) throws(PostgreSQLError) -> String? {
    guard let name else { return nil }
    return try connection.query(
      "SELECT pg_catalog.to_regclass($1::pg_catalog.text)::pg_catalog.oid", [.text(name.quoted)]
    ).first?[0]
  }

  /// Whether an index is valid; nil where there is none.
  private func validity(of name: SQLName) throws -> Bool? {
    guard let number = try number(of: name) else { return nil }
    return try connection.query(
      "SELECT indisvalid FROM pg_catalog.pg_index WHERE indexrelid = $1::pg_catalog.oid", [.text(number)]
    ).first?.value(0)
  }
}

/// `CREATE INDEX CONCURRENTLY`, `DROP INDEX CONCURRENTLY` or `REINDEX ... CONCURRENTLY` of an index or a table.
private struct ConcurrentIndex {
  /// The index, in the schema of its table; nil where PostgreSQL chooses the name.
  let name: SQLName?
  /// The table; nil where the statement does not name it.
  var table: SQLName?
  var isDropped = false
  var isRebuilt = false

  /// Nil where the statement is none of them.
  init?(_ statement: SQLStatement) {
    if let index = CreateIndex(statement), index.isConcurrent {
      table = index.table
      name = index.name.map { SQLName(schema: index.table.schema, $0) }
    } else if let drop = DropObjects(statement), drop.kind == "INDEX", drop.isConcurrent {
      isDropped = true
      name = drop.names.first
    } else if let reindex = Reindex(statement), reindex.isConcurrent,
      ["INDEX", "TABLE"].contains(reindex.kind)
    {
      isRebuilt = true
      name = reindex.kind == "INDEX" ? reindex.name : nil
      table = reindex.kind == "TABLE" ? reindex.name : nil
    } else {
      return nil
    }
  }

  /// What the names of invalid indexes look like that it can leave.
  var leftoverPattern: String {
    let head = name.map { "^" + $0.name.escaped } ?? ""
    if isRebuilt { return head + "_cc(new|old)[0-9]*$" }
    return name == nil ? "^" + (table?.name ?? "").escaped + "_.*idx[0-9]*$" : head + "$"
  }
}

extension String {
  /// For a regular expression of PostgreSQL.
  fileprivate var escaped: String {
    reduce(into: "") { text, character in
      if !(character.isLetter || character.isNumber || character == "_") { text.append("\\") }
      text.append(character)
    }
  }
}
