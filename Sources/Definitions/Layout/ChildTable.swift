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

extension ChildTable {
  /// Reads an item of `children`: the table, and its columns slot by slot.
  ///
  /// `record`: the columns of the record.
  static func read(
    _ node: YAMLNode, of record: [(name: Marked<String>, column: LayoutColumn)], in file: DefinitionFile
  ) -> (table: Self, columns: [(name: Marked<String>, column: LayoutColumn)])? {
    let keys = ["target", "repeat", "each", "columns", "key", "parent"]
    guard let fields = Fields(node, of: "a child table", keys: keys, in: file) else { return nil }
    let target = fields.needText("target")
    NameRule.qualified.check(target, called: "a table", in: file)
    let isOpen = fields.has("each")
    if isOpen, fields.has("repeat") {
      file.report(
        "what repeats does so a fixed number of times or any number, not both", at: fields.mark(of: "each"),
        hint: "leave out 'repeat' or 'each'")
    }
    let each = (fields.texts("each") ?? []).compactMap { TreePath($0, in: file) }
    let repeats = isOpen ? [RepeatSlot(number: 1)] : RepeatSlot.read(fields, in: file)
    let items = fields.needList("columns")
    let first = items.compactMap {
      LayoutColumn.read($0, slot: isOpen ? nil : repeats.first ?? RepeatSlot(number: 1), in: file)
    }
    reportRepeats(first.map(\.name), called: "the column", in: file)
    Applicability.report(first, ofRecord: record, in: file)
    for (name, column) in first where column.origin == .recordNumber || column.isInternal {
      file.report("'\(name.value)' of a child table must come from a field, or be constant", at: name.mark)
    }
    for (name, column) in first where isOpen && column.place?.paths.isEmpty == true {
      file.report("'\(name.value)' needs the key 'json', as its rows are found by a path", at: name.mark)
    }
    if !first.isEmpty, first.allSatisfy({ $0.column.place == nil }) {
      file.report("a child table needs a column with a field", at: fields.mark(of: "columns"))
    }
    guard let target, first.count == items.count, !repeats.isEmpty else { return nil }
    // What is wrong in one slot is wrong in all, and was reported of the first.
    let silent = DefinitionFile(file.name)
    let others = repeats.dropFirst().map { slot in
      items.compactMap { LayoutColumn.read($0, slot: slot, in: silent) }
    }
    let slots = [first] + others
    var table = ChildTable(target: target.value, slots: slots.map { $0.map(\.column) })
    table.each = each
    (table.key, table.parents) = ownKey(fields, columns: first.map(\.name.value), isOpen: isOpen, in: file)
    return (table, slots.flatMap(\.self))
  }

  /// The key of rows that are distinguished as those of a file of their own.
  private static func ownKey(
    _ fields: Fields, columns: [String], isOpen: Bool, in file: DefinitionFile
  ) -> (key: [String], parents: [(column: String, of: String)]) {
    let key = fields.texts("key") ?? []
    let parents = (fields.mapping("parent") ?? []).compactMap { entry in
      fields.text(entry.value, called: "'\(entry.key)'").map { (column: entry.key, of: $0.value) }
    }
    guard fields.has("key") || fields.has("parent") else { return ([], []) }
    if !isOpen || key.isEmpty || parents.isEmpty {
      file.report(
        "rows with a key of their own need 'each', 'key' and 'parent'",
        at: fields.mark(of: fields.has("key") ? "key" : "parent"),
        hint: "'parent' names the columns that say whose they are, such as {visit_id: id}")
    }
    let known = columns + parents.map(\.column)
    for column in key where !known.contains(column.value) {
      file.report(
        "the key column '\(column.value)' is no column of the child table", of: column, among: known,
        called: "it has")
    }
    return (key.map(\.value), parents)
  }
}
