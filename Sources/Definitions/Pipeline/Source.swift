public import Values

/// One table of a bundle: which entries carry it, how they are laid out, and where the rows go.
public struct Source: Sendable, Hashable {
  /// What an entry is, by the extension of its name.
  public enum Format: String, Sendable, Hashable, CaseIterable {
    /// Comma-separated values.
    case csv
    /// Fixed-width records, one a line.
    case txt
    /// A workbook, one sheet of which is the table.
    case xlsx
    /// JSON, each line a record.
    case ndjson
    /// A JSON document that holds records, or is one.
    case json
    /// An XML document that holds records, or is one.
    case xml

    /// The format that the extension of a name says, in any letter case; nil where it says none.
    public init?(fileExtension: String) {
      switch fileExtension.lowercased() {
      case "jsonl": self = .ndjson
      case let text: self.init(rawValue: text)
      }
    }

    /// The format that a name says by what is behind its last dot.
    public init?(fileName: String) {
      guard let dot = fileName.lastIndex(of: ".") else { return nil }
      self.init(fileExtension: String(fileName[fileName.index(after: dot)...]))
    }

    /// Whether records are properties of things within each other.
    public var isTree: Bool { self == .ndjson || self == .json || self == .xml }
  }

  /// One of several files that make up a table together.
  public struct Part: Sendable, Hashable {
    /// Which of the source's entries it is.
    public var entries: Glob
    /// The values that its rows have in columns that are constant in the layout.
    public var constants: [String: String]
  }

  /// What becomes of a release in which several records of a source have the same key.
  public enum Duplicates: String, Sendable, Hashable, CaseIterable {
    /// It is refused.
    case refuse
    /// The first record stays; those that bring the same rows are skipped as copies, others are rejected.
    case setAside = "set-aside"
  }

  /// What becomes of records that refer to a row that is nowhere.
  public enum Orphans: String, Sendable, Hashable, CaseIterable {
    /// The server refuses them, and the run with them.
    case refuse
    /// They are rejected.
    case reject
  }

  /// The source's name.
  public var name: String
  /// Which entries carry it.
  public var entries: Glob
  /// The files that the table may come in instead of one; an entry is the first part that it fits.
  public var parts: [Part] = []
  /// Whether its table comes in any number of entries, which are all loaded.
  public var isGathered = false
  /// The formats it is taken from; the first that a bundle has is used.
  public var formats: [Format]
  /// The layout's name.
  public var layout: String
  /// The table that its rows go to, `schema.table`.
  public var target: String
  /// The columns that tell rows of one release apart.
  public var key: [String]
  /// What becomes of records whose key others have.
  public var duplicates = Duplicates.refuse
  /// The column that says of several records of one key which is the newest: the others are skipped, and those
  /// that are as new are duplicates. Nil where all are.
  public var newest: String?
  /// What becomes of records that refer to a row that is neither staged nor in its table.
  public var orphans = Orphans.refuse
  /// Whether a bundle may lack it.
  public var isOptional = false
  /// What must hold of its rows as a whole.
  public var expectation = Expectation()
  /// What says the newest of several entries: the number that the pattern's first group finds in a name.
  public var latest: TextPattern?
  /// What its rows do to the other tables of their release; nil for a source that is one of the tables.
  public var amendment: Amendment?
  /// What its rows do to the other tables where they are merged into a published release; nil where that is
  /// nothing else.
  public var change: Amendment?
  /// What merging its rows means beyond inserting and updating.
  public var merge = MergeRule()
  /// The byte between the fields of its csv.
  public var delimiter = UInt8(ascii: ",")
  /// The only encoding that its texts may have; nil where each file shows its own.
  public var encoding: TextEncoding?
}

extension Source {
  /// Reads an item of `sources`; nil, with a mistake reported, where it is no mapping. What it lacks was
  /// reported, and something else is in its place.
  static func read(
    _ node: YAMLNode, in folder: PipelineFolder
  ) -> (name: Marked<String>?, target: Marked<String>?, source: Self)? {
    let file = folder.file
    let keys =
      [
        "name", "entries", "parts", "latest", "formats", "layouts", "target", "key", "expect", "encoding",
        "amends", "duplicates", "optional", "changes", "gather", "orphans", "delimiter",
      ] + MergeRule.keys
    guard let fields = Fields(node, of: "a source", keys: keys, in: file) else { return nil }
    let name = fields.needText("name")
    NameRule.kebab.check(name, called: "a source's name", in: file)
    fields.need("formats")
    let formats = (fields.texts("formats") ?? []).compactMap { text in
      fields.choice(text, of: "format").map { Marked($0 as Format, at: text.mark) }
    }
    let layoutName = fields.needText("layouts")
    let target = fields.needText("target")
    NameRule.qualified.check(target, called: "a table", in: file)
    fields.need("key")
    let key = fields.texts("key") ?? []
    reportRepeats(key, called: "the key column", in: file)
    var source = Source(
      name: name?.value ?? "", entries: glob(fields, in: file) ?? .any, formats: formats.map(\.value),
      layout: layoutName?.value ?? "", target: target?.value ?? "", key: key.map(\.value))
    source.parts = (fields.list("parts") ?? []).compactMap { part($0, in: file) }
    source.isGathered = fields.flag("gather")
    if source.isGathered, fields.has("parts") || fields.has("latest") {
      file.report(
        "a source that gathers all entries has no parts and no latest one", at: fields.mark(of: "gather"))
    }
    source.readDuplicates(fields, in: file)
    source.orphans = fields.choice("orphans", of: "treatment of orphans") ?? .refuse
    source.isOptional = fields.flag("optional")
    source.latest = latest(fields, in: file)
    source.encoding = fields.choice("encoding", of: "encoding")
    source.delimiter = delimiter(fields, of: source.formats, in: file)
    source.amendment = fields.text("amends").flatMap(folder.amendment)
    source.change = fields.text("changes").flatMap(folder.amendment)
    let layout = layoutName.flatMap(folder.layout)
    source.expectation =
      fields.node("expect").flatMap { Expectation($0, of: layout, in: file) } ?? Expectation()
    source.merge = MergeRule(fields, key: source.key, of: layout, in: folder)
    source.report(fields, against: folder)
    if let layout {
      report(formats, against: layout, in: file)
      source.report(key, name, against: layout, in: file)
      source.reportNewest(fields, against: layout, in: file)
    }
    return (name, target, source)
  }

  /// `set-aside`, or `{newest: last_updated}`.
  private mutating func readDuplicates(_ fields: Fields, in file: DefinitionFile) {
    guard let node = fields.node("duplicates"), case .mapping = node.content else {
      duplicates = fields.choice("duplicates", of: "treatment of duplicates") ?? .refuse
      return
    }
    duplicates = .setAside
    newest = Fields(node, of: "'duplicates'", keys: ["newest"], in: file)?.needText("newest")?.value
  }

  /// Reports a column that cannot say what is newest: of text, or that no table has.
  private func reportNewest(_ fields: Fields, against layout: Layout, in file: DefinitionFile) {
    guard let newest else { return }
    for version in layout.versions {
      let known = version.columns.filter { $0.isStored && $0.type.isOrdered }
      guard !known.contains(where: { $0.name == newest }) else { continue }
      file.report(
        "'newest' names '\(newest)', which is no stored timestamp, date or number in version \(version.name) of "
          + "the layout '\(layout.name)'", at: fields.mark(of: "duplicates"),
        hint: NearestName.hint(newest, among: known.map(\.name), called: "it has"))
    }
  }

  private static func glob(_ fields: Fields, in file: DefinitionFile) -> Glob? {
    fields.needText("entries").flatMap { Glob($0, in: file) }
  }

  private static func part(_ node: YAMLNode, in file: DefinitionFile) -> Part? {
    guard let fields = Fields(node, of: "a part", keys: ["entries", "set"], in: file) else { return nil }
    let constants = fields.textMapping("set")
    return glob(fields, in: file).map { Part(entries: $0, constants: constants) }
  }

  private static func latest(_ fields: Fields, in file: DefinitionFile) -> TextPattern? {
    guard let text = fields.text("latest"), let latest = TextPattern(text, in: file) else { return nil }
    if latest.groupCount == 0 {
      file.report("the pattern needs a group for the number", at: text.mark, hint: "such as 'V(\\d+)_'")
    }
    return latest
  }

  /// The byte that `delimiter` names: a comma where it is left out.
  private static func delimiter(_ fields: Fields, of formats: [Format], in file: DefinitionFile) -> UInt8 {
    let comma = UInt8(ascii: ",")
    if fields.has("delimiter"), formats.contains(where: { $0 != .csv }) {
      file.report(
        "'delimiter' is for csv alone", at: fields.mark(of: "delimiter"),
        hint: "give the files of other formats a source of their own")
    }
    guard let text = fields.text("delimiter") else { return comma }
    if text.value == "tab" { return 0x09 }
    guard let byte = text.value.utf8.first, text.value.utf8.count == 1, (0x21..<0x7F).contains(byte),
      byte != 0x22, !(0x30...0x39).contains(byte), !(0x41...0x5A).contains(byte & 0xDF)
    else {
      file.report(
        "'\(text.value)' cannot be between fields", at: text.mark,
        hint: "write tab, or one mark such as ';' or '|' in quotes")
      return comma
    }
    return byte
  }

  /// Reports what does not fit the way in which the pipeline publishes.
  private func report(_ fields: Fields, against folder: PipelineFolder) {
    let file = folder.file
    if fields.has("orphans"), folder.publishing != .merge {
      file.report(
        "'orphans' is about foreign keys of tables that are merged into, and a release has none",
        at: fields.mark(of: "orphans"))
    }
    if let changes = fields.text("changes"), !folder.hasPeriods, folder.publishing == .release {
      file.report(
        "'changes' is about what is merged into a release, and nothing is", at: changes.mark,
        hint: "give the pipeline 'periods', or take it out")
    }
    guard folder.publishing == .merge else { return }
    if let amends = fields.text("amends") {
      file.report("what is merged into plain tables is amended by nothing", at: amends.mark)
    }
    if expectation.looksBack, merge.missing == .keep {
      file.report(
        "a file of changes cannot be held against the whole table: 'change' and 'drift' need 'missing: delete'",
        at: fields.text("name")?.mark ?? fields.mark)
    }
  }

  /// Reports formats that no version of the layout is for.
  private static func report(_ formats: [Marked<Format>], against layout: Layout, in file: DefinitionFile) {
    func report(_ format: Marked<Format>?, unless isFor: (LayoutVersion) -> Bool, hint: String) {
      guard let format, !layout.versions.contains(where: isFor) else { return }
      file.report(
        "no version of the layout '\(layout.name)' is for \(format.value.rawValue)", at: format.mark,
        hint: "\(hint), or leave the format out")
    }
    report(
      formats.first { $0.value == .txt }, unless: { $0.fixedWidth != nil },
      hint: "give one the key 'txt' and its columns the key 'at'")
    report(
      formats.first { $0.value == .csv }, unless: \.hasHeader, hint: "give its columns the key 'csv'")
    report(
      formats.first { $0.value.isTree }, unless: \.hasPaths, hint: "give its columns the key 'json'")
    guard let xml = formats.first(where: { $0.value == .xml }) else { return }
    for column in layout.versions.flatMap(\.everyColumn)
    where column.type.isJSON && column.place?.paths.isEmpty == false {
      file.report(
        "'\(column.name)' of the layout '\(layout.name)' is JSON, which no XML document holds", at: xml.mark)
    }
  }

  /// Reports columns that a version of the layout lacks.
  private func report(
    _ key: [Marked<String>], _ name: Marked<String>?, against layout: Layout, in file: DefinitionFile
  ) {
    for version in layout.versions {
      let place = "in version \(version.name) of the layout '\(layout.name)'"
      let constants = version.columns.filter { if case .constant = $0.origin { true } else { false } }
      for column in parts.flatMap(\.constants.keys) where !constants.contains(where: { $0.name == column }) {
        file.report("a part sets '\(column)', which is no constant \(place)", at: name?.mark)
      }
      let names = version.columns.map(\.name)
      for column in key where !names.contains(column.value) {
        file.report(
          "the key column '\(column.value)' is not \(place)", of: column, among: names, called: "it has")
      }
    }
  }
}

extension ValueType {
  /// Whether of two values one is the greater, as of moments and numbers.
  fileprivate var isOrdered: Bool {
    switch self {
    case .timestamp, .date, .integer, .decimal: true
    default: false
    }
  }
}
