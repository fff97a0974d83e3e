import Definitions
import Values

/// The key `quirks` of `sample.yaml`.
extension FileReader {
  /// The names of quirks, which formulas may ask for.
  static func quirkNames(_ nodes: [YAMLNode]) -> [String] {
    nodes.compactMap { node in
      guard case .mapping(let entries) = node.content,
        case .scalar(let name, _) = entries.first(where: { $0.key == "quirk" })?.value.content
      else { return nil }
      return name
    }
  }

  func quirks(_ nodes: [YAMLNode], of samples: [SampleFile]) -> [DatasetQuirk] {
    nodes.compactMap { quirk($0, samples) }
  }

  private func quirk(_ node: YAMLNode, _ samples: [SampleFile]) -> DatasetQuirk? {
    let keys = ["quirk", "summary", "formats", "releases", "release", "files"]
    guard let fields = Fields(node, of: "a quirk", keys: keys, in: file) else { return nil }
    let (name, summary) = (fields.needText("quirk"), fields.needText("summary"))
    var pattern: TextPattern?
    if let text = fields.text("releases") {
      pattern = try? TextPattern(text.value)
      if pattern == nil { file.report("the pattern is not a regular expression", at: text.mark) }
    }
    let release = fields.text("release")
    if let release, let pattern, pattern.groups(whole: release.value) == nil {
      file.report("the release '\(release.value)' is none of 'releases'", at: release.mark)
    }
    let formats = fields.texts("formats")?.compactMap { name -> SampleFormat? in
      if let format = SampleFormat(rawValue: name.value) { return format }
      file.reportUnknown("format", name, among: SampleFormat.allCases.map(\.rawValue))
      return nil
    }
    let variants = (fields.list("files") ?? []).compactMap { variant($0, samples) }
    guard let name, let summary else { return nil }
    if GeneralQuirk(rawValue: name.value) != nil {
      file.report("'\(name.value)' is a quirk of every sample", at: name.mark, hint: "give it another name")
    }
    return DatasetQuirk(
      name: name.value, summary: summary.value, formats: formats ?? SampleFormat.tables, releases: pattern,
      standardRelease: release?.value, variants: variants)
  }

  private func variant(_ node: YAMLNode, _ samples: [SampleFile]) -> DatasetQuirk.Variant? {
    let keys = [
      "source", "entry", "number", "layout", "columns", "insert", "without", "where", "again", "before",
      "txt",
      "continuation",
    ]
    guard let fields = Fields(node, of: "a file of a quirk", keys: keys, in: file),
      let source = fields.needText("source")
    else { return nil }
    guard let sample = samples.first(where: { $0.source == source.value }),
      let layout = pipeline.source(named: source.value).flatMap(pipeline.layout)
    else {
      file.reportUnknown("source", source, among: samples.map(\.source), called: "the sample has")
      return nil
    }
    let reader = tables[sample.table].scope
    var changes: [(inout SampleFile) -> Void] = []
    if let entry = fields.text("entry").map(template) { changes.append { $0.entry = entry } }
    if let number = fields.text("number") { changes.append { $0.number = number.value } }
    let values = fields.mapping("columns") ?? []
    if let name = fields.text("layout"), let change = self.version(name, values, sample, layout, reader) {
      changes.append(change)
    } else {
      changes += values.compactMap { column($0, sample, layout, reader) }
    }
    changes += (fields.list("insert") ?? []).compactMap { inserted($0, reader) }
    let without = fields.texts("without") ?? []
    let known = layout.versions.flatMap(\.columns).map(\.name)
    for name in without where !known.contains(name.value) {
      file.reportUnknown("column", name, among: known, called: "the layout has")
    }
    changes.append { file in
      file.columns.removeAll { column in without.contains { $0.value == column.name } }
      file.key.removeAll { name in without.contains { $0.value == name } }
    }
    if let condition = reader.condition(fields.text("where")) { changes.append { $0.condition = condition } }
    if let again = reader.condition(fields.text("again")) { changes.append { $0.again = again } }
    if fields.has("before") {
      let before = records("before", fields)
      changes.append { $0.before = before }
    }
    if let form = fields.node("txt").flatMap(textForm)?.form {
      changes.append { $0.text.before = form.before }
    }
    if let node = fields.node("continuation"),
      let keys = Fields(node, of: "continuation", keys: ["limit", "trimmed"], in: file)
    {
      if sample.parts[0].continuation == nil {
        file.report("the file has no records that go on", at: fields.mark(of: "continuation"))
      }
      let (limit, isTrimmed) = (keys.count("limit"), keys.flag("trimmed"))
      changes.append { file in
        for part in file.parts.indices {
          if let limit { file.parts[part].continuation?.limit = limit }
          if isTrimmed { file.parts[part].continuation?.isTrimmed = true }
        }
      }
    }
    return DatasetQuirk.Variant(source: source.value, changes: changes)
  }

  /// The columns of a version of the layout: with the values that the quirk gives them, else those of the
  /// file.
  private func version(
    _ name: Marked<String>, _ values: [YAMLNode.Entry], _ sample: SampleFile, _ layout: Layout,
    _ reader: SampleScope
  ) -> ((inout SampleFile) -> Void)? {
    guard let version = layout.version(named: name.value) else {
      file.reportUnknown("version", name, among: layout.versions.map(\.name), called: "the layout has")
      return nil
    }
    for value in values where !version.columns.contains(where: { $0.name == value.key }) {
      file.reportUnknown(
        "column", Marked(value.key, at: value.mark), among: version.columns.map(\.name),
        called: "the version has")
    }
    let columns = version.columns.compactMap { column -> SampleFile.Column? in
      guard column.place != nil else { return nil }
      let field: SampleFile.Field?
      if let value = values.first(where: { $0.key == column.name }) {
        field = self.field(value.value, reader)
      } else {
        field = sample.columns.first { $0.name == column.name }?.field
        if field == nil, !column.isOptional {
          file.report("the version's column '\(column.name)' has no value", at: name.mark)
        }
      }
      return field.flatMap { FileReader.column(column, $0, textPlace: nil) }
    }
    return { file in
      file.columns = columns
      file.text.length = 0
      file.text = file.text.completed(by: version.fixedWidth)
      file.key.removeAll { name in !version.columns.contains { $0.name == name } }
    }
  }

  /// A column of the layout with another value, or one that the file otherwise lacks.
  private func column(
    _ entry: YAMLNode.Entry, _ sample: SampleFile, _ layout: Layout, _ reader: SampleScope
  ) -> ((inout SampleFile) -> Void)? {
    guard let field = self.field(entry.value, reader) else { return nil }
    if var column = sample.columns.first(where: { $0.name == entry.key }) {
      column.field = field
      return { $0.put(column, after: []) }
    }
    for version in layout.versions.reversed() {
      guard let place = version.columns.firstIndex(where: { $0.name == entry.key }),
        let column = FileReader.column(version.columns[place], field, textPlace: nil)
      else { continue }
      return { $0.put(column, after: version.columns[..<place].map(\.name)) }
    }
    let names = layout.versions.flatMap(\.columns).map(\.name)
    file.reportUnknown("column", Marked(entry.key, at: entry.mark), among: names, called: "the layout has")
    return nil
  }

  /// A column that the layout need not know, or in place of one of its name with another header and place.
  private func inserted(_ node: YAMLNode, _ reader: SampleScope) -> ((inout SampleFile) -> Void)? {
    let keys = ["name", "after", "csv", "at", "implied", "value"]
    guard let fields = Fields(node, of: "a new column", keys: keys, in: file) else { return nil }
    let (name, after) = (fields.needText("name"), fields.texts("after") ?? [])
    fields.need("csv")
    fields.need("value")
    guard let name, let value = fields.node("value"), let field = self.field(value, reader) else {
      return nil
    }
    let place = fields.text("at").flatMap { self.place($0) }
    let column = SampleFile.Column(
      name: name.value, header: (fields.texts("csv") ?? []).map(\.value), field: field, type: .code,
      textPlace: place, impliedDecimals: fields.count("implied") ?? 0)
    return { $0.put(column, after: after.map(\.value)) }
  }
}

extension SampleFile {
  /// Puts a column in the place of that of its name, or behind the last of some that is there.
  fileprivate mutating func put(_ column: Column, after: [String]) {
    if let place = columns.firstIndex(where: { $0.name == column.name }) {
      columns[place] = column
    } else {
      columns.insert(column, at: columns.lastIndex { after.contains($0.name) }.map { $0 + 1 } ?? 0)
    }
  }
}
