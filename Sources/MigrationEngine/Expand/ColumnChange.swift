/// A change of a column that programs of the old schema and of the new one are to live through side by side.
public struct ColumnChange: Sendable {
  /// What becomes of the column.
  public enum Kind: Sendable, Equatable {
    /// Another name.
    case rename(to: String)
    /// Another type. `using` makes a new value of an old one and `back` an old value of a new one, both of them
    /// in the column's name; without them the server assigns one to the other.
    case retype(to: String, using: String?, back: String?)
  }

  /// The table, as SQL names it: `app.visit`.
  public let table: String
  /// The column, as SQL names it.
  public let column: String
  /// What becomes of it.
  public let kind: Kind

  /// A change of `app.visit.code`.
  ///
  /// - Throws: `MigrationError.unusableColumn` where the text names no column of a table.
  public init(_ text: String, _ kind: Kind) throws(MigrationError) {
    guard let dot = ColumnChange.lastDot(of: text) else { throw .unusableColumn(text, nil) }
    table = String(text[..<dot])
    column = String(text[text.index(after: dot)...])
    self.kind = kind
    guard !table.isEmpty, !column.isEmpty else { throw .unusableColumn(text, nil) }
  }

  /// The change in a few words, which give a migration its name.
  public var words: String {
    let name = "\(table) \(column)".replacing(".", with: " ")
    return switch kind {
    case .rename(let new): "rename \(name) to \(new)"
    case .retype(let type, _, _): "change type of \(name) to \(type)"
    }
  }

  /// The last dot that is not between double quotes.
  private static func lastDot(of text: String) -> String.Index? {
    var (isQuoted, found) = (false, String.Index?.none)
    for index in text.indices {
      if text[index] == "\"" { isQuoted.toggle() }
      if text[index] == ".", !isQuoted { found = index }
    }
    return found
  }
}
