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
  /// Rows go into `<target>_history` before they are changed or deleted.
  public var keepsHistory = false

  /// Rows are inserted and updated.
  public init() {}

  /// Nothing but the default is asked for.
  public var isPlain: Bool { self == MergeRule() }

  /// The table that keeps what rows of a target were.
  public static func history(of target: String) -> String { target + "_history" }
}

/// The merge rule of a source, whose layout has not been looked up yet.
struct MergeOutline {
  static let keys = ["missing", "deleted", "replaces", "history"]

  var rule = MergeRule()
  private var group: [Marked<String>] = []
  private var column: Marked<String>?
  private let marks: [(key: String, mark: Mark)]

  init(_ fields: Fields, in file: DefinitionFile) {
    marks = Self.keys.filter(fields.has).map { ($0, fields.mark(of: $0)) }
    rule.missing = fields.choice("missing", of: "fate of rows that a file lacks") ?? .keep
    rule.keepsHistory = fields.flag("history")
    group = fields.texts("replaces") ?? []
    rule.group = group.map(\.value)
    if let node = fields.node("deleted"),
      let own = Fields(node, of: "'deleted'", keys: ["column", "one_of"], in: file)
    {
      column = own.needText("column")
      let values = own.texts("one_of") ?? []
      rule.deletion = column.map { MergeRule.Deletion(column: $0.value, values: values.map(\.value)) }
    }
  }

  /// Reports what does not fit the way in which the pipeline publishes.
  func report(publishing: Pipeline.Publishing, hasPeriods: Bool, in file: DefinitionFile) {
    for (key, mark) in marks {
      if publishing == .release, !hasPeriods || key == "missing" {
        file.report(
          key == "missing"
            ? "a period brings changes, and a release all there is, so that 'missing' has no meaning"
            : "'\(key)' is about rows that are merged, and a release is none", at: mark,
          hint: key == "missing" ? "take it out" : "write 'publish: merge', or give the pipeline 'periods'")
      }
    }
  }

  /// Reports columns that are not there.
  func report(key: [String], of layout: Layout?, in file: DefinitionFile) {
    for column in group {
      let hasChildren = layout?.versions.contains { !$0.children.isEmpty } ?? false
      for version in layout?.versions ?? [] {
        let names = hasChildren ? key : version.columns.filter(\.isStored).map(\.name)
        guard !names.contains(column.value) else { continue }
        file.report(
          "'\(column.value)' is no column of "
            + (hasChildren ? "the key, which what repeats has" : "the table"),
          at: column.mark, hint: NearestName.hint(column.value, among: names, called: "it has"))
        break
      }
    }
    guard let column, let layout else { return }
    if key.contains(column.value) {
      file.report("a column of the key cannot mark what is deleted", at: column.mark)
    }
    for version in layout.versions {
      let names = version.columns.map(\.name)
      guard !names.contains(column.value) else { continue }
      file.report(
        "the column '\(column.value)' is not in version \(version.name) of the layout '\(layout.name)'",
        at: column.mark, hint: NearestName.hint(column.value, among: names, called: "it has"))
    }
  }
}
