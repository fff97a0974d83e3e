import Definitions
import PostgreSQL

/// A stored view that Citus distributes: the groups of each shard are computed, compared and written where they lie,
/// each statement by all servers at once.
///
/// The servers share no snapshot. But all that a group is computed from lies in one shard group, beside what was
/// captured of it and what is stored; and in a transaction all statements reach a shard group over the connection that
/// the first one took, where it is REPEATABLE READ too. So of each group it sees one moment.
struct ShardedView {
  let view: ViewDefinition
  let number: Int
  let connection: Connection
  /// The column that its rows are distributed by.
  let distributed: String
  private let timeZone: String

  /// - Throws: `PostgreSQLError`.
  init(_ view: ViewDefinition, number: Int, on connection: Connection) throws {
    (self.view, self.number, self.connection) = (view, number, connection)
    let row = try connection.query(
      """
      SELECT coalesce((SELECT column_to_column_name(logicalrelid, partkey) FROM pg_dist_partition
        WHERE logicalrelid = to_regclass($1)), ''), current_setting('timezone')
      """, [.text(Quote.qualified(view.name))])[0]
    (distributed, timeZone) = (try row.value(0), try row.value(1))
  }

  /// The groups that something has changed in.
  var dirty: String { "rivulet.dirty_\(number)" }
  /// Those of them that a source has a row of.
  var present: String { "rivulet.present_\(number)" }
  /// The rows that were computed.
  var fresh: String { "rivulet.fresh_\(number)" }
  /// The view's table, quoted.
  var table: String { Quote.qualified(view.name) }

  /// The tables that hold something while a refresh is at work; temporary ones there are none on several servers.
  static func tables(_ number: Int) -> [String] {
    ["dirty", "present", "fresh"].map { "rivulet.\($0)_\(number)" }
  }

  /// Whether the session's role may do what a table's owner may.
  /// - Throws: `PostgreSQLError`.
  static func isOwned(_ table: String, on connection: Connection) throws -> Bool {
    try connection.query(
      "SELECT FROM pg_class WHERE oid = rivulet.relation($1) AND pg_has_role(relowner, 'USAGE')",
      [.text(table)]
    ).count == 1
  }

  /// Makes them for a view that is distributed.
  /// - Throws: `PostgreSQLError`.
  static func make(_ checked: CheckedView, number: Int, on connection: Connection) throws {
    guard let key = checked.shardKey else { return }
    let groups = KeysQuery.list(KeysQuery(checked.view).columns)
    for (table, columns) in zip(tables(number), [groups, groups, "*"]) {
      try connection.execute(
        "CREATE UNLOGGED TABLE \(table) AS SELECT \(columns) FROM \(Quote.qualified(checked.twin)) WITH NO DATA"
      )
      try key.distribute(table, on: connection)
      try DefaultPrivileges.revoke(onTable: table, on: connection)
    }
  }

  /// Brings the settings of the transaction at work to the other servers.
  /// - Throws: `PostgreSQLError`.
  func begin() throws {
    try connection.execute("SET LOCAL citus.propagate_set_commands = 'local'")
    try connection.execute("SET LOCAL timezone = \(Quote.literal(timeZone))")
  }

  /// Leaves nothing behind.
  /// - Throws: `PostgreSQLError`.
  func end() throws {
    for table in Self.tables(number) { try connection.execute("DELETE FROM \(table)") }
  }
}
