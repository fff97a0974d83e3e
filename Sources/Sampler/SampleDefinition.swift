import Definitions
import Host

/// What `sample.yaml` says, its formulas ready to be used.
struct SampleDefinition {
  let rows: Int
  let release: ReleaseTexts
  let tables: [SampleTable]
  let files: [SampleFile]
  let quirks: [DatasetQuirk]
  /// The file beside the others that says what they are; nil where they say it themselves.
  let notice: SampleNotice?
  let pool: TextPool

  static func load(_ pipeline: Pipeline) throws(DefinitionErrors) -> SampleDefinition {
    let file = DefinitionFile("Pipelines/\(pipeline.name)/sample.yaml")
    let bytes = file.bytes(at: Path.join(pipeline.folder, "sample.yaml"))
    let reader = SampleReader(file: file, pipeline: pipeline)
    let definition = bytes.flatMap { file.tree($0) }.flatMap(reader.definition)
    try file.check()
    guard let definition else { throw DefinitionErrors([]) }
    return definition
  }

  /// Refuses a source that the sample has not.
  func check(source: String) throws(SampleError) {
    let known = files.flatMap { $0.parts.map(\.source) }
    if !known.contains(source) { throw .unknownSource(source, known: known) }
  }
}

/// Reads `sample.yaml`.
struct SampleReader {
  let file: DefinitionFile
  let pipeline: Pipeline
  let pool = TextPool()

  func definition(_ node: YAMLNode) -> SampleDefinition? {
    let keys = ["sample", "rows", "release", "tables", "files", "quirks", "notice"]
    guard let fields = Fields(node, of: "a sample", keys: keys, in: file) else { return nil }
    if let name = fields.needText("sample"), name.value != pipeline.name {
      file.report("the sample is called '\(name.value)', its pipeline '\(pipeline.name)'", at: name.mark)
    }
    fields.need("rows")
    let rows = fields.count("rows") ?? 0
    if pipeline.publishing == .release { fields.need("release") }
    let release =
      pipeline.publishing == .release || fields.has("release")
      ? fields.node("release").flatMap(releaseTexts) : try? ReleaseTexts.none
    let quirkNodes = fields.list("quirks") ?? []
    pool.quirks = FileReader.quirkNames(quirkNodes)
    let tables = TableReader(file: file, pool: pool).tables(fields.needList("tables"))
    let texts = release.flatMap { try? $0.texts(for: $0.standard) } ?? [:]
    let fileReader = FileReader(file: file, pipeline: pipeline, pool: pool, tables: tables, texts: texts)
    let files = fileReader.files(fields.needList("files"))
    let quirks = fileReader.quirks(quirkNodes, of: files)
    let notice = fields.node("notice").flatMap { SampleNotice($0, pattern: pipeline.synthetic, in: file) }
    guard let release else { return nil }
    return SampleDefinition(
      rows: rows, release: release, tables: tables, files: files, quirks: quirks, notice: notice, pool: pool)
  }

  private func releaseTexts(_ node: YAMLNode) -> ReleaseTexts? {
    let keys = ["pattern", "default", "texts"]
    guard let fields = Fields(node, of: "release", keys: keys, in: file) else { return nil }
    let pattern = fields.needText("pattern")
    let standard = fields.needText("default")
    var compiled: TextPattern?
    if let pattern {
      compiled = try? TextPattern(pattern.value)
      if compiled == nil { file.report("the pattern is not a regular expression", at: pattern.mark) }
    }
    let rules = (fields.mapping("texts") ?? []).compactMap(rule)
    guard let compiled, let standard else { return nil }
    let texts = ReleaseTexts(pattern: compiled, standard: standard.value, rules: rules)
    do throws(SampleError) {
      _ = try texts.texts(for: standard.value)
    } catch {
      file.report("\(error)", at: standard.mark)
    }
    return texts
  }

  private func rule(_ entry: YAMLNode.Entry) -> ReleaseTexts.Rule? {
    if case .scalar(let text, _) = entry.value.content {
      return ReleaseTexts.Rule(name: entry.key, template: GroupTemplate(text))
    }
    guard let fields = Fields(entry.value, of: "a text", keys: ["of", "words", "days"], in: file) else {
      return nil
    }
    var written: ((String) -> String?)?
    if let days = fields.text("days") {
      let number = Int64(days.value)
      if number == nil { file.report("'\(days.value)' is no number of days", at: days.mark) }
      written = number.map { number in { CalendarDay.compact($0, later: number) } }
    }
    if written == nil {
      fields.need("words")
      let words = (fields.mapping("words") ?? []).compactMap { word in
        fields.text(word.value, called: "'\(word.key)'").map { (word.key, $0.value) }
      }
      written = { text in words.first { $0.0 == text }?.1 }
    }
    guard let template = fields.needText("of"), let written else { return nil }
    return ReleaseTexts.Rule(name: entry.key, template: GroupTemplate(template.value), written: written)
  }
}
