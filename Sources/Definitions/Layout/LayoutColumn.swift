public import Values

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
    /// The name of the path by which a row of a child table was found.
    case pathName
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
  /// Whether a value that is not of the type is left blank and reported, where it would reject the record
  /// otherwise.
  public var blanksInvalid = false
  /// Whether a value that is not of the type stays as it is written, in a column of text.
  public var keepsInvalid = false
  /// Patterns, one of which a value must match as a whole; empty allows any. They are slow: for small files.
  public var matches: [TextPattern] = []
  /// What is stored in place of a value, by value; one that is not among them rejects the record. Empty
  /// leaves values as they are.
  public var words: [String: String] = [:]
  /// The code list that values are looked up in; one that it lacks is a warning.
  public var list: String?
  /// Where the type and the rules hold; elsewhere the text stays as it is. Nil where they always do.
  public var applies: Applicability?
  /// Which texts say that nothing is there, beside those of the version; nil where there are none.
  public var blankWhen: BlankRule?
  /// Whether the field is that of another column too: a telephone number and its extension.
  public var sharesField = false
  /// Whether the table has no such column: its value only says what to do with a record.
  public var isInternal: Bool
  /// Whether checks alone look at it: it is staged, and the table has no such column. Of what is merged only.
  public var isChecked = false
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

  /// Whether the table has the column.
  public var isStored: Bool { !isInternal && !isChecked }

  /// Where the column's field is; nil for constants and record numbers.
  public var place: FieldPlace? {
    if case .field(let place) = origin { place } else { nil }
  }
}

/// The records in which a column's type and rules hold: those in which another column has one of some values.
public struct Applicability: Sendable, Hashable {
  /// The other column, of the same table.
  public var column: String
  /// Its values, as its own type makes them; an empty text means a blank.
  public var values: [String]
}

/// The texts that say in a column's field that nothing is there, in whatever letter case.
public struct BlankRule: Sendable, Hashable {
  /// The texts.
  public var texts: [String]
  /// The column of the same table that must be blank, too, or say so in the same way; nil where no other
  /// counts.
  public var without: String?
}

/// Where a column's field is in each format.
public struct FieldPlace: Sendable, Hashable {
  /// What a header calls the column: the layout's own wording first, then its aliases.
  public var headers: [HeaderText]
  /// The characters of a fixed-width record, a byte each as it is published, from 1, both ends included; nil
  /// when unknown.
  public var bytes: ClosedRange<Int>?
  /// How many digits of a fixed-width number are after a point that is not written.
  public var impliedDecimals: Int
  /// The paths to the field in a tree-shaped record, of a child table from what repeats on; the first that
  /// leads to a text counts. Empty where there are none.
  public var paths: [TreePath] = []
  /// What is between the texts where a path leads to several; nil takes the first.
  public var joining: String?

  /// A field called by one of some headers, at a place where one is known.
  public init(headers: [HeaderText], bytes: ClosedRange<Int>? = nil, impliedDecimals: Int = 0) {
    self.headers = headers
    self.bytes = bytes
    self.impliedDecimals = impliedDecimals
  }
}
