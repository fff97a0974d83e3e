/// Rows, or values of a column, that a migration takes away from a table that was there before it.
public struct DataLoss: Sendable, Equatable {
  /// What happens to the table.
  public enum Kind: Sendable, Equatable {
    /// It is dropped.
    case table
    /// One of its columns is dropped.
    case column(String)
    /// It is emptied by TRUNCATE.
    case truncation
    /// Rows are deleted one by one.
    case deletion
    /// A column gets a type that cannot hold all that the old one can.
    case narrowing(column: String, from: String, to: String)
  }

  /// How many rows go.
  public enum Rows: Sendable, Equatable {
    /// So many, counted.
    case counted(Int)
    /// So many, by the server's statistics.
    case about(Int)
    /// More than so many; statistics say nothing better.
    case moreThan(Int)
    /// The table was never analysed, or may not be read.
    case unknown

    /// Whether it is known that there are none.
    public var isNone: Bool { self == .counted(0) || self == .about(0) }
  }

  /// What happens to the table.
  public let kind: Kind
  /// The table as `schema.name`, quoted where need be, as it is called before the migration.
  public let table: String
  /// The rows of the table; of a column, where they are counted, those that have a value in it.
  public internal(set) var rows = Rows.unknown

  /// The column that it is about, quoted where need be; nil where it is about whole rows.
  public var column: String? {
    switch kind {
    case .column(let name), .narrowing(let name, _, _): name
    case .table, .truncation, .deletion: nil
    }
  }
}

extension DataLoss: CustomStringConvertible {
  /// `drops column app.fee.note`, without the rows.
  public var description: String {
    switch kind {
    case .table: "drops table \(table)"
    case .column(let name): "drops column \(table).\(name)"
    case .truncation: "empties table \(table)"
    case .deletion: "deletes rows of \(table)"
    case .narrowing(let name, let old, let new): "narrows column \(table).\(name) from \(old) to \(new)"
    }
  }
}
