/// How far a statement has come that runs in batches.
public struct BatchState: Sendable, Equatable {
  /// How many batches are done.
  public internal(set) var batches = 0
  /// How many rows they have changed.
  public internal(set) var changedRows = 0
  /// How many rows of the table were in their ranges.
  public internal(set) var rows = 0
  /// How many rows the table had as it began, counted or by the server's statistics; nil where nobody knows.
  public internal(set) var totalRows: Int?

  /// How much of it is done, from 0 to 1; nil where nobody knows.
  public var share: Double? {
    totalRows.map { $0 > 0 ? min(1, Double(rows) / Double($0)) : 1 }
  }
}
