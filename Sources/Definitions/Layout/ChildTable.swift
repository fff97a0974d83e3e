public import Values

/// What repeats within a record and becomes rows of a table of its own: a fixed number of times, such as four prices, or,
/// in tree-shaped records, any number of times.
///
/// A row has the key of its record, the number of its `slot` from 1, and the columns. A slot whose fields are all
/// blank makes no row, whatever its columns are that are constant.
public struct ChildTable: Sendable {
  /// The table, `schema.table`.
  public var target: String
  /// The columns of each slot: the same names, each at its own place. Of what repeats any number of times those of one.
  public var slots: [[LayoutColumn]]
  /// The paths of a tree-shaped record to what repeats any number of times; empty where it repeats in slots.
  public var each: [TreePath] = []

  /// A table of slots.
  public init(target: String, slots: [[LayoutColumn]]) {
    self.target = target
    self.slots = slots
  }

  /// The names of the columns.
  public var columnNames: [String] { slots.first?.map(\.name) ?? [] }
}
