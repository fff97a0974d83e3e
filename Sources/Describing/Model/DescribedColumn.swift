public import Definitions

/// A column of the dictionary: what the database says of it, and where its values come from.
public struct DescribedColumn: Sendable {
  /// As the catalog has it.
  public let column: RelationColumn
  /// What it is, in words; nil where nobody says it.
  public let meaning: String?
  /// The fields of files that it is loaded from; empty where it is from none.
  public let origins: [FieldOrigin]
  /// What fills it where no field does, in words; nil where a field does, or nothing is known.
  public let filledBy: String?
  /// What its values mean; nil where there is no list of them.
  public let list: CodeList?
  /// Its values are shown in no log and no report.
  public let isSensitive: Bool

  /// Its name.
  public var name: String { column.name }

  /// Where its values come from, in a line; nil where nothing is known. Of several versions of a layout the last
  /// one is named.
  public var source: String? {
    guard let last = origins.last else { return filledBy }
    let others = origins.reduce(into: [String]()) { if !$0.contains($1.shown) { $0.append($1.shown) } }
    let more = others.count > 1 ? " and \(others.count - 1) other\(others.count == 2 ? "" : "s")" : ""
    return "\(last.source): \(last.shown)\(more)"
  }
}
