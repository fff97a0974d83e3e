/// What merging a source's rows into a table means beyond inserting and updating: what is deleted, and what
/// is kept of rows that were there before.
public struct MergeRule: Sendable, Hashable {
  /// What becomes of rows whose key a file lacks.
  public enum Missing: String, Sendable, Hashable, CaseIterable {
    /// They stay: the file brings changes.
    case keep
    /// They are deleted: the file is the whole table.
    case delete
  }

  /// The records that tell of a row that is gone.
  public struct Deletion: Sendable, Hashable {
    /// The column of the layout that marks them.
    public var column: String
    /// The values that do, as they are written in the file; empty where all do that are not blank.
    public var values: [String]
  }

  /// What becomes of rows whose key a file lacks.
  public var missing = Missing.keep
  /// Which records tell of a row that is gone; nil where none do.
  public var deletion: Deletion?
  /// The columns that tell rows of which a file brings all or none; empty where each row means itself.
  public var group: [String] = []
  /// Other sources of the bundle whose records name such groups, too: of one that only they name a file
  /// brings none.
  public var namedIn: [String] = []
  /// Rows go into `<target>_history` before they are changed or deleted.
  public var keepsHistory = false

  /// Rows are inserted and updated.
  public init() {}

  /// Nothing but the default is asked for.
  public var isPlain: Bool { self == MergeRule() }

  /// The table that keeps what rows of a target were.
  public static func history(of target: String) -> String { target + "_history" }
}

extension MergeRule {
  /// The keys of a source that belong to it.
  static let keys = ["missing", "deleted", "replaces", "history"]

  /// Reads the keys of a source.
  ///
  /// - `key`: the key of the source's rows.
  /// - `layout`: the source's, where there is such a one.
  init(_ fields: Fields, key: [String], of layout: Layout?, in folder: PipelineFolder) {
    let file = folder.file
    missing = fields.choice("missing", of: "fate of rows that a file lacks") ?? .keep
    keepsHistory = fields.flag("history")
    let group = readGroup(fields, of: folder)
    for key in Self.keys
    where fields.has(key) && folder.publishing == .release && (!folder.hasPeriods || key == "missing") {
      file.report(
        key == "missing"
          ? "a period brings changes, and a release all there is, so that 'missing' has no meaning"
          : "'\(key)' is about rows that are merged, and a release is none", at: fields.mark(of: key),
        hint: key == "missing" ? "take it out" : "write 'publish: merge', or give the pipeline 'periods'")
    }
    for column in group { Self.report(column, ofGroupIn: layout, key: key, in: file) }
    guard let node = fields.node("deleted"),
      let own = Fields(node, of: "'deleted'", keys: ["column", "one_of"], in: file)
    else { return }
    let values = own.texts("one_of") ?? []
    guard let column = own.needText("column") else { return }
    deletion = Deletion(column: column.value, values: values.map(\.value))
    guard let layout else { return }
    if key.contains(column.value) {
      file.report("a column of the key cannot mark what is deleted", at: column.mark)
    }
    for version in layout.versions {
      let names = version.columns.map(\.name)
      guard !names.contains(column.value) else { continue }
      file.report(
        "the column '\(column.value)' is not in version \(version.name) of the layout '\(layout.name)'",
        of: column, among: names, called: "it has")
    }
  }

  /// Reads the key `replaces`: columns, or columns and the other sources whose records name groups.
  private mutating func readGroup(_ fields: Fields, of folder: PipelineFolder) -> [Marked<String>] {
    var group: [Marked<String>] = []
    if let node = fields.node("replaces"), case .mapping = node.content {
      guard
        let own = Fields(node, of: "'replaces'", keys: ["columns", "named_in"], in: folder.file)
      else { return [] }
      own.need("columns")
      own.need("named_in")
      group = own.texts("columns") ?? []
      let sources = own.texts("named_in") ?? []
      namedIn = sources.map(\.value)
      folder.namers += sources.map { ($0, group.map(\.value)) }
    } else {
      group = fields.texts("replaces") ?? []
    }
    self.group = group.map(\.value)
    return group
  }

  /// Reports a column by which rows are replaced and that a version does not have.
  private static func report(
    _ column: Marked<String>, ofGroupIn layout: Layout?, key: [String], in file: DefinitionFile
  ) {
    let versions = layout?.versions ?? []
    let hasChildren = versions.contains { !$0.children.isEmpty }
    let names = versions.map { hasChildren ? key : $0.columns.filter(\.isStored).map(\.name) }
    guard let lacking = names.first(where: { !$0.contains(column.value) }) else { return }
    file.report(
      "'\(column.value)' is no column of "
        + (hasChildren ? "the key, which what repeats has" : "the table"),
      at: column.mark, hint: NearestName.hint(column.value, among: lacking, called: "it has"))
  }
}
