import Values

/// A layout as it was from some year on.
public struct LayoutVersion: Sendable {
  /// The version's name, such as the year it began.
  public var name: String
  /// The columns of the source's own table, in the order of the file.
  public var columns: [LayoutColumn]
  /// What repeats within a record and goes to tables of its own.
  public var children: [ChildTable] = []
  /// Which records of a delimited file or a sheet are no data.
  public var skips: [SkipRule] = []
  /// What a header calls columns that hold nothing in the records of this layout; what they hold all the same
  /// is reported.
  public var blanks: [HeaderText] = []
  /// The texts that say that nothing is there, such as `<UNAVAIL>`: a field of one of them is blank.
  public var placeholders: [String] = []
  /// Whether what people write where nothing is there counts as such a text: `N/A`, `TBD`, dashes alone.
  public var knowsPlaceholders = false
  /// Whether a record must have as many fields as the header, no fewer and no more.
  public var hasEveryField = false
  /// Whether records of one key are one row, which has the rows of child tables of all of them.
  public var isFolded = false
  /// Which records go on with the one before them; nil where none do.
  public var continuation: Continuation?
  /// The fixed-width form; nil where there is none or none is known.
  public var fixedWidth: FixedWidthForm?
  /// The names that lead to the records of a JSON or XML document that holds several, such as `entry` and
  /// `resource`.
  public var recordWay: [String] = []
  /// What becomes of properties that no path leads to; nil where the layout does not say.
  public var unknown: UnknownProperties?
  /// The releases that it can be of; nil for any.
  public var releases: ReleaseRange?
}

extension LayoutVersion {
  /// Whether a header could name every column that a file must have.
  var hasHeader: Bool {
    columns.allSatisfy { column in
      column.isOptional || column.place.map { !$0.headers.isEmpty } ?? true
    }
  }

  /// Whether its columns are found in tree-shaped records: by paths, those of a record that must be there all
  /// of them.
  public var hasPaths: Bool {
    everyColumn.contains { $0.place?.paths.isEmpty == false }
      && columns.allSatisfy { $0.isOptional || $0.place.map { !$0.paths.isEmpty } ?? true }
      && children.allSatisfy { !$0.each.isEmpty }
  }

  /// Whether records of JSON are flat objects, as a line of csv is: each path is a name, also of what repeats
  /// in them.
  ///
  /// In such the letter case of names does not count, as it does not in a header.
  public var isFlat: Bool {
    let own = columns.compactMap(\.place).flatMap(\.paths)
    let nested = children.flatMap { $0.slots.flatMap(\.self) }.compactMap(\.place).flatMap(\.paths)
    return !own.isEmpty && own.allSatisfy(\.isName)
      && children.flatMap(\.each).allSatisfy { $0.isName || $0.steps.isEmpty }
      && nested.allSatisfy { $0.isName || $0.steps.isEmpty }
  }

  /// Whether a column looks at what is around the record.
  public var looksAround: Bool { columns.compactMap(\.place).flatMap(\.paths).contains(where: \.isAround) }

  /// The version with other values in columns that are constant.
  public func setting(_ constants: [String: String]) -> LayoutVersion {
    guard !constants.isEmpty else { return self }
    var version = self
    for index in columns.indices {
      if let value = constants[columns[index].name] { version.columns[index].origin = .constant(value) }
    }
    return version
  }

  /// The version without some of its child tables.
  public func without(_ isLeftOut: (ChildTable) -> Bool) -> LayoutVersion {
    var version = self
    version.children.removeAll(where: isLeftOut)
    return version
  }

  /// Every column that a record may have a field for: the source's own, then those of the children, slot by
  /// slot.
  public var everyColumn: [LayoutColumn] {
    columns + children.flatMap { $0.slots.flatMap(\.self) }
  }
}

extension LayoutVersion {
  static func read(_ node: YAMLNode, in file: DefinitionFile) -> (name: Marked<String>, version: Self)? {
    let keys = [
      "version", "releases", "columns", "children", "blank", "blank_when", "fields", "skip", "continuation",
      "txt", "records", "placeholders", "unknown", "fold",
    ]
    guard let fields = Fields(node, of: "a version", keys: keys, in: file) else { return nil }
    let name = fields.needText("version")
    let columns = fields.needList("columns").compactMap { LayoutColumn.read($0, in: file) }
    reportRepeats(columns.map(\.name), called: "the column", in: file)
    Applicability.report(columns, in: file)
    let children = (fields.list("children") ?? []).compactMap { ChildTable.read($0, of: columns, in: file) }
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
    let nested = children.flatMap(\.columns).compactMap(\.column.place).flatMap(\.paths)
    if version.looksAround && version.recordWay.count < 2
      || (nested + children.flatMap(\.table.each)).contains(where: \.isAround)
    {
      file.report(
        "a path with '..' is for columns of the record, and needs 'records' of two names at least",
        at: fields.mark(of: "columns"),
        hint: "with 'records: entry.resource' the path ..fullUrl is that of the entry")
    }
    if version.looksAround, children.flatMap(\.table.each).contains(where: \.steps.isEmpty) {
      file.report(
        "rows of the record itself, 'each: .', cannot be known from those of what is around it, which a path "
          + "with '..' looks at", at: fields.mark(of: "children"))
    }
    version.unknown = fields.node("unknown").flatMap { UnknownProperties($0, fields, in: file) }
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
    version.isFolded = fields.flag("fold")
    if version.isFolded, children.isEmpty {
      file.report(
        "records that are folded differ in rows of child tables, and the version has none",
        at: fields.mark(of: "fold"))
    }
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
