import Values

/// A layout as it was from some year on.
public struct LayoutVersion: Sendable {
  /// What becomes of properties of JSON that no path leads to.
  public enum UnknownProperties: String, Sendable, Hashable, CaseIterable {
    /// Their names are reported.
    case tell
    /// They are passed over: records may have any number of them.
    case ignore
  }

  /// The version's name, such as the year it began.
  public var name: String
  /// The columns of the source's own table, in the order of the file.
  public var columns: [LayoutColumn]
  /// What repeats within a record and goes to tables of its own.
  public var children: [ChildTable]
  /// Which records of a delimited file or a sheet are no data.
  public var skips: [SkipRule]
  /// What a header calls columns that hold nothing in the records of this layout; what they hold all the same
  /// is reported.
  public var blanks: [HeaderText] = []
  /// The texts that say that nothing is there, such as `<UNAVAIL>`: a field of one of them is blank.
  public var placeholders: [String] = []
  /// Whether what people write where nothing is there counts as such a text: `N/A`, `TBD`, dashes alone.
  public var knowsPlaceholders = false
  /// Whether a record must have as many fields as the header, no fewer and no more.
  public var hasEveryField = false
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

  /// A version of columns.
  public init(
    name: String, columns: [LayoutColumn], children: [ChildTable] = [], skips: [SkipRule] = [],
    continuation: Continuation? = nil, fixedWidth: FixedWidthForm? = nil,
    releases: ReleaseRange? = nil
  ) {
    self.name = name
    self.columns = columns
    self.children = children
    self.skips = skips
    self.continuation = continuation
    self.fixedWidth = fixedWidth
    self.releases = releases
  }
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
    columns.contains { $0.place?.paths.isEmpty == false }
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
    return !own.isEmpty && own.allSatisfy(\.isName) && children.flatMap(\.each).allSatisfy(\.isName)
      && nested.allSatisfy { $0.isName || $0.steps.isEmpty }
  }

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
