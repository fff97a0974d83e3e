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

    package init(
      added: Int, removed: Int, changed: Int, columns: [(name: String, rows: Int)]
    ) {
      self.added = added
      self.removed = removed
      self.changed = changed
      self.columns = columns
    }
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

  package init(
    table: String, missingIn: [Side], counts: Counts?
  ) {
    self.table = table
    self.missingIn = missingIn
    self.counts = counts
  }
}
