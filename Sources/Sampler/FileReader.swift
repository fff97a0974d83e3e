import Definitions
import Values

/// Reads the files of `sample.yaml`: each is a source of the pipeline, and its columns are the layout's.
struct FileReader {
  let file: DefinitionFile
  let pipeline: Pipeline
  let pool: TextPool
  let tables: [SampleTable]
  /// The texts that follow from the standard release.
  let texts: [String: String]

  func files(_ nodes: [YAMLNode]) -> [SampleFile] { nodes.compactMap(sampleFile) }

  private func sampleFile(_ node: YAMLNode) -> SampleFile? {
    let keys = [
      "source", "entry", "table", "before", "between", "after", "columns", "children", "continuation",
      "above", "quirks", "block", "number", "txt", "header", "always",
    ]
    guard let fields = Fields(node, of: "a file", keys: keys, in: file) else { return nil }
    let entry = fields.needText("entry")
    guard let part = part(fields), let entry else { return nil }
    let (source, layout) = (part.source, part.layout)
    let name = template(entry)
    check(name, at: entry.mark, of: source)
    if SampleFormat(extensionOf: entry.value) == nil {
      let known = SampleFormat.allCases.map { "." + $0.rawValue }.joined(separator: ", ")
      file.report("an entry's name says its format", at: entry.mark, hint: "it ends in one of \(known)")
    }
    let textForm = fields.node("txt").flatMap(textForm)
    var columns =
      fields.has("header")
      ? headerColumns(fields.needList("header"), part)
      : columns(part, textForm?.places ?? [:], at: fields.mark)
    if fields.has("header"), fields.has("columns") || fields.has("children") {
      file.report("a file has 'header' or 'columns', not both", at: fields.mark(of: "header"))
    }
    var parts = [part.part]
    for node in fields.list("above") ?? [] {
      guard let other = abovePart(node, number: parts.count, &columns) else { continue }
      check(name, at: entry.mark, of: other.source)
      parts.append(other.part)
    }
    return SampleFile(
      entry: name, parts: parts, formats: source.formats.compactMap { SampleFormat(rawValue: $0.rawValue) },
      quirks: quirks(fields), before: records("before", fields),
      between: records("between", fields), after: records("after", fields), columns: columns,
      block: fields.text("block").flatMap { part.reader.formula($0) },
      number: fields.text("number")?.value,
      text: (textForm?.form ?? SampleFile.TextForm()).completed(by: layout.fixedWidth),
      key: source.key.filter { name in columns.contains { $0.name == name } },
      takesFootnotes: layout.skips.contains { $0.condition == .singleField },
      ownQuirks: ownQuirks(fields))
  }

  /// The quirks without which the file is not there.
  private func quirks(_ fields: Fields) -> [String] {
    (fields.texts("quirks") ?? []).map { name in
      if !pool.quirks.contains(name.value) {
        file.reportUnknown("quirk", name, among: pool.quirks, called: "'quirks' has")
      }
      return name.value
    }
  }

  private func check(_ entry: TextTemplate, at mark: Mark, of source: Source) {
    let name = entry.filled(texts)
    guard !source.entries.matches(name) else { return }
    file.report(
      "'\(name)' is no entry of the source", at: mark, hint: "it takes '\(source.entries.text)'")
  }

  // MARK: Layouts

  /// The version of the layout that the sample is of: it has a value for each needed column, and none
  /// besides. Of several the last, and where there is none, the nearest.
  func layout(
    of source: Source, _ values: [YAMLNode.Entry], _ reader: SampleScope
  ) -> LayoutVersion? {
    func faults(_ version: LayoutVersion) -> Int {
      let lacking = version.columns.count { column in
        column.place != nil && !column.isOptional && reader.columns[column.name] == nil
          && !values.contains { $0.key == column.name }
      }
      return lacking + values.count { value in !version.columns.contains { $0.name == value.key } }
    }
    return pipeline.layout(of: source)?.versions.reversed().min { faults($0) < faults($1) }
  }

  func find<Thing>(
    _ name: Marked<String>, among things: [Thing], by key: (Thing) -> String, called what: String
  ) -> Thing? {
    if let thing = things.first(where: { key($0) == name.value }) { return thing }
    file.reportUnknown(what, name, among: things.map(key))
    return nil
  }

  func records(_ key: String, _ fields: Fields) -> [[TextTemplate]] {
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

  func template(_ text: Marked<String>) -> TextTemplate {
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
  /// nothing said. What repeats in a record is among them by its places.
  private func columns(
    _ part: PartDefinition, _ places: [String: ClosedRange<Int>], at mark: Mark
  ) -> [SampleFile.Column] {
    let own = ownColumns(part, places, at: mark)
    let repeated = repeatedColumns(part)
    guard !repeated.isEmpty else { return own }
    return (own + repeated).enumerated().sorted { one, other in
      (one.element.textPlace?.lowerBound ?? .max, one.offset)
        < (other.element.textPlace?.lowerBound ?? .max, other.offset)
    }.map(\.element)
  }

  func ownColumns(
    _ part: PartDefinition, _ places: [String: ClosedRange<Int>], at mark: Mark
  ) -> [SampleFile.Column] {
    let (entries, layout, reader) = (part.values, part.layout, part.reader)
    let placed = layout.columns.filter { $0.place != nil }
    for entry in entries where !placed.contains(where: { $0.name == entry.key }) {
      file.reportUnknown(
        "column", Marked(entry.key, at: entry.mark), among: placed.map(\.name), called: "the layout has")
    }
    return placed.compactMap { column in
      if let entry = entries.first(where: { $0.key == column.name }) {
        return field(entry.value, reader).flatMap {
          Self.column(column, $0, textPlace: places[column.name])
        }
      }
      if reader.columns[column.name] != nil {
        return reader.formula(Marked(column.name, at: mark)).flatMap {
          Self.column(column, .formula($0, nil), textPlace: places[column.name])
        }
      }
      if !column.isOptional {
        file.report("the layout's column '\(column.name)' has no value", at: mark)
      }
      return nil
    }
  }

  /// A column as the layout has it.
  ///
  /// `textPlace`: the part of its place in a txt that its text takes; nil for all of it.
  static func column(
    _ column: LayoutColumn, _ field: SampleFile.Field, textPlace: ClosedRange<Int>?
  ) -> SampleFile.Column? {
    guard let place = column.place else { return nil }
    return SampleFile.Column(
      name: column.name, header: place.headers.first?.words ?? [], field: field,
      otherHeaders: place.headers.dropFirst().map(\.words), type: column.type, isRequired: column.isRequired,
      textPlace: textPlace ?? place.bytes, impliedDecimals: place.impliedDecimals)
  }

  /// The bytes of a line that a text such as `5-9` says; nil, with a mistake reported, when it says none.
  func place(_ text: Marked<String>) -> ClosedRange<Int>? {
    let ends = text.value.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    if ends.count == 2, let first = ends[0], let last = ends[1], first >= 1, last >= first {
      return first...last
    }
    file.report(
      "'\(text.value)' is no place in a line", at: text.mark,
      hint: "write its first and last byte, such as 5-9")
    return nil
  }

  func field(_ node: YAMLNode, _ reader: SampleScope) -> SampleFile.Field? {
    if case .scalar(let text, _) = node.content {
      return reader.formula(Marked(text, at: node.mark)).map { .formula($0, nil) }
    }
    guard let fields = Fields(node, of: "a column", keys: ["value", "as", "text", "txt"], in: file) else {
      return nil
    }
    let field = field(fields, reader)
    guard let inText = fields.node("txt") else { return field }
    let other = self.field(inText, reader)
    return field.flatMap { field in other.map { .byFormat(field, txt: $0.field(in: .txt)) } }
  }

  private func field(_ fields: Fields, _ reader: SampleScope) -> SampleFile.Field? {
    if let text = fields.text("text") { return template(text, reader) }
    let style: SampleFile.Style? = fields.choice("as", of: "style")
    return fields.needText("value").flatMap { reader.formula($0) }.map { .formula($0, style) }
  }
}

extension FileReader {
  /// Texts between formulas in braces; a text of the release's is put in when the file is written.
  private func template(_ text: Marked<String>, _ reader: SampleScope) -> SampleFile.Field {
    let template = TextTemplate(text.value)
    // They are read as templates once more, when what the release says is put in.
    let parts = template.texts.map { $0.replacing("{", with: "{{").replacing("}", with: "}}") }
    var between = [parts[0]]
    var formulas: [Formula] = []
    for (name, next) in zip(template.names, parts.dropFirst()) {
      if texts[name] != nil, reader.columns[name] == nil {
        between[between.count - 1] += "{\(name)}" + next
      } else {
        reader.formula(Marked(name, at: text.mark)).map { formulas.append($0) }
        between.append(next)
      }
    }
    return .template(between.map(TextTemplate.init), formulas)
  }
}
