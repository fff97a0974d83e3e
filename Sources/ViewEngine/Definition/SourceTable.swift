import Definitions
import PostgreSQL

/// A table that a view is computed from, as it is in the database.
struct SourceTable {
  /// What a table is to change capture.
  enum Kind: Equatable {
    /// Changes of its rows can be captured.
    case captured
    /// The same beside its shards, which rows go to by the column of this name.
    case sharded(by: String)
    /// Citus keeps its releases on several servers, where no trigger says what changed: publishing and merging leave
    /// marks.
    case marked
    /// The pointer to what is current: what moves it leaves a mark.
    case releases
    /// Nobody learns of its changes, for a reason.
    case untracked(String)
  }

  /// `schema.name`.
  let name: String
  private(set) var kind: Kind
  /// Names and type numbers, in order.
  let columns: [(name: String, type: Int)]

  /// The pointer to what is current, by the one name that means all that make it.
  static let releases = "rivulet.release"

  /// The table of a name; nil where there is none.
  static func find(_ name: String, on connection: Connection) throws -> SourceTable? {
    guard var table = try findLocal(name, on: connection) else { return nil }
    if table.kind == .captured, let kind = try ShardedSource.kind(of: name, on: connection) {
      table.kind = kind
    }
    return table
  }

  private static func findLocal(_ name: String, on connection: Connection) throws -> SourceTable? {
    let rows = try connection.query(
      """
      WITH RECURSIVE tree(id) AS (
        SELECT rivulet.relation($1)::oid
        UNION SELECT i.inhrelid FROM pg_inherits i JOIN tree ON tree.id = i.inhparent)
      SELECT a.attname, a.atttypid::int8, c.relkind, n.nspname = 'rivulet',
        EXISTS (SELECT FROM tree JOIN pg_subscription_rel s ON s.srrelid = tree.id),
        EXISTS (SELECT FROM tree JOIN pg_class u ON u.oid = tree.id AND u.relpersistence = 'u'),
        EXISTS (SELECT FROM pg_inherits i WHERE i.inhrelid = c.oid)
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      WHERE c.oid = rivulet.relation($1) ORDER BY a.attnum
      """, [.text(name)])
    guard let first = rows.first else { return nil }
    return SourceTable(
      name: name,
      kind: kind(
        name, relation: try first.value(2), isOwn: try first.value(3), isSubscribed: try first.value(4),
        isUnlogged: try first.value(5), isUnder: try first.value(6)),
      columns: try rows.rows.compactMap { row in try row[0].map { ($0, try row.value(1)) } })
  }

  /// `isSubscribed` and `isUnlogged` where a table under it is; `isUnder` where it is a partition or an heir.
  private static func kind(
    _ name: String, relation: String, isOwn: Bool, isSubscribed: Bool, isUnlogged: Bool, isUnder: Bool
  ) -> Kind {
    if isOwn {
      let pointer = ["rivulet.release", "rivulet.dataset", "rivulet.setting", "rivulet.release_table"]
      return pointer.contains(name) ? .releases : .untracked("it is one of rivulet's own tables")
    }
    switch relation {
    case "r", "p":
      if isUnder { return .untracked("what is written to the table above it comes past its triggers") }
      if isSubscribed { return .untracked("a subscription fills it, past all triggers") }
      return isUnlogged ? .untracked("it is unlogged: a crash empties it, past all triggers") : .captured
    case "f": return .untracked("it is a foreign table")
    case "m": return .untracked("it is a materialized view")
    default: return .untracked("it is no table")
    }
  }
}
