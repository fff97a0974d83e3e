/// A row that is not the same in two releases of a table.
public struct RowChange: Sendable {
  /// What became of the row.
  public enum Kind: String, Sendable {
    /// It is in the later release only.
    case added
    /// It is in the earlier release only.
    case removed
    /// It is in both, with other values.
    case changed
  }

  /// A column of the key with the row's value.
  public struct KeyValue: Sendable {
    /// The column.
    public let column: String
    /// The value in PostgreSQL's text form; nil where it is NULL or withheld.
    public let value: String?
    /// The number of the column's type (`pg_type.oid`).
    public let type: UInt32
    /// The column is sensitive, so that its value stays in the database.
    public let isWithheld: Bool

    package init(
      column: String, value: String?, type: UInt32, isWithheld: Bool
    ) {
      self.column = column
      self.value = value
      self.type = type
      self.isWithheld = isWithheld
    }
  }

  /// A column whose value is another one. A row that is not there has NULL everywhere.
  public struct ValueChange: Sendable {
    /// The column.
    public let column: String
    /// The value before, in PostgreSQL's text form; nil where it is NULL or withheld.
    public let from: String?
    /// The value after.
    public let to: String?
    /// The number of the column's type (`pg_type.oid`).
    public let type: UInt32
    /// The column is sensitive, so that its values stay in the database.
    public let isWithheld: Bool

    package init(
      column: String, from: String?, to: String?, type: UInt32, isWithheld: Bool
    ) {
      self.column = column
      self.from = from
      self.to = to
      self.type = type
      self.isWithheld = isWithheld
    }
  }

  /// The table, `schema.name`.
  public let table: String
  /// What became of the row.
  public let kind: Kind
  /// What tells the row from the others of its release.
  public let key: [KeyValue]
  /// The columns that differ, in the order of the table.
  public let columns: [ValueChange]

  package init(
    table: String, kind: Kind, key: [KeyValue], columns: [ValueChange]
  ) {
    self.table = table
    self.kind = kind
    self.key = key
    self.columns = columns
  }
}
