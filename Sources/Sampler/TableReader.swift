import Definitions

/// Reads the tables of `sample.yaml`; a table may use those before it.
struct TableReader {
  let file: DefinitionFile
  let pool: TextPool

  func tables(_ nodes: [YAMLNode]) -> [SampleTable] {
    nodes.reduce(into: []) { tables, node in
      if let table = table(node, before: tables) { tables.append(table) }
    }
  }

  private func table(_ node: YAMLNode, before: [SampleTable]) -> SampleTable? {
    let keys = [
      "table", "fields", "items", "of", "times", "where", "codes", "variants", "count", "columns", "parts",
      "again", "sort",
    ]
    guard let fields = Fields(node, of: "a table", keys: keys, in: file), let name = fields.needText("table")
    else { return nil }
    var builder = SampleScope(file: file, pool: pool)
    guard let origin = origin(fields, name: name.value, before: before, &builder) else { return nil }
    let columns = builder.columns(fields.mapping("columns") ?? [])
    let partColumns = builder.columns(fields.mapping("parts") ?? [])
    if !partColumns.isEmpty, !fields.has("codes") {
      file.report("only a table of codes has parts", at: fields.mark(of: "parts"))
    }
    let again = fields.node("again").flatMap { copies($0, builder) }
    let sort = (fields.texts("sort") ?? []).compactMap { builder.place(of: $0) }
    return SampleTable(
      name: name.value, origin: origin, columns: columns, partColumns: partColumns, again: again, sort: sort,
      scope: builder)
  }

  private func origin(
    _ fields: Fields, name: String, before: [SampleTable], _ builder: inout SampleScope
  ) -> SampleTable.Origin? {
    let ways = ["items", "of", "codes", "count"].filter(fields.has)
    guard ways.count == 1 else {
      file.report("a table needs one of the keys 'items', 'of', 'codes' and 'count'", at: fields.mark)
      return nil
    }
    switch ways[0] {
    case "items": return items(fields, name: name, &builder)
    case "count":
      builder.add(SampleTable.ordinal, .number(scale: 0), at: fields.mark(of: "count"))
      return fields.share("count").map { .counted($0) }
    case "codes": return codes(fields, name: name, &builder)
    default: return others(fields, before: before, &builder)
    }
  }

  private func items(
    _ fields: Fields, name table: String, _ builder: inout SampleScope
  ) -> SampleTable.Origin? {
    fields.need("fields")
    let names = fields.texts("fields") ?? []
    for name in names { builder.add(name.value, .text, at: name.mark) }
    var rows: [[Int64]] = []
    for item in fields.needList("items") {
      guard case .sequence(let cells) = item.content, cells.count == names.count else {
        file.report("an item needs \(names.count) texts, one for each of 'fields'", at: item.mark)
        continue
      }
      rows.append(
        cells.map { cell in
          guard case .scalar(let text, _) = cell.content else {
            file.report("an item holds texts only", at: cell.mark)
            return 0
          }
          return pool.number(of: text)
        })
    }
    for (column, name) in names.enumerated() {
      pool.lists["\(table).\(name.value)"] = rows.compactMap { $0.count > column ? $0[column] : nil }
    }
    return .items(rows)
  }

  private func codes(_ fields: Fields, name: String, _ builder: inout SampleScope) -> SampleTable.Origin? {
    let kinds: [ValueKind] = [
      .code(table: name), .text, .text, .number(scale: 0), .number(scale: 0), .number(scale: 0),
    ]
    for (name, kind) in zip(CodePlan.builtIn, kinds) { builder.add(name, kind, at: fields.mark) }
    let ranges = fields.needList("codes").compactMap(range)
    return .codes(CodePlan(ranges: ranges, variants: fields.texts("variants")?.map(\.value) ?? []))
  }

  private func range(_ node: YAMLNode) -> CodeRange? {
    let keys = ["kind", "from", "to", "share", "least", "parts"]
    guard let fields = Fields(node, of: "a range of codes", keys: keys, in: file) else { return nil }
    let (kind, from, to) = (fields.needText("kind"), fields.needText("from"), fields.needText("to"))
    fields.need("share")
    let share = fields.count("share")
    let parts = (fields.list("parts") ?? []).compactMap { node -> String? in
      if case .scalar(let text, _) = node.content { return text }
      file.report("a part must be a text", at: node.mark)
      return nil
    }
    guard let kind, let from, let to, let share else { return nil }
    let range = CodeRange(
      kind: kind.value, from: from.value, to: to.value, share: share, least: fields.count("least") ?? 0,
      parts: parts.isEmpty ? [""] : parts)
    if range == nil {
      file.report("'\(from.value)' and '\(to.value)' are not the ends of a range of codes", at: from.mark)
    }
    return range
  }

  private func others(
    _ fields: Fields, before: [SampleTable], _ builder: inout SampleScope
  ) -> SampleTable.Origin? {
    let names = fields.texts("of") ?? []
    var numbers: [Int] = []
    for name in names {
      guard let number = before.firstIndex(where: { $0.name == name.value }) else {
        file.reportUnknown("table", name, among: before.map(\.name), called: "the tables before are")
        return nil
      }
      numbers.append(number)
    }
    if fields.has("times") { return copies(numbers, fields, before: before, &builder) }
    guard let last = numbers.last, (1...2).contains(numbers.count), before[last].isKept else {
      file.report(
        "'of' names a table, or two of which the second is not a table of codes", at: fields.mark(of: "of"))
      return nil
    }
    guard numbers.count == 2 else {
      builder.take(before[last], prefix: "")
      return .copy(of: last)
    }
    builder.take(before[numbers[0]], prefix: before[numbers[0]].name + ".")
    // Only the first table's columns may decide, so that a row left out costs nothing.
    let condition = builder.condition(fields.text("where"))
    builder.take(before[last], prefix: before[last].name + ".")
    return .product(numbers[0], last, where: condition)
  }

  /// The rows of a table, each as often as `times` says: a number of that table.
  private func copies(
    _ numbers: [Int], _ fields: Fields, before: [SampleTable], _ builder: inout SampleScope
  ) -> SampleTable.Origin? {
    guard numbers.count == 1 else {
      file.report("only the rows of one table can be repeated", at: fields.mark(of: "of"))
      return nil
    }
    builder.take(before[numbers[0]], prefix: before[numbers[0]].name + ".")
    let times = fields.text("times").flatMap { builder.formula($0, of: .number(scale: 0)) }
    builder.add(SampleTable.ordinal, .number(scale: 0), at: fields.mark(of: "times"))
    return times.map { .repeated(numbers[0], times: $0) }
  }

  private func copies(_ node: YAMLNode, _ builder: SampleScope) -> SampleTable.Again? {
    guard let fields = Fields(node, of: "again", keys: ["where", "set"], in: file) else { return nil }
    let condition = builder.condition(fields.needText("where"))
    let changes = (fields.mapping("set") ?? []).compactMap { entry -> (place: Int, value: Int64)? in
      guard let column = builder.place(of: Marked(entry.key, at: entry.mark)),
        let text = fields.text(entry.value, called: "'\(entry.key)'")
      else { return nil }
      guard column.kind == .text else {
        file.report("only a text can be set", at: entry.mark)
        return nil
      }
      return (column.place, pool.number(of: text.value))
    }
    return condition.map { SampleTable.Again(condition: $0, changes: changes) }
  }
}
