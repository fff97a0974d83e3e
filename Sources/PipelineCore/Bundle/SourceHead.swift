package import Definitions
package import Records
import Values

/// What the beginning of an entry tells: its layout, where its data begin, and what is above them.
package struct SourceHead: Sendable {
  /// The version of the layout that fits, with the entry's own constants.
  package let layout: LayoutVersion
  /// How the entry's records are read.
  package let format: RecordFormat
  /// For each of the layout's columns, those of children too, the number of its field; nil where the entry
  /// has none.
  package let fields: [Int?]
  /// How many fields the records have.
  package let width: Int
  /// Which records are no data.
  package let skips: [SkipRule]
  /// How many records are above the data.
  package let recordsAbove: Int
  /// The text of the records above the data, without the header.
  package let banner: String
  /// The fields that should hold nothing, by what the header calls them.
  package let blanks: [HeaderMatch.UnknownColumn]
  /// What the header calls columns that the layout does not know.
  package let unknown: [String]
  /// How many records the header is merged from; 0 where there is none.
  package let headerDepth: Int
  /// Whether the first column is that of an export's reasons, see ``ReasonColumn``.
  package let hasReasons: Bool
  /// The kinds of the entry's records, the first few, where it has some and none of them is wanted.
  package var foreignKinds: [String]
  /// The child tables that it has rows for which are not read, as the bundle has files of their own for them.
  package var leftOut: [String] = []
  /// The sheets of the workbook that hold rows and that no source takes; reported by the first source that
  /// reads it.
  package var otherSheets: [String] = []
  /// The properties, in small letters, that hold those rows.
  package var leftOutNames: Set<String> = []

  /// The byte between the fields of a list; of a sheet, whose records are kept as csv, a comma.
  package var delimiter: UInt8 {
    if case .delimited(let format) = format { format.delimiter } else { UInt8(ascii: ",") }
  }

  /// Whether the header calls a column one of social security numbers, which no layout takes.
  package var namesWithheld: Bool { unknown.contains { SocialSecurityNumber.isNamed(in: Array($0.utf8)) } }

  /// How records tell what they are; nil where they do not.
  package var kind: RecordKind? { isTree ? RecordKind(layout) : nil }

  /// Whether the entry has records, and all of them of kinds that are not wanted.
  package var isForeign: Bool { !foreignKinds.isEmpty }

  /// Whether records are properties of things within each other.
  package var isTree: Bool {
    if case .tree = format { true } else { false }
  }

  /// Records of an entry whose header names the columns.
  ///
  /// `match`: the header.
  /// `width`: how many fields it names at most in one record.
  /// `constants`: what rows of the entry have in columns that are constant in the layout.
  package init(
    _ version: LayoutVersion, named match: HeaderMatch, width: Int, format: RecordFormat,
    constants: [String: String]
  ) {
    layout = version.setting(constants)
    self.format = format
    fields = match.fields
    self.width = width
    skips = version.skips
    recordsAbove = match.lastRow + 1
    banner = match.banner
    blanks = match.blanks
    unknown = match.unknown.map(\.text).filter { $0 != ReasonColumn.header }
    headerDepth = match.depth
    hasReasons = match.unknown.contains { $0.field == 0 && $0.text == ReasonColumn.header }
    foreignKinds = []
  }

  /// Records of a version whose columns have fixed places.
  ///
  /// `form`: how such records are laid out.
  /// `recordsAbove`: how many records are above the data, whose text is `banner`.
  package init(
    _ version: LayoutVersion, _ form: FixedWidthForm, constants: [String: String], recordsAbove: Int,
    banner: String
  ) {
    let places = version.everyColumn.map { $0.place?.bytes }
    let known = places.compactMap(\.self)
    var next = 0..<known.count
    layout = version.setting(constants)
    format = .fixedWidth(FixedWidthFormat(fields: known, length: form.length))
    fields = places.map { $0 == nil ? nil : next.popFirst() }
    width = known.count
    skips = form.skips
    self.recordsAbove = recordsAbove
    self.banner = banner
    blanks = []
    unknown = []
    headerDepth = 0
    hasReasons = false
    foreignKinds = []
  }

  /// What is new in the file, for the user.
  package var warnings: [String] {
    let nested = leftOut.map {
      "rows of \($0) within them are not read: the bundle has them in a file of their own"
    }
    func found(_ what: String, _ names: [String]) -> [String] {
      names.isEmpty ? [] : ["\(what): " + names.map { "'\($0)'" }.joined(separator: ", ")]
    }
    return found("columns that the layout does not know were left out", unknown)
      + found("sheets that hold rows and that no source takes were left out", otherSheets) + nested
  }
}
