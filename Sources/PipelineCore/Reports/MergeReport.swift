/// What merging did to a table.
public struct MergeReport: Sendable {
  /// The source whose records brought it.
  public let source: String
  /// The table, `schema.table`.
  public let target: String
  /// The first and the last day whose changes they were, `YYYY-MM-DD`; nil where there is no such period.
  public var period: (from: String, to: String)?
  /// Rows that are new.
  public var inserted = 0
  /// Rows that differed, and no more do.
  public var updated = 0
  /// Rows that are gone.
  public var deleted = 0
  /// Rows of the source that were there as they are.
  public var unchanged = 0

  package init(source: String, target: String, period: (from: String, to: String)? = nil) {
    (self.source, self.target, self.period) = (source, target, period)
  }
}
