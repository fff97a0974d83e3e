/// What repeats a fixed number of times within a record, such as four prices, and becomes rows of a table of its own.
///
/// A row has the key of its record, the number of its `slot` from 1, and the columns. A slot whose fields are all
/// blank makes no row, whatever its columns are that are constant.
public struct ChildTable: Sendable {
  /// The table, `schema.table`.
  public var target: String
  /// The columns of each slot: the same names, each at its own place.
  public var slots: [[LayoutColumn]]

  /// A table of slots.
  public init(target: String, slots: [[LayoutColumn]]) {
    self.target = target
    self.slots = slots
  }

  /// The names of the columns.
  public var columnNames: [String] { slots.first?.map(\.name) ?? [] }
}
