import Definitions
import PipelineCore
import PostgreSQL
import Store

/// How many rows the tables of a merge have, as far as that decides how they are found.
struct TableSizes {
  private let staged: [String: Int]
  private let targets: [String: Int]

  init(_ tables: [MergedTable], _ destination: Destination, on connection: Connection) throws {
    func sizes(_ names: [String]) throws -> [String: Int] {
      let rows = try connection.query(
        """
        SELECT n, CASE WHEN c.reltuples >= 0 AND c.relkind = 'r' THEN c.reltuples::bigint
          ELSE (SELECT coalesce(sum(pg_relation_size(t.relid)), 0)::bigint / 100 FROM pg_partition_tree(c.oid) t) END
        FROM unnest($1::text[], $2::text[]) u(n, quoted) JOIN pg_class c ON c.oid = to_regclass(u.quoted)
        """, [.textArray(names), .textArray(names.map(Quote.qualified))])
      return try rows.rows.reduce(into: [:]) { $0[try $1.value(0)] = try $1.value(1) }
    }
    staged = try sizes(tables.map(\.staged.name))
    guard case .changes(_, let base) = destination else {
      targets = try sizes(tables.map(\.target))
      return
    }
    targets = try ReleaseStore(connection: connection).rows(of: base, targets: tables.map(\.target))
  }

  /// So much smaller than a table is what is rather looked up in it row by row.
  private static let share = 10

  /// Whether a table is much larger than what is merged into it. What a file is the whole of is read as a
  /// whole.
  func isSmall(_ table: MergedTable) -> Bool {
    let rows = max(staged[table.staged.name] ?? 0, staged[table.records.name] ?? 0)
    return table.rule.missing == .keep && rows * Self.share < targets[table.target] ?? 0
  }
}
