import Definitions
import PostgreSQL

/// By what the rows of a stored view go to the shards of what it is computed from.
struct ShardKey {
  /// The view's column, one of its key.
  let column: String
  /// The source that it lies beside, `schema.name`.
  let source: String

  /// Distributes a table that was just made, by its quoted name.
  /// - Throws: `PostgreSQLError`.
  func distribute(_ table: String, on connection: Connection) throws {
    try connection.query(
      "SELECT create_distributed_table($1::regclass, $2, colocate_with => $3)",
      [.text(table), .text(column), .text(Quote.qualified(source))])
  }
}

extension CheckedView {
  /// Citus keeps something that it reads on several servers.
  var isPlaced: Bool { sources.contains { $0.placed != nil } }

  /// The sources whose changes are captured on shards, each with the column that its rows go by.
  private var sharded: [(source: Source, key: String)] {
    sources.compactMap { source in
      guard source.placed == .shards, case .sharded(let key) = source.table.kind else { return nil }
      return (source, key)
    }
  }

  /// By what its rows are distributed; nil where they are not.
  var shardKey: ShardKey? {
    sharded.first.map { ShardKey(column: $0.key, source: $0.source.table.name) }
  }

  /// Throws ``ViewProblem`` where groups would not each lie in one shard, beside the rows that they are computed from,
  /// or equal ones might differ.
  func requireShardKey(on connection: Connection) throws {
    guard let key = shardKey else { return }
    let beside = "as Citus distributes \(key.source) by it"
    for (place, columns) in [("key", view.key), ("unique", view.unique)] {
      if columns.contains(where: { $0.value == key.column }) { continue }
      throw ViewProblem(
        view, at: columns.first?.mark, "'\(place)' does not hold '\(key.column)', \(beside)",
        hint: "a group must lie in one shard: give it that column, or make the view full, with fresh_for")
    }
    for (source, column) in sharded where !source.capture.contains(column) {
      let name = view.sources.first { $0.name.value == source.table.name }?.name
      throw ViewProblem(
        view, at: name?.mark, "'capture' of \(source.table.name) does not hold '\(column)'",
        hint: "Citus distributes the table by it, and so is what is captured")
    }
    let isAlike: Bool = try connection.query(
      """
      SELECT (a.atttypid, a.attcollation) = (b.atttypid, b.attcollation) FROM pg_attribute a, pg_attribute b
      WHERE a.attrelid = to_regclass($1) AND b.attrelid = rivulet.relation($2) AND a.attname = $3 AND b.attname = $3
      """, [.text(Quote.qualified(twin)), .text(key.source), .text(key.column)])[0].value(0)
    if !isAlike {
      throw ViewProblem(
        view, at: view.key.first { $0.value == key.column }?.mark,
        "'\(key.column)' is of another type or collation than in \(key.source), \(beside)",
        hint: "give it as it is there")
    }
    let types = try ColumnType.columns(of: Quote.qualified(twin), on: connection)
    for column in view.key where types[column.value]?.isExact == false {
      throw ViewProblem(
        view, at: column.mark,
        "equal values of '\(column.value)' may differ, as 1.0 and 1.00 do, and \(key.source) is distributed",
        hint: "cast it to text, or to integer")
    }
    if let owner = view.ownerColumn {
      throw ViewProblem(
        view, at: owner.mark,
        "'owner_column' asks each row's reader who he is, whom the servers of Citus do not know",
        hint: "leave the tables on the coordinator, or put a live view with the condition over this one")
    }
    if followsDate {
      throw ViewProblem(
        view, at: nil, "it depends on rivulet.today(), which the servers of Citus do not know",
        hint: "compute by date in a live view over this one")
    }
    try requireColocation(with: key, on: connection)
  }

  private func requireColocation(with key: ShardKey, on connection: Connection) throws {
    let apart = try connection.query(
      """
      SELECT n FROM unnest($1::text[]) n JOIN pg_dist_partition d ON d.logicalrelid = rivulet.relation(n)
      WHERE d.colocationid <> (SELECT colocationid FROM pg_dist_partition WHERE logicalrelid = rivulet.relation($2))
      """, [.textArray(sharded.map(\.source.table.name)), .text(key.source)])
    guard let other = apart.first?[0] else { return }
    throw ViewProblem(
      view, at: view.sources.first { $0.name.value == other }?.name.mark,
      "\(other) does not lie beside \(key.source)",
      hint: "place it 'distributed by ... with \(key.source)'")
  }
}
