import Values

/// What `pipeline.yaml` says by itself, before the files that it names are looked at.
struct PipelineOutline {
  var name: Marked<String>?
  var title: String
  var release: ReleaseRule?
  var periods: PeriodRule?
  var sources: [SourceOutline]
  var checks: [CheckOutline]
  var rejects: RejectLimit
  var publishing: Pipeline.Publishing
  var listTable: Marked<String>?
  var diff: DiffOutline?
  var fetch: FetchRule?
  var documents: [Glob] = []
  var index: BundleIndex?

  /// Whether each source names its table rightly; otherwise nothing follows of what they load.
  var namesTargets: Bool {
    sources.allSatisfy { $0.target.map { NameRule.qualified.allows($0.value) } ?? false }
  }

  init?(_ node: YAMLNode, in file: DefinitionFile) {
    let keys = [
      "pipeline", "title", "release", "sources", "lists", "checks", "rejects", "publish", "fetch", "diff",
      "periods", "documents", "index",
    ]
    guard let fields = Fields(node, of: "a pipeline", keys: keys, in: file) else { return nil }
    name = fields.needText("pipeline")
    NameRule.kebab.check(name, called: "a pipeline's name", in: file)
    title = fields.text("title")?.value ?? name?.value ?? ""
    sources = fields.needList("sources").compactMap { SourceOutline($0, in: file) }
    reportRepeats(sources.compactMap(\.name), called: "a source", in: file)
    reportRepeats(sources.compactMap(\.target), called: "the table", in: file)
    let names = sources.compactMap { $0.name?.value }
    fields.need("publish")
    publishing = fields.choice("publish", of: "way to publish") ?? .release
    periods = fields.node("periods").flatMap { PeriodRule($0, in: file) }
    if publishing == .merge {
      release = ReleaseRule()
      for key in ["release", "periods", "diff", "fetch"] where fields.has(key) {
        file.report("what is merged into plain tables has no '\(key)'", at: fields.mark(of: key))
      }
    } else {
      fields.need("release")
      release = fields.node("release").flatMap { ReleaseRule($0, sources: names, in: file) }
    }
    for source in sources {
      source.merge.report(publishing: publishing, hasPeriods: periods != nil, in: file)
      if let orphans = source.orphansMark, publishing != .merge {
        file.report(
          "'orphans' is about foreign keys of tables that are merged into, and a release has none",
          at: orphans)
      }
      if let changes = source.changes, periods == nil, publishing == .release {
        file.report(
          "'changes' is about what is merged into a release, and nothing is", at: changes.mark,
          hint: "give the pipeline 'periods', or take it out")
      }
      guard publishing == .merge else { continue }
      if let amends = source.amends {
        file.report("what is merged into plain tables is amended by nothing", at: amends.mark)
      }
      if let expect = source.expect, expect.expectation.looksBack, source.merge.rule.missing == .keep {
        file.report(
          "a file of changes cannot be held against the whole table: 'change' and 'drift' need 'missing: delete'",
          at: source.name?.mark ?? fields.mark)
      }
    }
    listTable = fields.text("lists")
    NameRule.qualified.check(listTable, called: "a table", in: file)
    checks = (fields.list("checks") ?? []).compactMap { CheckOutline($0, sources: names, in: file) }
    reportRepeats(checks.compactMap(\.rule), called: "a check", in: file)
    rejects = .count(0)
    if let node = fields.node("rejects") {
      rejects = RejectLimit(node, in: file) ?? .count(0)
    }
    diff = fields.node("diff").flatMap { DiffOutline($0, sources: sources, in: file) }
    fetch = fields.node("fetch").flatMap { FetchRule($0, in: file) }
    documents = (fields.texts("documents") ?? []).compactMap { Glob($0, in: file) }
    index = fields.node("index").flatMap { BundleIndex($0, sources: names, in: file) }
  }
}

/// A source whose layout has not been looked up yet.
struct SourceOutline {
  var name: Marked<String>?
  var entries: Glob?
  var formats: [Marked<Source.Format>]
  var layout: Marked<String>?
  var target: Marked<String>?
  var key: [Marked<String>]
  var expect: ExpectationOutline?
  var parts: [Source.Part]
  var isGathered: Bool
  var encoding: TextEncoding?
  var delimiter: UInt8
  var latest: TextPattern?
  var amends: Marked<String>?
  var duplicates: Source.Duplicates
  var isOptional: Bool
  var changes: Marked<String>?
  var orphans: Source.Orphans
  var orphansMark: Mark?
  var merge: MergeOutline

  init?(_ node: YAMLNode, in file: DefinitionFile) {
    let keys =
      [
        "name", "entries", "parts", "latest", "formats", "layouts", "target", "key", "expect", "encoding",
        "amends", "duplicates", "optional", "changes", "gather", "orphans", "delimiter",
      ] + MergeOutline.keys
    guard let fields = Fields(node, of: "a source", keys: keys, in: file) else { return nil }
    name = fields.needText("name")
    NameRule.kebab.check(name, called: "a source's name", in: file)
    entries = Self.glob(fields, in: file)
    parts = (fields.list("parts") ?? []).compactMap { Self.part($0, in: file) }
    isGathered = fields.flag("gather")
    if isGathered, fields.has("parts") || fields.has("latest") {
      file.report(
        "a source that gathers all entries has no parts and no latest one", at: fields.mark(of: "gather"))
    }
    encoding = fields.choice("encoding", of: "encoding")
    delimiter = Self.delimiter(fields, in: file)
    amends = fields.text("amends")
    changes = fields.text("changes")
    duplicates = fields.choice("duplicates", of: "treatment of duplicates") ?? .refuse
    orphans = fields.choice("orphans", of: "treatment of orphans") ?? .refuse
    orphansMark = fields.has("orphans") ? fields.mark(of: "orphans") : nil
    isOptional = fields.flag("optional")
    if let text = fields.text("latest") {
      latest = TextPattern(text, in: file)
      if let latest, latest.groupCount == 0 {
        file.report("the pattern needs a group for the number", at: text.mark, hint: "such as 'V(\\d+)_'")
      }
    }
    fields.need("formats")
    formats = (fields.texts("formats") ?? []).compactMap { text in
      fields.choice(text, of: "format").map { Marked($0, at: text.mark) }
    }
    if fields.has("delimiter"), formats.contains(where: { $0.value != .csv }) {
      file.report(
        "'delimiter' is for csv alone", at: fields.mark(of: "delimiter"),
        hint: "give the files of other formats a source of their own")
    }
    layout = fields.needText("layouts")
    target = fields.needText("target")
    NameRule.qualified.check(target, called: "a table", in: file)
    fields.need("key")
    key = fields.texts("key") ?? []
    reportRepeats(key, called: "the key column", in: file)
    expect = fields.node("expect").flatMap { ExpectationOutline($0, in: file) }
    merge = MergeOutline(fields, in: file)
  }

  private static func glob(_ fields: Fields, in file: DefinitionFile) -> Glob? {
    fields.needText("entries").flatMap { Glob($0, in: file) }
  }

  /// The byte that `delimiter` names: a comma where it is left out.
  private static func delimiter(_ fields: Fields, in file: DefinitionFile) -> UInt8 {
    let comma = UInt8(ascii: ",")
    guard let text = fields.text("delimiter") else { return comma }
    if text.value == "tab" { return 0x09 }
    guard let byte = text.value.utf8.first, text.value.utf8.count == 1, (0x21..<0x7F).contains(byte),
      byte != 0x22,
      !(0x30...0x39).contains(byte), !(0x41...0x5A).contains(byte & 0xDF)
    else {
      file.report(
        "'\(text.value)' cannot be between fields", at: text.mark,
        hint: "write tab, or one mark such as ';' or '|' in quotes")
      return comma
    }
    return byte
  }

  private static func part(_ node: YAMLNode, in file: DefinitionFile) -> Source.Part? {
    guard let fields = Fields(node, of: "a part", keys: ["entries", "set"], in: file) else { return nil }
    let glob = glob(fields, in: file)
    var constants: [String: String] = [:]
    for entry in fields.mapping("set") ?? [] {
      constants[entry.key] = fields.text(entry.value, called: "'\(entry.key)'")?.value
    }
    return glob.map { Source.Part(entries: $0, constants: constants) }
  }

  /// The source, its layout looked up; nil where a mistake was reported.
  ///
  /// `amendment`: reads what the source does to other tables.
  func source(
    layouts: [String: Layout], known: [String], in file: DefinitionFile,
    amendment: (Marked<String>) -> Amendment?
  ) -> Source? {
    if let layout, !known.contains(layout.value) {
      file.report(
        "there is no layouts/\(layout.value).yaml", at: layout.mark,
        hint: NearestName.hint(layout.value, among: known, called: "there are"))
    }
    if let layout = layout.flatMap({ layouts[$0.value] }) {
      if let txt = formats.first(where: { $0.value == .txt }),
        layout.versions.allSatisfy({ $0.fixedWidth == nil })
      {
        file.report(
          "no version of the layout '\(layout.name)' is for txt", at: txt.mark,
          hint: "give one the key 'txt' and its columns the key 'at', or leave the format out")
      }
      if let csv = formats.first(where: { $0.value == .csv }), !layout.versions.contains(where: \.hasHeader) {
        file.report(
          "no version of the layout '\(layout.name)' is for csv", at: csv.mark,
          hint: "give its columns the key 'csv', or leave the format out")
      }
      if let tree = formats.first(where: { $0.value.isTree }),
        !layout.versions.contains(where: \.hasPaths)
      {
        file.report(
          "no version of the layout '\(layout.name)' is for \(tree.value.rawValue)", at: tree.mark,
          hint: "give its columns the key 'json', or leave the format out")
      }
      if let xml = formats.first(where: { $0.value == .xml }) {
        for column in layout.versions.flatMap(\.everyColumn)
        where column.type.isJSON && column.place?.paths.isEmpty == false {
          file.report(
            "'\(column.name)' of the layout '\(layout.name)' is JSON, which no XML document holds",
            at: xml.mark)
        }
      }
      expect?.report(against: layout, in: file)
      for version in layout.versions {
        let constants = version.columns.compactMap { column -> String? in
          if case .constant = column.origin { column.name } else { nil }
        }
        for column in parts.flatMap(\.constants.keys) where !constants.contains(column) {
          file.report(
            "a part sets '\(column)', which is no constant in version \(version.name) of the layout"
              + " '\(layout.name)'", at: name?.mark)
        }
        let names = version.columns.map(\.name)
        for column in key where !names.contains(column.value) {
          file.report(
            "the key column '\(column.value)' is not in version \(version.name) of the layout"
              + " '\(layout.name)'", at: column.mark,
            hint: NearestName.hint(column.value, among: names, called: "it has"))
        }
      }
    }
    merge.report(key: key.map(\.value), of: layout.flatMap { layouts[$0.value] }, in: file)
    guard let name, let entries, let layout, let target else { return nil }
    return Source(
      name: name.value, entries: entries, parts: parts, isGathered: isGathered, formats: formats.map(\.value),
      layout: layout.value, target: target.value, key: key.map(\.value), duplicates: duplicates,
      orphans: orphans, isOptional: isOptional,
      expectation: expect?.expectation ?? Expectation(),
      latest: latest, amendment: amends.flatMap(amendment), change: changes.flatMap(amendment),
      merge: merge.rule,
      delimiter: delimiter, encoding: encoding)
  }
}

extension Glob {
  /// A pattern; nil, with a mistake reported, where a text is none.
  init?(_ text: Marked<String>, in file: DefinitionFile) {
    guard let glob = Glob(text.value) else {
      file.report(
        "'\(text.value)' is no pattern of entry names", at: text.mark,
        hint: "only the last part of a path is compared: write it without '/'")
      return nil
    }
    self = glob
  }
}

/// A check whose query has not been read yet.
struct CheckOutline {
  var rule: Marked<String>?
  var severity: Check.Severity
  var allowed: Int
  var source: Marked<String>?

  init?(_ node: YAMLNode, sources: [String], in file: DefinitionFile) {
    let keys = ["rule", "severity", "source", "allow"]
    guard let fields = Fields(node, of: "a check", keys: keys, in: file) else { return nil }
    rule = fields.needText("rule")
    NameRule.kebab.check(rule, called: "a rule's name", in: file)
    fields.need("severity")
    severity = fields.choice("severity", of: "severity") ?? .fail
    allowed = fields.count("allow") ?? 0
    if fields.has("allow"), severity != .fail {
      file.report(
        "a check that \(severity == .warn ? "warns" : "\(severity.rawValue)s rows") refuses nothing, so that "
          + "'allow' has no meaning", at: fields.mark(of: "allow"),
        hint: "leave it out, or make the severity 'fail'")
    }
    source = fields.text("source")
    if let source, !sources.contains(source.value) {
      file.report(
        "unknown source '\(source.value)'", at: source.mark,
        hint: NearestName.hint(source.value, among: sources, called: "known"))
    }
    if severity.takesRows, !fields.has("source") {
      file.report("a check that \(severity.rawValue)s rows needs the key 'source'", at: fields.mark)
    }
  }
}

extension RejectLimit {
  init?(_ node: YAMLNode, in file: DefinitionFile) {
    guard let fields = Fields(node, of: "rejects", keys: ["allow"], in: file),
      let text = fields.needText("allow")
    else { return nil }
    guard let limit = RejectLimit(text.value) else {
      file.report(
        "'\(text.value)' is no limit", at: text.mark,
        hint: "write a number, a share such as 1%, or both: 1% or 5")
      return nil
    }
    self = limit
  }
}
