import PostgreSQL
import SQLText

/// What a statement that cannot run in a transaction leaves behind when it fails or is killed, and how to go on.
struct StatementRecovery {
  let connection: Connection
  let statement: SQLStatement

  /// Whether a statement that was begun, and whose end nobody has noted, has done its work.
  func isDone() throws -> Bool {
    if let index = ConcurrentIndex(statement) {
      guard let name = index.name else { return false }
      let state = try validity(of: index.qualified(name))
      return index.isDropped ? state == nil : state == true && !index.isRebuilt
    }
    if statement.begins(with: "CREATE", "DATABASE"), let name = statement.name(at: 2) {
      return try connection.query("SELECT FROM pg_database WHERE datname = $1", [.text(name)]).count > 0
    }
    if statement.begins(with: "DROP", "DATABASE"), let name = statement.name(at: 2) {
      return try connection.query("SELECT FROM pg_database WHERE datname = $1", [.text(name)]).count == 0
    }
    return false
  }

  /// Drops the invalid index that a `CREATE INDEX CONCURRENTLY` or `REINDEX ... CONCURRENTLY` has left.
  func clean() throws(PostgreSQLError) {
    guard let index = ConcurrentIndex(statement), !index.isDropped else { return }
    let leftovers = try connection.query(
      """
      SELECT format('%I.%I', n.nspname, c.relname)
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE NOT i.indisvalid AND c.relkind = 'i'
        AND i.indrelid = coalesce(
          to_regclass($1), (SELECT indrelid FROM pg_index WHERE indexrelid = to_regclass($2)))
        AND c.relname ~ $3
        -- Somebody else may be building it at this moment.
        AND NOT EXISTS (SELECT FROM pg_stat_progress_create_index p WHERE p.index_relid = c.oid)
      """,
      [Parameter(index.table), Parameter(index.name), .text(index.leftoverPattern)])
    for row in leftovers.rows {
      guard let name = row[0] else { continue }
      try connection.execute("DROP INDEX CONCURRENTLY IF EXISTS \(name)")
    }
  }

  /// Whether an index is valid; nil where there is none.
  private func validity(of name: String) throws -> Bool? {
    let found = try connection.query(
      "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)", [.text(name)])
    return try found.first?.value(0)
  }
}

/// `CREATE INDEX CONCURRENTLY`, `DROP INDEX CONCURRENTLY` or `REINDEX INDEX CONCURRENTLY`, read.
struct ConcurrentIndex {
  /// The index as it was written, quoted where it was, with its schema; nil where PostgreSQL chooses the name.
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
    } else if statement.words.first == "REINDEX", statement.words.prefix(mark).last == "INDEX" {
      isRebuilt = true
      name = statement.qualifiedName(at: &place)
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
    guard let name else { return "^" + ConcurrentIndex.plain(table ?? "").escaped + "_.*idx[0-9]*$" }
    return "^" + ConcurrentIndex.plain(name).escaped + (isRebuilt ? "_cc(new|old)[0-9]*$" : "$")
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
