public import Values

/// What is in a table's files, in one or more versions over the years.
public struct Layout: Sendable {
  /// The layout's name, which is also its file's.
  public var name: String
  /// The versions, in the order of the file.
  public var versions: [LayoutVersion]
  /// The layout's file, for errors.
  public var file: String

  /// A layout of versions.
  public init(name: String, versions: [LayoutVersion], file: String) {
    self.name = name
    self.versions = versions
    self.file = file
  }

  /// The version of a name.
  public func version(named name: String) -> LayoutVersion? { versions.first { $0.name == name } }

  /// The versions that a file of a release can be of: those for its time; all where the release is not known.
  public func versions(for release: String?) -> [LayoutVersion] {
    guard let release else { return versions }
    return versions.filter { $0.releases?.contains(release) ?? true }
  }
}

/// A layout as it was from some year on.
public struct LayoutVersion: Sendable {
  /// The version's name, such as the year it began.
  public var name: String
  /// The columns of the source's own table, in the order of the file.
  public var columns: [LayoutColumn]
  /// What repeats within a record and goes to tables of its own.
  public var children: [ChildTable]
  /// Which records of a delimited file or a sheet are no data.
  public var skips: [SkipRule]
  /// What a header calls columns that hold nothing in the records of this layout; what they hold all the same is told.
  public var blanks: [HeaderText] = []
  /// Which records go on with the one before them; nil where none do.
  public var continuation: Continuation?
  /// The fixed-width form; nil where there is none or none is known.
  public var fixedWidth: FixedWidthForm?
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

  /// The version with other values in columns that are constant.
  public func setting(_ constants: [String: String]) -> LayoutVersion {
    guard !constants.isEmpty else { return self }
    var version = self
    for index in columns.indices {
      if let value = constants[columns[index].name] { version.columns[index].origin = .constant(value) }
    }
    return version
  }

  /// Every column that a record may have a field for: the source's own, then those of the children, slot by slot.
  public var everyColumn: [LayoutColumn] {
    columns + children.flatMap { $0.slots.flatMap(\.self) }
  }
}

/// What repeats a fixed number of times within a record, such as four prices, and becomes rows of a table of its own.
///
/// A row has the key of its record, the number of its `slot` from 1, and the columns. A slot whose fields are all
/// blank makes no row.
public struct ChildTable: Sendable {
  /// The table, `schema.table`.
  public var target: String
  /// The columns of each slot: the same names, each at its own place.
  public var slots: [[LayoutColumn]]

  /// A table of slots.
  public init(target: String, slots: [[LayoutColumn]]) {
    self.target = target
    self.slots = slots
  }

  /// The names of the columns.
  public var columnNames: [String] { slots.first?.map(\.name) ?? [] }
}

/// Which records are no rows of their own but go on with the text of the record before them.
public struct Continuation: Sendable, Hashable {
  /// The rule's name, by which such records are counted.
  public var rule: String
  /// The column whose value tells them.
  public var column: String
  /// The values that do.
  public var values: [String]
  /// The columns whose text goes on.
  public var joined: [String]

  /// A rule for records that go on.
  public init(rule: String, column: String, values: [String], joined: [String]) {
    self.rule = rule
    self.column = column
    self.values = values
    self.joined = joined
  }
}

/// What a version says of its fixed-width files besides the places of the columns.
public struct FixedWidthForm: Sendable, Hashable {
  /// How many bytes a record has at least, and at most where the blanks at its end are not counted.
  public var length: ClosedRange<Int>
  /// Which records are no data.
  public var skips: [SkipRule]
  /// Whether lines above the first record that are shorter than a record are its heading, whatever they say.
  public var hasPreamble: Bool

  /// A form of records of a length.
  public init(length: ClosedRange<Int>, skips: [SkipRule] = [], hasPreamble: Bool = false) {
    self.length = length
    self.skips = skips
    self.hasPreamble = hasPreamble
  }
}

/// A named reason to leave a record out; the record counts as skipped.
public struct SkipRule: Sendable, Hashable {
  /// What makes a record no data.
  public enum Condition: Sendable, Hashable {
    /// Only the first field of the record holds text: a footnote of a delimited file.
    case singleField
    /// The record begins with a text: a banner of a fixed-width file.
    case startsWith(String)
    /// The field of a column holds text and no digit: a heading or footnote of a fixed-width file, above or below
    /// a column of codes or numbers.
    case noDigit(column: String)
    /// The field of a column holds one of some values: a record of another kind.
    case value(column: String, oneOf: [String])
  }

  /// The rule's name, by which skipped records are counted.
  public var rule: String
  /// What makes a record no data.
  public var condition: Condition

  /// A named reason to leave a record out.
  public init(rule: String, condition: Condition) {
    self.rule = rule
    self.condition = condition
  }
}

/// A target column: where its value is, what it is, and what must hold of it.
public struct LayoutColumn: Sendable {
  /// Where a value comes from.
  public enum Origin: Sendable, Hashable {
    /// A field of the record.
    case field(FieldPlace)
    /// The same text for every row.
    case constant(String)
    /// The number of the record among the data records of its source, from 1.
    case recordNumber
  }

  /// The column of the target table.
  public var name: String
  /// Where its value comes from.
  public var origin: Origin
  /// What the text means, such as `decimal(8,2)`.
  public var type: ValueType
  /// Whether a blank value rejects the record, and a header without the column is not this layout's.
  public var isRequired: Bool
  /// Whether a header may lack the column.
  public var isOptional: Bool
  /// The text used for a blank value; nil makes NULL of it.
  public var defaultText: String?
  /// Whether a blank value takes that of the record above.
  public var fillsDown: Bool
  /// The lowest and the highest number allowed; nil allows any.
  public var range: DecimalRange?
  /// The only values allowed; empty allows any.
  public var oneOf: [String]
  /// Whether a value that is not of the type is left blank and told of, where it would reject the record otherwise.
  public var blanksInvalid = false
  /// Patterns, one of which a value must match as a whole; empty allows any. They are slow: for small files.
  public var matches: [TextPattern] = []
  /// The code list that values are looked up in; one that it lacks is a warning.
  public var list: String?
  /// Whether the table has no such column: its value only tells what to do with a record.
  public var isInternal: Bool
  /// Whether values must never show in a log, message or report.
  public var isSensitive: Bool

  /// A column; everything but its name, origin and type may be left out.
  public init(
    name: String, origin: Origin, type: ValueType, isRequired: Bool = false, isOptional: Bool = false,
    defaultText: String? = nil, fillsDown: Bool = false, range: DecimalRange? = nil, oneOf: [String] = [],
    list: String? = nil, isInternal: Bool = false, isSensitive: Bool = false
  ) {
    self.name = name
    self.origin = origin
    self.type = type
    self.isRequired = isRequired
    self.isOptional = isOptional
    self.defaultText = defaultText
    self.fillsDown = fillsDown
    self.range = range
    self.oneOf = oneOf
    self.list = list
    self.isInternal = isInternal
    self.isSensitive = isSensitive
  }

  /// Where the column's field is; nil for constants and record numbers.
  public var place: FieldPlace? {
    if case .field(let place) = origin { place } else { nil }
  }
}

/// Where a column's field is in each format.
public struct FieldPlace: Sendable, Hashable {
  /// What a header calls the column: the layout's own wording first, then its aliases.
  public var headers: [HeaderText]
  /// The bytes of a fixed-width record, from 1, both ends included; nil when unknown.
  public var bytes: ClosedRange<Int>?
  /// How many digits of a fixed-width number stand after a point that is not written.
  public var impliedDecimals: Int

  /// A field called by one of some headers, at a place where one is known.
  public init(headers: [HeaderText], bytes: ClosedRange<Int>? = nil, impliedDecimals: Int = 0) {
    self.headers = headers
    self.bytes = bytes
    self.impliedDecimals = impliedDecimals
  }
}
