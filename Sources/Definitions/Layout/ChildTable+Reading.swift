extension ChildTable {
  /// The most times that something may repeat within a record.
  private static let mostSlots = 1000

  /// Reads an item of `children`: the table, and its columns slot by slot.
  static func read(
    _ node: YAMLNode, in file: DefinitionFile
  ) -> (table: Self, columns: [(name: Marked<String>, column: LayoutColumn)])? {
    let keys = ["target", "repeat", "columns"]
    guard let fields = Fields(node, of: "a child table", keys: keys, in: file) else { return nil }
    let target = fields.needText("target")
    NameRule.qualified.check(target, called: "a table", in: file)
    fields.need("repeat")
    let count = fields.count("repeat") ?? 0
    if fields.has("repeat"), !(1...mostSlots).contains(count) {
      file.report("'repeat' must be from 1 to \(mostSlots)", at: fields.mark(of: "repeat"))
    }
    let items = fields.needList("columns")
    let first = items.compactMap { LayoutColumn.read($0, slot: 1, in: file) }
    reportRepeats(first.map(\.name), called: "the column", in: file)
    for (name, column) in first where column.place == nil || column.isInternal {
      file.report("'\(name.value)' of a child table must come from a field", at: name.mark)
    }
    guard let target, first.count == items.count, (1...mostSlots).contains(count) else { return nil }
    // What is wrong in one slot is wrong in all, and was told of the first.
    let silent = DefinitionFile(file.name)
    let others = (1..<count).map { slot in
      items.compactMap { LayoutColumn.read($0, slot: slot + 1, in: silent) }
    }
    let slots = [first] + others
    return (
      ChildTable(target: target.value, slots: slots.map { $0.map(\.column) }), slots.flatMap(\.self)
    )
  }
}
