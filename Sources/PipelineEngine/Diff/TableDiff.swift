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

  /// The table, `schema.name`.
  public let table: String
  /// The releases, of the two, whose bundle came without the table. Then there is nothing to compare.
  public let missingIn: [String]
  /// The numbers; nil where a release lacks the table.
  public let counts: Counts?
}
