import PostgreSQL

/// A statement that will run in batches.
public struct PlannedBatches: Sendable {
  /// The first line of the statement.
  public let statement: String
  /// The table as `schema.name`, quoted where need be.
  public let table: String
  /// How many rows it has now.
  public let rows: DataLoss.Rows
  /// How many rows a batch has.
  public let size: Int

  /// Whether rows may be deleted.
  let deletesRows: Bool

  /// How many batches there will be; nil where nobody knows.
  public var count: Int? {
    switch rows {
    case .counted(let rows), .about(let rows): max(1, rows / size + (rows % size > 0 ? 1 : 0))
    case .moreThan, .unknown: nil
    }
  }
}

/// What a statement has done that ran in batches, in this call and those before it that were interrupted.
public struct BatchOutcome: Sendable {
  /// The table as `schema.name`, quoted where need be.
  public let table: String
  /// How many rows were changed.
  public let rows: Int
  /// How many batches there were.
  public let batches: Int
}
