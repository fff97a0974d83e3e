import PostgreSQL
import SQLText

/// The locks of a statement that no transaction can hold: nobody can look at them from inside, but
/// PostgreSQL's manual says what they are.
struct OutsideLocks {
  let statement: SQLStatement
  let known: KnownRelations
  let connection: Connection

  /// Numbers of relations and the lock on each; asked after the statement has run.
  func modes() throws -> [(relation: String, mode: LockMode)] {
    switch SchemaStatement(statement) {
    case .createIndex(let index): return try relation(index.table).map { ($0, .shareUpdateExclusive) }
    case .drop(let drop): return drop.kind == "INDEX" ? tables(ofDropped: drop.names) : []
    case .alterTable(let alter):
      guard case .detachPartition(let partition, _)? = alter.actions.first?.kind else { return [] }
      return try relation(alter.name).map { ($0, .shareUpdateExclusive) }
        + relation(partition).map { ($0, .accessExclusive) }
    default: break
    }
    switch statement.keyword {
    case "VACUUM": return try vacuumed()
    case "CLUSTER": return try tables(matching: "indisclustered").map { ($0, .accessExclusive) }
    default: return try Reindex(statement).map(reindexed) ?? []
    }
  }

  /// The index is gone, so that only its name leads to its table.
  private func tables(ofDropped names: [SQLName]) -> [(relation: String, mode: LockMode)] {
    known.relations.values.filter { relation in
      relation.isIndex
        && names.contains { $0 == relation.plain || $0 == SQLName(relation.plain.name) }
    }.map { ($0.table, .shareUpdateExclusive) }
  }

  /// `VACUUM (FULL, ANALYZE) a, b (c)`; without names everything.
  private func vacuumed() throws -> [(relation: String, mode: LockMode)] {
    let options: Set<String> = ["FULL", "FREEZE", "VERBOSE", "ANALYZE", "ANALYSE"]
    var cursor = SQLCursor(statement)
    cursor.take("VACUUM")
    cursor.group()
    cursor.skip(options)
    let isFull = statement.words[..<cursor.place].contains("FULL")
    let names = cursor.qualifiedNames()
    let found = try names.isEmpty ? tables(matching: "true") : tables(names)
    return found.map { ($0, isFull ? .accessExclusive : .shareUpdateExclusive) }
  }

  /// `REINDEX TABLE CONCURRENTLY a`, or a whole schema or database with every index locked in its turn.
  private func reindexed(_ reindex: Reindex) throws -> [(relation: String, mode: LockMode)] {
    let names = [reindex.name].compactMap(\.self)
    let found =
      switch reindex.kind {
      case "SCHEMA":
        try tables(
          matching: "relnamespace = to_regnamespace($1)", names.map { .text(Quote.identifier($0.name)) })
      case "DATABASE": try tables(matching: "true")
      default: try tables(names).map { known[$0]?.table ?? $0 }
      }
    if reindex.isConcurrent { return found.map { ($0, .shareUpdateExclusive) } }
    let indexes = known.relations.filter { $0.value.isIndex && found.contains($0.value.table) }
    return found.map { ($0, .share) } + indexes.map { ($0.key, .accessExclusive) }
  }

  /// A relation by name; none where it is not there.
  private func relation(_ name: SQLName) throws -> [String] {
    [try connection.query("SELECT to_regclass($1)::oid", [.text(name.quoted)])[0][0]].compactMap(\.self)
  }

  /// Relations by name, with the partitions of those that have some.
  private func tables(_ names: [SQLName]) throws -> [String] {
    try names.flatMap { name in
      try connection.query(
        "SELECT coalesce(relid, to_regclass($1))::oid FROM (SELECT) x LEFT JOIN pg_partition_tree(to_regclass($1)) ON true",
        [.text(name.quoted)]
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
