/// A table or view as the catalog of a database has it.
public struct Relation: Sendable {
  /// Columns that refer to those of another table.
  public struct Reference: Sendable, Hashable {
    /// The columns.
    public let columns: [String]
    /// The table that they refer to, `schema.table`.
    public let table: String
    /// The columns there.
    public let others: [String]

    /// A reference.
    public init(columns: [String], table: String, others: [String]) {
      (self.columns, self.table, self.others) = (columns, table, others)
    }
  }

  /// Its name, `schema.name`, as it is without quotes.
  public let name: String
  /// It is a view, whose rows are computed when they are asked for.
  public let isView: Bool
  /// What the database says of it; nil where it says nothing.
  public let comment: String?
  /// About how many rows it has, as the planner believes; nil where nobody has counted.
  public let rows: Int?
  /// The SELECT of a view as the server writes it; nil of tables.
  public let sql: String?
  /// Its columns, in their order.
  public var columns: [RelationColumn] = []
  /// The columns of its primary key; empty where it has none.
  public var key: [String] = []
  /// Other columns that no two rows share.
  public var uniques: [[String]] = []
  /// What its columns refer to.
  public var references: [Reference] = []
  /// What each row must be, in SQL.
  public var checks: [String] = []
  /// The tables and views that it is computed from, sorted; empty of what is no view.
  public var reads: [String] = []

  /// A relation without columns.
  public init(
    _ name: String, isView: Bool = false, comment: String? = nil, rows: Int? = nil, sql: String? = nil
  ) {
    (self.name, self.isView, self.comment, self.rows, self.sql) = (name, isView, comment, rows, sql)
  }

  /// The column of a name.
  public func column(named name: String) -> RelationColumn? { columns.first { $0.name == name } }
}

/// A column as the catalog of a database has it.
public struct RelationColumn: Sendable {
  /// Its name.
  public let name: String
  /// Its type, as SQL writes it: `numeric(8,2)`.
  public let type: String
  /// It may hold NULL.
  public let isNullable: Bool
  /// What the database says of it; nil where it says nothing.
  public let comment: String?
  /// What it holds where nobody says otherwise, or what computes it, in SQL.
  public let expression: String?
  /// Whether `expression` computes every value.
  public let isGenerated: Bool
  /// The database numbers the rows in it.
  public let isIdentity: Bool

  /// A column.
  public init(
    _ name: String, _ type: String, isNullable: Bool = true, comment: String? = nil,
    expression: String? = nil,
    isGenerated: Bool = false, isIdentity: Bool = false
  ) {
    (self.name, self.type, self.isNullable, self.comment) = (name, type, isNullable, comment)
    (self.expression, self.isGenerated, self.isIdentity) = (expression, isGenerated, isIdentity)
  }
}
