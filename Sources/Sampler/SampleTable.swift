/// How the rows of a sample's table come about.
///
/// Tables are laid out one behind the other in a ``Frame``: a table that is made of others finds their
/// columns before its own.
struct SampleTable {
  /// Where rows come from.
  enum Origin {
    /// Rows written out in the definition: the texts of the first columns.
    case items([[Int64]])
    /// The rows of another table that is kept in memory.
    case copy(of: Int)
    /// As many rows as are asked for, under codes.
    case codes(CodePlan)
    /// As many rows as are asked for, or a share of them.
    case counted(Double)
    /// The rows of a table, each as often as one of its columns says.
    case repeated(Int, times: Formula)
    /// Every row of a table with every row of another one that is kept in memory.
    case product(Int, Int, where: Formula?)
  }

  /// A column that a formula works out.
  struct Column {
    let place: Int
    let formula: Formula
  }

  /// A second copy of some rows, right behind the first.
  struct Again {
    let condition: Formula
    /// Which values differ in the copy.
    let changes: [(place: Int, value: Int64)]
  }

  let name: String
  let origin: Origin
  /// The columns worked out once for a row, or once for all parts of a code.
  let columns: [Column]
  /// The columns worked out for each part of a code.
  let partColumns: [Column]
  let again: Again?
  /// The columns that rows are sorted by.
  let sort: [(place: Int, kind: ValueKind)]
  /// Every column that formulas and files may name.
  let scope: SampleScope

  /// Whether the table's rows are few and kept, rather than made one by one.
  var isKept: Bool {
    switch origin {
    case .items, .copy: true
    case .codes, .counted, .repeated, .product: false
    }
  }
}

extension SampleTable {
  /// The column with the number of a row, from 1, of a table that is counted; and with the number of a copy,
  /// of one whose rows are repeated.
  static let ordinal = "nth"
}
