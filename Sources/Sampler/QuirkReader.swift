import Definitions
import Values

/// Reads the quirks of `sample.yaml`.
struct QuirkReader {
  let file: DefinitionFile
  let files: FileReader

  /// The names of quirks, which formulas may ask for.
  static func names(_ nodes: [YAMLNode]) -> [String] {
    nodes.compactMap { node in
      guard case .mapping(let entries) = node.content,
        case .scalar(let name, _) = entries.first(where: { $0.key == "quirk" })?.value.content
      else { return nil }
      return name
    }
  }

  func quirks(_ nodes: [YAMLNode], of samples: [SampleFile]) -> [DatasetQuirk] {
    var quirks: [DatasetQuirk] = []
    for node in nodes {
      guard let quirk = quirk(node, samples) else { continue }
      quirks.append(quirk)
    }
    return quirks
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
      let known = SampleFormat.allCases.map(\.rawValue)
      file.report(
        "unknown format '\(name.value)'", at: name.mark,
        hint: NearestName.hint(name.value, among: known, called: "known"))
      return nil
    }
    let variants = (fields.list("files") ?? []).compactMap { variant($0, samples) }
    guard let name, let summary else { return nil }
    if GeneralQuirk(rawValue: name.value) != nil {
      file.report("'\(name.value)' is a quirk of every sample", at: name.mark, hint: "give it another name")
    }
    return DatasetQuirk(
      name: name.value, summary: summary.value, formats: formats ?? SampleFormat.tables, releases: pattern,
      standardRelease: release?.value,
      variants: variants)
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
      let layout = files.pipeline.source(named: source.value).flatMap(files.pipeline.layout)
    else {
      file.report(
        "unknown source '\(source.value)'", at: source.mark,
        hint: NearestName.hint(source.value, among: samples.map(\.source), called: "the sample has"))
      return nil
    }
    let reader = ScopeReader(file: file, pool: files.pool, scope: files.tables[sample.table].scope)
    let known = layout.versions.flatMap(\.columns)
    let version = fields.text("layout").flatMap {
      self.version($0, fields.mapping("columns") ?? [], sample, layout, reader)
    }
    var columns: [(column: SampleFile.Column, after: [String])] = []
    for entry in version == nil ? fields.mapping("columns") ?? [] : [] {
      guard let found = column(entry, sample, layout, reader) else { continue }
      columns.append(found)
    }
    for node in fields.list("insert") ?? [] {
      guard let found = inserted(node, reader) else { continue }
      columns.append(found)
    }
    let without = fields.texts("without") ?? []
    for name in without where !known.contains(where: { $0.name == name.value }) {
      file.report(
        "unknown column '\(name.value)'", at: name.mark,
        hint: NearestName.hint(name.value, among: known.map(\.name), called: "the layout has"))
    }
    let continuation = fields.node("continuation").flatMap {
      Fields($0, of: "continuation", keys: ["limit", "trimmed"], in: file)
    }
    if continuation != nil, sample.parts[0].continuation == nil {
      file.report("the file has no records that go on", at: fields.mark(of: "continuation"))
    }
    return DatasetQuirk.Variant(
      source: source.value, entry: fields.text("entry").map(files.template), version: version,
      number: fields.text("number")?.value, columns: columns, without: without.map(\.value),
      condition: fields.text("where").flatMap { reader.formula($0, of: .flag) },
      again: fields.text("again").flatMap { reader.formula($0, of: .flag) },
      before: fields.has("before") ? files.records("before", fields) : nil,
      textBefore: fields.node("txt").flatMap { TextFormReader(files: files).form($0)?.form.before },
      limit: continuation?.count("limit"), trimsContinuations: continuation?.flag("trimmed") ?? false)
  }

  /// The columns of a version of the layout: with the values that the quirk gives them, else those of the
  /// file.
  private func version(
    _ name: Marked<String>, _ values: [YAMLNode.Entry], _ sample: SampleFile, _ layout: Layout,
    _ reader: ScopeReader
  ) -> (columns: [SampleFile.Column], form: FixedWidthForm?)? {
    guard let version = layout.version(named: name.value) else {
      file.report(
        "unknown version '\(name.value)'", at: name.mark,
        hint: NearestName.hint(name.value, among: layout.versions.map(\.name), called: "the layout has"))
      return nil
    }
    for value in values where !version.columns.contains(where: { $0.name == value.key }) {
      file.report(
        "unknown column '\(value.key)'", at: value.mark,
        hint: NearestName.hint(value.key, among: version.columns.map(\.name), called: "the version has"))
    }
    let columns = version.columns.compactMap { column -> SampleFile.Column? in
      guard column.place != nil else { return nil }
      let field: SampleFile.Field?
      if let value = values.first(where: { $0.key == column.name }) {
        field = files.field(value.value, reader)
      } else {
        field = sample.columns.first { $0.name == column.name }?.field
        if field == nil, !column.isOptional {
          file.report("the version's column '\(column.name)' has no value", at: name.mark)
        }
      }
      return field.flatMap { FileReader.column(column, $0, textPlace: nil) }
    }
    return (columns, version.fixedWidth)
  }

  /// A column of the layout with another value, or one that the file otherwise lacks.
  private func column(
    _ entry: YAMLNode.Entry, _ sample: SampleFile, _ layout: Layout, _ reader: ScopeReader
  ) -> (column: SampleFile.Column, after: [String])? {
    guard let field = files.field(entry.value, reader) else { return nil }
    if var column = sample.columns.first(where: { $0.name == entry.key }) {
      column.field = field
      return (column, [])
    }
    for version in layout.versions.reversed() {
      guard let place = version.columns.firstIndex(where: { $0.name == entry.key }),
        let column = FileReader.column(version.columns[place], field, textPlace: nil)
      else { continue }
      return (column, version.columns[..<place].map(\.name))
    }
    let names = layout.versions.flatMap(\.columns).map(\.name)
    file.report(
      "unknown column '\(entry.key)'", at: entry.mark,
      hint: NearestName.hint(entry.key, among: names, called: "the layout has"))
    return nil
  }

  /// A column that the layout need not know, or in place of one of its name with another header and place.
  private func inserted(
    _ node: YAMLNode, _ reader: ScopeReader
  ) -> (column: SampleFile.Column, after: [String])? {
    let keys = ["name", "after", "csv", "at", "implied", "value"]
    guard let fields = Fields(node, of: "a new column", keys: keys, in: file) else { return nil }
    let (name, after) = (fields.needText("name"), fields.texts("after") ?? [])
    fields.need("csv")
    fields.need("value")
    guard let name, let value = fields.node("value"), let field = files.field(value, reader) else {
      return nil
    }
    let place = fields.text("at").flatMap { files.place($0) }
    return (
      SampleFile.Column(
        name: name.value, header: (fields.texts("csv") ?? []).map(\.value), field: field, type: .code,
        textPlace: place, impliedDecimals: fields.count("implied") ?? 0), after.map(\.value)
    )
  }
}
