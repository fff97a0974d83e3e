/// The lines between the parentheses of a table or a composite type.
struct TableDraft {
  private var lines: [Int: String] = [:]

  /// Adds a line at its place, or a default behind its column, which has the same place.
  mutating func add(_ part: CatalogPart) { lines[part.place, default: ""] += part.sql ?? "" }

  /// The statement with everything in its place. A table of a type has no parentheses where it adds nothing.
  func filled(_ statement: String) -> String {
    let isOfType = statement.split(separator: CatalogObject.mark).first?.contains(" OF ") == true
    let inside = lines.sorted { $0.key < $1.key }.map(\.value).joined(separator: ",\n  ")
    let body = lines.isEmpty ? (isOfType ? "" : " ()") : " (\n  " + inside + "\n)"
    return statement.replacing(CatalogObject.mark, with: body)
  }
}
