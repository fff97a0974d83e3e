import Definitions

/// What `sample.yaml` says of the records that a file holds of one source.
struct PartDefinition {
  let source: Source
  var part: SampleFile.Part
  let layout: LayoutVersion
  let reader: SampleScope
  /// The values of the source's own columns.
  let values: [YAMLNode.Entry]
  /// Those of its child tables, slot by slot.
  let children: [YAMLNode.Entry]
}

extension FileReader {
  /// Reads the keys that are about the records of one source.
  func part(_ fields: Fields) -> PartDefinition? {
    let (sourceName, tableName) = (fields.needText("source"), fields.needText("table"))
    guard let sourceName, let tableName,
      let source = find(sourceName, among: pipeline.sources, by: \.name, called: "source"),
      let table = find(tableName, among: tables, by: \.name, called: "table"),
      let number = tables.firstIndex(where: { $0.name == table.name })
    else { return nil }
    let values = fields.mapping("columns") ?? []
    guard let layout = layout(of: source, values, table.scope) else { return nil }
    return PartDefinition(
      source: source,
      part: SampleFile.Part(
        source: source.name, table: number, continuation: continuation(fields, source, layout)),
      layout: layout, reader: table.scope, values: values, children: fields.mapping("children") ?? [])
  }

  /// Reads an item of `above`: its columns are found among those of the file by what a header calls them, or
  /// by their places.
  func abovePart(
    _ node: YAMLNode, number: Int, _ columns: inout [SampleFile.Column]
  ) -> PartDefinition? {
    let keys = ["source", "table", "columns", "children", "continuation"]
    guard let fields = Fields(node, of: "records above", keys: keys, in: file), var part = part(fields) else {
      return nil
    }
    var names: [String: String] = [:]
    for column in ownColumns(part, [:], at: fields.mark) + repeatedColumns(part) {
      let place = columns.firstIndex {
        $0.header.isEmpty ? $0.textPlace == column.textPlace : $0.header == column.header
      }
      if let place {
        columns[place].others[number] = column.field
        names[column.name] = columns[place].name
      } else {
        file.report("'\(column.name)' has no place among the columns of the file", at: fields.mark)
      }
    }
    part.part.continuation = part.part.continuation?.renamed(names)
    return part
  }

  /// The columns of child tables, slot by slot; slots that no value is given for are blank.
  func repeatedColumns(_ part: PartDefinition) -> [SampleFile.Column] {
    // What is within a record any number of times has no columns.
    let children = part.layout.children.filter { $0.each.isEmpty }
    let targets = children.map(\.target)
    for entry in part.children where !targets.contains(entry.key) {
      file.reportUnknown(
        "child table", Marked(entry.key, at: entry.mark), among: targets, called: "the layout has")
    }
    return children.flatMap { child in
      repeatedColumns(of: child, part.children.first { $0.key == child.target }, part.reader)
    }
  }

  private func repeatedColumns(
    of child: ChildTable, _ entry: YAMLNode.Entry?, _ reader: SampleScope
  ) -> [SampleFile.Column] {
    var values: [String: [YAMLNode]] = [:]
    if let entry {
      let fields = Fields(entry.value, of: "a child table", keys: child.columnNames, in: file)
      for name in child.columnNames where fields?.has(name) ?? false {
        values[name] = fields?.list(name) ?? []
        if let count = values[name]?.count, count > child.slots.count {
          file.report("\(count) values are more than the \(child.slots.count) that repeat", at: entry.mark)
        }
      }
    }
    let blank = SampleFile.Field.formula(.constant(pool.number(of: ""), .text), nil)
    return child.slots.enumerated().flatMap { slot, columns in
      columns.compactMap { column -> SampleFile.Column? in
        let nodes = values[column.name] ?? []
        let field = slot < nodes.count ? field(nodes[slot], reader) : blank
        var named = field.flatMap { Self.column(column, $0, textPlace: nil) }
        // Tables may share the names of their columns.
        named?.name = "\(child.target).\(column.name) \(slot + 1)"
        return named
      }
    }
  }

  /// How the layout has texts go on; `continuation` says what else such records hold.
  private func continuation(
    _ fields: Fields, _ source: Source, _ layout: LayoutVersion
  ) -> SampleContinuation? {
    guard let rule = layout.continuation, let value = rule.values.first else {
      if fields.has("continuation") {
        file.report("the layout has no records that go on", at: fields.mark(of: "continuation"))
      }
      return nil
    }
    var continuation = SampleContinuation(
      mark: (rule.column, value), texts: rule.joined, kept: source.key)
    guard let node = fields.node("continuation"),
      let keys = Fields(node, of: "continuation", keys: ["counts"], in: file)
    else { return continuation }
    for name in keys.texts("counts") ?? [] {
      guard layout.columns.contains(where: { $0.name == name.value }) else {
        file.reportUnknown("column", name, among: layout.columns.map(\.name), called: "the layout has")
        continue
      }
      continuation.counted.append(name.value)
    }
    return continuation
  }
}
