import Definitions

/// Reads the files of `sample.yaml`: each is a source of the pipeline, and its columns are the layout's.
struct FileReader {
  let file: DefinitionFile
  let pipeline: Pipeline
  let pool: TextPool
  let tables: [SampleTable]
  /// The texts that follow from the standard release.
  let texts: [String: String]

  private enum StyleName: String, CaseIterable {
    case short
    case firstOfBlock = "first-of-block"
  }

  func files(_ nodes: [YAMLNode]) -> [(source: String, file: SampleFile)] {
    nodes.compactMap(sampleFile)
  }

  private func sampleFile(_ node: YAMLNode) -> (source: String, file: SampleFile)? {
    let keys = ["source", "entry", "table", "before", "between", "after", "columns", "block", "number"]
    guard let fields = Fields(node, of: "a file", keys: keys, in: file) else { return nil }
    let (sourceName, entry, tableName) = (
      fields.needText("source"), fields.needText("entry"), fields.needText("table")
    )
    guard let sourceName, let entry, let tableName,
      let source = find(sourceName, among: pipeline.sources, by: \.name, called: "source"),
      let table = find(tableName, among: tables, by: \.name, called: "table"),
      let layout = pipeline.layout(of: source)?.versions.last,
      let number = tables.firstIndex(where: { $0.name == table.name })
    else { return nil }
    let name = template(entry)
    if !source.entries.matches(name.filled(texts)) {
      file.report(
        "'\(name.filled(texts))' is no entry of the source", at: entry.mark,
        hint: "it takes '\(source.entries.text)'")
    }
    let reader = ScopeReader(file: file, pool: pool, scope: table.scope)
    let columns = columns(fields.mapping("columns") ?? [], layout, reader, at: fields.mark)
    let sample = SampleFile(
      entry: name, table: number, before: records("before", fields),
      between: records("between", fields), after: records("after", fields), columns: columns,
      block: fields.text("block").flatMap(reader.formula), number: fields.text("number")?.value)
    return (source.name, sample)
  }

  private func find<Thing>(
    _ name: Marked<String>, among things: [Thing], by key: (Thing) -> String, called what: String
  ) -> Thing? {
    if let thing = things.first(where: { key($0) == name.value }) { return thing }
    file.report(
      "unknown \(what) '\(name.value)'", at: name.mark,
      hint: NearestName.hint(name.value, among: things.map(key), called: "known"))
    return nil
  }

  private func records(_ key: String, _ fields: Fields) -> [[TextTemplate]] {
    (fields.list(key) ?? []).map { node in
      guard case .sequence(let cells) = node.content else {
        file.report("a record is a list of fields", at: node.mark)
        return []
      }
      return cells.map { cell in
        guard case .scalar(let text, _) = cell.content else {
          file.report("a field is a text", at: cell.mark)
          return TextTemplate("")
        }
        return template(Marked(text, at: cell.mark))
      }
    }
  }

  private func template(_ text: Marked<String>) -> TextTemplate {
    let template = TextTemplate(text.value)
    for name in template.names where texts[name] == nil {
      file.report(
        "unknown text '{\(name)}'", at: text.mark,
        hint: NearestName.hint(name, among: texts.keys.sorted(), called: "release.texts has"))
    }
    return template
  }

  // MARK: Columns

  /// The layout's columns that a file holds, in the layout's order; a column of the table's own name needs
  /// nothing said.
  private func columns(
    _ entries: [YAMLNode.Entry], _ layout: LayoutVersion, _ reader: ScopeReader, at mark: Mark
  ) -> [SampleFile.Column] {
    let placed = layout.columns.filter { $0.place != nil }
    for entry in entries where !placed.contains(where: { $0.name == entry.key }) {
      file.report(
        "unknown column '\(entry.key)'", at: entry.mark,
        hint: NearestName.hint(entry.key, among: placed.map(\.name), called: "the layout has"))
    }
    return placed.compactMap { column in
      let words = column.place?.headers.first?.words ?? []
      if let entry = entries.first(where: { $0.key == column.name }) {
        return field(entry.value, reader).map { SampleFile.Column(header: words, field: $0) }
      }
      if reader.scope[column.name] != nil {
        return reader.formula(Marked(column.name, at: mark)).map {
          SampleFile.Column(header: words, field: .formula($0, .whole))
        }
      }
      if !column.isOptional {
        file.report("the layout's column '\(column.name)' has no value", at: mark)
      }
      return nil
    }
  }

  private func field(_ node: YAMLNode, _ reader: ScopeReader) -> SampleFile.Field? {
    if case .scalar(let text, _) = node.content {
      return reader.formula(Marked(text, at: node.mark)).map { .formula($0, .whole) }
    }
    guard let fields = Fields(node, of: "a column", keys: ["value", "as", "text"], in: file) else {
      return nil
    }
    if let text = fields.text("text") {
      let template = TextTemplate(text.value)
      return .template(
        template.texts, template.names.compactMap { reader.formula(Marked($0, at: text.mark)) })
    }
    let style: StyleName? = fields.choice("as", of: "style")
    return fields.needText("value").flatMap(reader.formula).map { formula in
      switch style {
      case .short: .formula(formula, .short)
      case .firstOfBlock: .formula(formula, .firstOfBlock)
      case nil: .formula(formula, .whole)
      }
    }
  }
}

/// Reads formulas over the columns of a finished table.
struct ScopeReader {
  let file: DefinitionFile
  let pool: TextPool
  let scope: FormulaParser.Scope

  /// A formula; nil, with a mistake noted, when it is none.
  func formula(_ text: Marked<String>) -> Formula? {
    do {
      return try FormulaParser.formula(text.value, scope: scope, pool: pool)
    } catch {
      file.report(error.message, at: text.mark, hint: error.hint)
      return nil
    }
  }
}
