public import Definitions
import Records

/// Why no layout fits an entry.
public enum LayoutMismatch: Error, Sendable, CustomStringConvertible {
  /// No header names the columns.
  case header(HeaderMismatch)
  /// No header names the columns, the nearest with another delimiter than the source's.
  case delimited(HeaderMismatch, by: UInt8)
  /// The records have other values at the columns' places.
  case places(PlaceMismatch)
  /// The records of a tree have other properties, or are of other kinds.
  case tree(TreeMismatch)

  /// What was looked for and what was found.
  public var description: String {
    switch self {
    case .header(let mismatch): mismatch.description
    case .delimited(let mismatch, let delimiter):
      "with \(DelimitedFormat.name(of: delimiter)) between the fields \(mismatch)"
    case .places(let mismatch): mismatch.description
    case .tree(let mismatch): mismatch.description
    }
  }
}

/// Why the records of an entry are not those of a layout for trees.
public struct TreeMismatch: Error, Sendable, CustomStringConvertible {
  private let layout: String
  private let version: String?
  private let kinds: [String]
  private let lacking: String?

  /// The layout has no version for such entries.
  package init(layout: String) { (self.layout, version, kinds, lacking) = (layout, nil, [], nil) }

  /// The records of a version lack something.
  ///
  /// `kinds`: those that the records are of, where none of them is wanted.
  /// `lacking`: the first required column that a record lacks.
  package init(layout: String, version: String = "", kinds: [String], lacking: String? = nil) {
    (self.layout, self.version, self.kinds, self.lacking) = (layout, version, kinds, lacking)
  }

  /// What was looked for and what was found.
  public var description: String {
    guard let version else { return "the layout '\(layout)' has no version for JSON or XML" }
    if !kinds.isEmpty {
      let found = kinds.map { $0.isEmpty ? "records that do not say what they are" : $0 }
      return
        "no record is of a kind that the layout '\(layout)' is for; found: \(found.joined(separator: ", "))"
    }
    let what = lacking.map { "a value of '\($0)'" } ?? "any value"
    return "the records are not those of the layout '\(layout)': none has \(what) of version \(version)"
  }
}
