public import Values

/// What repeats within a record and becomes rows of a table of its own: a fixed number of times, such as four
/// prices, or, in tree-shaped records, any number of times.
///
/// A row has the key of its record, the number of its `slot` from 1, and the columns. A slot whose fields are
/// all blank makes no row, whatever its columns are that are constant.
///
/// Rows with a ``key`` of their own have neither: they are distinguished as those of a file of their own are,
/// and say in the columns of ``parents`` whose they are.
public struct ChildTable: Sendable {
  /// The table, `schema.table`.
  public var target: String
  /// The columns of each slot: the same names, each at its own place. Of what repeats any number of times
  /// those of one.
  public var slots: [[LayoutColumn]]
  /// The paths of a tree-shaped record to what repeats any number of times; empty where it repeats in slots.
  public var each: [TreePath] = []
  /// The columns that tell its rows apart; empty where that are the key of the record and the slot.
  public var key: [String] = []
  /// The columns that say which record a row belongs to, each with the column of the record that it has its
  /// value from.
  public var parents: [(column: String, of: String)] = []

  /// A table of slots.
  public init(target: String, slots: [[LayoutColumn]]) {
    self.target = target
    self.slots = slots
  }

  /// What distinguishes rows where their records have a key.
  public func rowKey(ofRecord key: [String]) -> [String] { self.key.isEmpty ? key + ["slot"] : self.key }

  /// The columns that rows have from their record, and those of the record that they are.
  public func inherited(fromKey key: [String]) -> [(column: String, of: String)] {
    self.key.isEmpty ? key.map { ($0, $0) } : parents
  }

  /// All columns of a row in the order in which it is written, without where it comes from.
  public func rowColumns(ofRecord key: [String]) -> [String] {
    inherited(fromKey: key).map(\.column) + (self.key.isEmpty ? ["slot"] : []) + columnNames
  }

  /// The names of the columns.
  public var columnNames: [String] { slots.first?.map(\.name) ?? [] }
}
