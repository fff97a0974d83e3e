import PostgreSQL

/// The order of tables by their foreign keys: what is referred to is there before what refers to it.
struct TableOrder {
  /// What is referred to, then what refers to it; within that as the tables were named.
  let parentsFirst: [String]
  private let parents: Set<String>

  /// The other way round.
  var childrenFirst: [String] { parentsFirst.reversed() }

  /// Whether another of the tables refers to one.
  func isReferredTo(_ table: String) -> Bool { parents.contains(table) }

  init(_ tables: [String], on connection: Connection) throws {
    let rows = try connection.query(
      """
      SELECT DISTINCT c.n, p.n FROM unnest($1::text[], $2::text[]) c(n, quoted)
      JOIN pg_constraint k ON k.contype = 'f' AND k.conrelid = to_regclass(c.quoted)
      JOIN unnest($1::text[], $2::text[]) p(n, quoted) ON k.confrelid = to_regclass(p.quoted)
      WHERE c.n <> p.n
      """, [.textArray(tables), .textArray(tables.map(Quote.qualified))])
    self.init(tables, references: try rows.rows.map { (try $0.value(0), try $0.value(1)) })
  }

  /// `references`: from the table that refers to the one that is referred to.
  init(_ tables: [String], references: [(from: String, to: String)]) {
    var left = tables
    var ordered: [String] = []
    while !left.isEmpty {
      // Of tables that refer to each other in a circle the first that was named begins.
      let next =
        left.firstIndex { table in
          !references.contains { $0.from == table && left.contains($0.to) && $0.to != table }
        } ?? 0
      ordered.append(left.remove(at: next))
    }
    parentsFirst = ordered
    parents = Set(references.map(\.to))
  }
}
