import PostgreSQL

/// How many rows of a table differ between two releases.
public struct TableDiff: Sendable {
  /// Numbers of rows.
  public struct Counts: Sendable {
    /// Rows whose key only the later release has.
    public let added: Int
    /// Rows whose key only the earlier release has.
    public let removed: Int
    /// Rows of both with another value in one column or more.
    public let changed: Int
    /// In how many of the changed rows a column differs; columns that never do are left out.
    public let columns: [(name: String, rows: Int)]
  }

  /// One of the two that are compared.
  public enum Side: String, Sendable {
    /// The one that is compared.
    case from
    /// The one that it is compared with.
    case to
  }

  /// The table, `schema.name`.
  public let table: String
  /// Those of the two that lack the table, as the bundle came without it. Then there is nothing to compare.
  public let missingIn: [Side]
  /// The numbers; nil where a side lacks the table.
  public let counts: Counts?

  /// Counts what differs in a table.
  init(
    _ table: ComparedTable, from: ComparedSide, to: ComparedSide, missingIn: [Side], on connection: Connection
  ) throws {
    self.table = table.name
    self.missingIn = missingIn
    guard missingIn.isEmpty else {
      counts = nil
      return
    }
    let row = try connection.execute(table.counts(from: from, to: to))[0]
    let columns = try table.compared.enumerated().map { index, name in
      (name: name, rows: try row.value(3 + index, Int.self))
    }
    counts = Counts(
      added: try row.value(0), removed: try row.value(1), changed: try row.value(2),
      columns: columns.filter { $0.rows > 0 })
  }
}
