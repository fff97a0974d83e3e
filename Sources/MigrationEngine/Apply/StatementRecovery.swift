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
      let state = try validity(of: index.qualified(name))
      return index.isDropped ? state == nil : state == true && !index.isRebuilt
    }
    if let detached = DetachedPartition(statement) { return try finish(detached) }
    if statement.begins(with: "CREATE", "DATABASE"), let name = statement.name(at: 2) {
      return try connection.query("SELECT FROM pg_database WHERE datname = $1", [.text(name)]).count > 0
    }
    if statement.begins(with: "DROP", "DATABASE"), let name = statement.name(at: 2) {
      return try connection.query("SELECT FROM pg_database WHERE datname = $1", [.text(name)]).count == 0
    }
    return false
  }

  /// Whether it has begun what only another command can end.
  func isHalfDone() throws -> Bool {
    guard let detached = DetachedPartition(statement) else { return false }
    return try isPending(detached) == true
  }

  /// Whether a partition is on its way out; nil where it is none any more.
  private func isPending(_ detached: DetachedPartition) throws -> Bool? {
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
  private func finish(_ detached: DetachedPartition) throws -> Bool {
    guard let isPending = try isPending(detached) else { return true }
    guard isPending else { return false }
    try connection.execute("ALTER TABLE \(detached.parent) DETACH PARTITION \(detached.partition) FINALIZE")
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
    let named = try number(of: index.name.map(index.qualified))
    return try connection.transaction(settings: "SET LOCAL search_path = pg_catalog, pg_temp") {
      try connection.query(
        """
        SELECT c.oid, format('%I.%I', n.nspname, c.relname)
        FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE NOT i.indisvalid AND c.relkind = 'i' AND c.relname ~ $3
          AND i.indrelid = coalesce($1::oid, (SELECT indrelid FROM pg_index WHERE indexrelid = $2::oid))
          -- Somebody else may be building it at this moment, which only the lock shows to every role.
          AND NOT EXISTS (SELECT FROM pg_locks l WHERE l.relation = i.indrelid AND l.granted
            AND l.mode = 'ShareUpdateExclusiveLock' AND l.pid <> pg_backend_pid())
        """, [Parameter(table), Parameter(named), .text(index.leftoverPattern)]
      ).rows.map { (try $0.value(0), try $0.value(1)) }
    }
  }

  private func number(of name: String?) throws(PostgreSQLError) -> String? {
    guard let name else { return nil }
    return try connection.query("SELECT pg_catalog.to_regclass($1::text)::pg_catalog.oid", [.text(name)])
      .first?[0]
  }

  /// Whether an index is valid; nil where there is none.
  private func validity(of name: String) throws -> Bool? {
    guard let number = try number(of: name) else { return nil }
    return try connection.query(
      "SELECT indisvalid FROM pg_catalog.pg_index WHERE indexrelid = $1::pg_catalog.oid", [.text(number)]
    ).first?.value(0)
  }
}

/// `CREATE INDEX CONCURRENTLY`, `DROP INDEX CONCURRENTLY` or `REINDEX INDEX CONCURRENTLY`, read.
struct ConcurrentIndex {
  /// The index as it was written, quoted where it was, with its schema; nil where PostgreSQL chooses the
  /// name.
  var name: String?
  /// The table as it was written; nil where the statement does not name it.
  var table: String?
  var isDropped = false
  var isRebuilt = false

  /// Nil where the statement is none of the three.
  init?(_ statement: SQLStatement) {
    guard let mark = statement.words.firstIndex(of: "CONCURRENTLY") else { return nil }
    var place = mark + 1
    if statement.words.dropFirst(place).starts(with: ["IF", "NOT", "EXISTS"]) { place += 3 }
    if statement.words.dropFirst(place).starts(with: ["IF", "EXISTS"]) { place += 2 }
    if statement.begins(with: "DROP", "INDEX") {
      isDropped = true
      name = statement.qualifiedName(at: &place)
    } else if statement.words.first == "CREATE", statement.words.prefix(3).contains("INDEX") {
      if place < statement.words.count, statement.words[place] != "ON" {
        name = statement.qualifiedName(at: &place)
      }
      guard place < statement.words.count, statement.words[place] == "ON" else { return nil }
      place += 1
      if place < statement.words.count, statement.words[place] == "ONLY" { place += 1 }
      table = statement.qualifiedName(at: &place)
    } else if statement.words.first == "REINDEX" {
      // The word comes after the kind of object, or in parentheses before it.
      let kinds: Set<String> = ["INDEX", "TABLE"]
      guard let kind = statement.words.firstIndex(where: kinds.contains) else { return nil }
      place = max(mark, kind) + 1
      isRebuilt = true
      let found = statement.qualifiedName(at: &place)
      if statement.words[kind] == "INDEX" { name = found } else { table = found }
    } else {
      return nil
    }
  }

  /// The index with its schema: an index lies in that of its table.
  func qualified(_ name: String) -> String {
    guard let table, let dot = table.lastIndex(of: ".") else { return name }
    return table[...dot] + name
  }

  /// What the names of invalid indexes look like that it can leave.
  var leftoverPattern: String {
    let head = name.map { "^" + ConcurrentIndex.plain($0).escaped } ?? ""
    if isRebuilt { return head + "_cc(new|old)[0-9]*$" }
    return name == nil ? "^" + ConcurrentIndex.plain(table ?? "").escaped + "_.*idx[0-9]*$" : head + "$"
  }

  /// The last part of a name as the catalog has it.
  private static func plain(_ name: String) -> String {
    let last = name.split(separator: ".").last.map(String.init) ?? name
    guard last.hasPrefix("\"") else { return last.lowercased() }
    return String(last.dropFirst().dropLast()).replacing("\"\"", with: "\"")
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

/// `ALTER TABLE ... DETACH PARTITION ... CONCURRENTLY`, read.
private struct DetachedPartition {
  /// Both as written.
  let parent: String
  let partition: String

  init?(_ statement: SQLStatement) {
    guard statement.begins(with: "ALTER", "TABLE"), statement.words.last == "CONCURRENTLY",
      let mark = statement.words.firstIndex(of: "DETACH")
    else { return nil }
    var place = 2
    if statement.words.dropFirst(place).starts(with: ["IF", "EXISTS"]) { place += 2 }
    var behind = mark + 2
    guard let parent = statement.qualifiedName(at: &place),
      let partition = statement.qualifiedName(at: &behind)
    else { return nil }
    (self.parent, self.partition) = (parent, partition)
  }
}
