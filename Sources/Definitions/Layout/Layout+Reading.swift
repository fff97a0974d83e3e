import Values

extension Layout {
  init?(_ node: YAMLNode, named name: String, in file: DefinitionFile) {
    guard let fields = Fields(node, of: "a layout", keys: ["layout", "versions"], in: file) else {
      return nil
    }
    if let written = fields.needText("layout"), written.value != name {
      file.report("the layout is called '\(written.value)', its file '\(name).yaml'", at: written.mark)
    }
    let versions = fields.needList("versions").compactMap { LayoutVersion.read($0, in: file) }
    reportRepeats(versions.map(\.name), called: "the version", in: file)
    self.init(name: name, versions: versions.map(\.version), file: file.name)
  }
}

extension LayoutVersion {
  static func read(_ node: YAMLNode, in file: DefinitionFile) -> (name: Marked<String>, version: Self)? {
    let keys = [
      "version", "releases", "columns", "children", "blank", "blank_when", "fields", "skip", "continuation",
      "txt", "records", "placeholders", "unknown",
    ]
    guard let fields = Fields(node, of: "a version", keys: keys, in: file) else { return nil }
    let name = fields.needText("version")
    let columns = fields.needList("columns").compactMap { LayoutColumn.read($0, in: file) }
    reportRepeats(columns.map(\.name), called: "the column", in: file)
    Applicability.report(columns, in: file)
    let children = (fields.list("children") ?? []).compactMap { ChildTable.read($0, in: file) }
    let every = columns + children.flatMap(\.columns)
    reportSharedHeaders(every.map(\.column), marks: every.map(\.name.mark), in: file)
    let own = columns.map(\.column)
    for child in children.map(\.table) {
      for parent in child.parents where !own.contains(where: { $0.name == parent.of && $0.isStored }) {
        file.report(
          "'parent' of \(child.target) names '\(parent.of)', which is no column of the record",
          at: fields.mark(of: "children"),
          hint: NearestName.hint(parent.of, among: own.map(\.name), called: "it has"))
      }
    }
    let skips = (fields.list("skip") ?? []).compactMap { SkipRule($0, columns: own, in: file) }
    let continuation = fields.node("continuation").flatMap { Continuation($0, columns: own, in: file) }
    let fixedWidth = fields.node("txt").flatMap { FixedWidthForm($0, columns: every, in: file) }
    let releases = releases(fields, in: file)
    guard let name else { return nil }
    var version = LayoutVersion(
      name: name.value, columns: own, children: children.map(\.table), skips: skips,
      continuation: continuation, fixedWidth: fixedWidth, releases: releases)
    version.recordWay = way(fields, in: file)
    version.unknown = fields.choice("unknown", of: "treatment of unknown properties")
    if version.unknown != nil, !version.hasPaths {
      file.report(
        "'unknown' is about properties of JSON, and the columns have no key 'json'",
        at: fields.mark(of: "unknown"))
    }
    version.blanks = (fields.texts("blank") ?? []).map { HeaderText([$0.value]) }
    version.placeholders = (fields.texts("blank_when") ?? []).map(\.value)
    let known: PlaceholderSet? = fields.choice("placeholders", of: "set of placeholders")
    version.knowsPlaceholders = known == .common
    let count: FieldCount? = fields.choice("fields", of: "number of fields")
    version.hasEveryField = count == .exact
    return (name, version)
  }

  private enum FieldCount: String, CaseIterable {
    case exact
  }

  private enum PlaceholderSet: String, CaseIterable {
    case common
  }

  /// The names of `records: entry.resource`.
  private static func way(_ fields: Fields, in file: DefinitionFile) -> [String] {
    guard let text = fields.text("records"), let path = TreePath(text, in: file) else { return [] }
    if path.steps.contains(where: { !$0.filters.isEmpty }) || path.steps.isEmpty {
      file.report("the way to the records is names alone, such as entry.resource", at: text.mark)
    }
    return path.steps.map(\.name)
  }

  private static func releases(_ fields: Fields, in file: DefinitionFile) -> ReleaseRange? {
    guard let text = fields.text("releases") else { return nil }
    let range = ReleaseRange(text.value)
    if range == nil {
      file.report(
        "'\(text.value)' is no range of releases", at: text.mark,
        hint: "write the first and the last release, such as 2010A-2011D, or leave one out: 2014A-")
    }
    return range
  }

  /// Two columns that a header calls the same would both take the first field of that name.
  private static func reportSharedHeaders(_ columns: [LayoutColumn], marks: [Mark], in file: DefinitionFile) {
    var owners: [String: String] = [:]
    for (column, mark) in zip(columns, marks) where !column.sharesField {
      for header in column.place?.headers ?? [] {
        if let owner = owners[header.text], owner != column.name {
          file.report(
            "the header '\(header.text)' of '\(column.name)' is already that of '\(owner)'", at: mark)
        }
        owners[header.text] = column.name
      }
    }
  }
}
