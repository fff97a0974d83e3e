import PostgreSQL
import SQLText

/// The locks of a statement that no transaction can hold: nobody can look at them from inside, but
/// PostgreSQL's manual says what they are.
struct OutsideLocks {
  private let statement: SQLStatement
  private let known: KnownRelations
  private let connection: Connection

  init(_ statement: SQLStatement, _ known: KnownRelations, _ connection: Connection) {
    self.statement = statement
    self.known = known
    self.connection = connection
  }

  private var words: [String] { statement.words }

  /// Numbers of relations and the lock on each; asked after the statement has run.
  func modes() throws -> [(relation: String, mode: LockMode)] {
    switch words.first {
    case "CREATE": return try relations(named(after: "ON")).map { ($0, .shareUpdateExclusive) }
    case "DROP" where words.contains("INDEX"): return try droppedIndex()
    case "VACUUM": return try vacuumed()
    case "CLUSTER": return try tables(matching: "indisclustered").map { ($0, .accessExclusive) }
    case "REINDEX": return try reindexed()
    case "ALTER" where words.contains("DETACH"):
      return try relations(named(after: "TABLE")).map { ($0, .shareUpdateExclusive) }
        + relations(named(after: "PARTITION")).map { ($0, .accessExclusive) }
    default: return []
    }
  }

  /// The index is gone, so that only its name leads to its table.
  private func droppedIndex() throws -> [(relation: String, mode: LockMode)] {
    let names = try named(after: "CONCURRENTLY").flatMap { name in
      try connection.query(
        "SELECT string_agg(quote_ident(part), '.' ORDER BY place) FROM unnest(parse_ident($1)) "
          + "WITH ORDINALITY p (part, place)", [.text(name)]
      ).rows.compactMap { $0[0] }
    }
    return known.relations.values.filter { relation in
      relation.isIndex && names.contains { relation.name == $0 || relation.name.hasSuffix("." + $0) }
    }.map { ($0.table, .shareUpdateExclusive) }
  }

  /// `VACUUM (FULL, ANALYZE) a, b (c)`; without names everything.
  private func vacuumed() throws -> [(relation: String, mode: LockMode)] {
    let options: Set<String> = ["FULL", "FREEZE", "VERBOSE", "ANALYZE", "ANALYSE"]
    var place = 1
    if words.count > 1, words[1] == "(" { place = (words.firstIndex(of: ")") ?? words.count - 1) + 1 }
    while place < words.count, options.contains(words[place]) { place += 1 }
    let isFull = words[..<place].contains("FULL")
    let names = names(from: place)
    let found = try names.isEmpty ? tables(matching: "true") : tables(names)
    return found.map { ($0, isFull ? .accessExclusive : .shareUpdateExclusive) }
  }

  /// `REINDEX TABLE CONCURRENTLY a`, or a whole schema or database with every index locked in its turn.
  private func reindexed() throws -> [(relation: String, mode: LockMode)] {
    let kinds: Set<String> = ["INDEX", "TABLE", "SCHEMA", "DATABASE"]
    guard let kind = words.firstIndex(where: kinds.contains) else { return [] }
    let isConcurrent = words.contains("CONCURRENTLY")
    let names = names(from: kind + (words.dropFirst(kind + 1).first == "CONCURRENTLY" ? 2 : 1))
    var found: [String]
    switch words[kind] {
    case "SCHEMA":
      found = try tables(matching: "relnamespace = to_regnamespace($1)", names.prefix(1).map { .text($0) })
    case "DATABASE": found = try tables(matching: "true")
    default: found = try tables(names).map { known[$0]?.table ?? $0 }
    }
    guard !isConcurrent else { return found.map { ($0, .shareUpdateExclusive) } }
    let indexes = known.relations.filter { $0.value.isIndex && found.contains($0.value.table) }
    return found.map { ($0, .share) } + indexes.map { ($0.key, .accessExclusive) }
  }

  // MARK: Names

  /// The name behind a word and what may come between: `IF EXISTS`, `ONLY`.
  private func named(after word: String) -> [String] {
    guard var place = words.firstIndex(of: word).map({ $0 + 1 }) else { return [] }
    while place < words.count, ["IF", "NOT", "EXISTS", "ONLY", "CONCURRENTLY"].contains(words[place]) {
      place += 1
    }
    return statement.qualifiedName(at: &place).map { [$0] } ?? []
  }

  /// Names between commas; what follows them in parentheses is skipped.
  private func names(from start: Int) -> [String] {
    var place = start
    var names: [String] = []
    while let name = statement.qualifiedName(at: &place) {
      names.append(name)
      while place < words.count, words[place] != "," { place += 1 }
      place += 1
    }
    return names
  }

  /// Relations by name.
  private func relations(_ names: [String]) throws -> [String] {
    try names.compactMap { try connection.query("SELECT to_regclass($1)::oid", [.text($0)])[0][0] }
  }

  /// Relations by name, with the partitions of those that have some.
  private func tables(_ names: [String]) throws -> [String] {
    try names.flatMap { name in
      try connection.query(
        "SELECT coalesce(relid, to_regclass($1))::oid FROM (SELECT) x LEFT JOIN pg_partition_tree(to_regclass($1)) ON true",
        [.text(name)]
      ).rows.compactMap { $0[0] }
    }
  }

  /// Tables that a condition on `pg_class c` or one of their indexes holds for.
  private func tables(matching condition: String, _ parameters: [Parameter] = []) throws -> [String] {
    try connection.query(
      """
      SELECT DISTINCT c.oid FROM pg_class c LEFT JOIN pg_index ON indrelid = c.oid
      WHERE relkind IN ('r', 'm', 'p') AND \(condition)
      """, parameters
    ).rows.compactMap { $0[0] }
  }
}
