import Definitions
import PostgreSQL

/// The SQL that says which groups a view has, or which of them must be computed.
struct KeysQuery {
  /// The names of the columns; one that is not the view's own where all rows are one group.
  let columns: [String]
  private let isOneGroup: Bool
  private let grouped: [(table: String, capture: [String], keys: EmbeddedSQL)]

  init(_ view: ViewDefinition) {
    isOneGroup = view.key.isEmpty
    columns = isOneGroup ? ["rivulet_all"] : view.key.map(\.value)
    grouped = view.sources.compactMap { source in
      guard case .groups(let capture, let keys) = source.change else { return nil }
      return (source.name.value, capture.map(\.value), keys)
    }
  }

  /// The tables whose rows say which groups there are.
  var sources: [String] { grouped.map(\.table) }

  /// All groups there are.
  var all: String { Self.union(parts) }

  /// The same where equal values of a key need not be identical: which of them means a group follows from the
  /// rows that there are, and not by the way in which they are read.
  var allInOrder: String { firstOfEqual(parts.joined(separator: "\nUNION ALL\n")) }

  /// Of groups that are equal the first by its text: a SELECT.
  func firstOfEqual(_ found: String) -> String {
    let names = columns.map(Quote.identifier)
    let texts = names.map { "\($0)::text COLLATE \"C\"" }
    return """
      SELECT DISTINCT ON (\(names.joined(separator: ", "))) * FROM (
      \(found)
      ) known ORDER BY \((names + texts).joined(separator: ", "))
      """
  }

  /// Whether groups are identical where they are equal, by the types of their columns.
  func isExact(_ types: [String: ColumnType]) -> Bool { columns.allSatisfy { types[$0]?.isExact ?? true } }

  /// The groups of each source's own rows, a SELECT each, in the order of ``sources``; a group comes as often
  /// as there are rows of it.
  var parts: [String] { sources.compactMap { part(of: $0)?.text } }

  /// The groups that changed rows mean.
  /// - Parameter changed: the SELECT of what was captured, by the name of the source; nil where nothing was.
  /// - Returns: a SELECT; nil where nothing was captured of any source.
  func dirty(_ changed: (String) -> String?) -> String? {
    let known = grouped.compactMap { source in changed(source.table).map { (source, $0) } }
    guard !known.isEmpty else { return nil }
    return Self.union(known.map { part($0, of: $1).text })
  }

  /// The groups of a source's own rows, and how many characters of it come before the definition's `keys`.
  func part(of table: String) -> (text: String, offset: Int)? {
    grouped.first { $0.table == table }.map { source in
      part(source, of: "SELECT \(Self.list(source.capture)) FROM \(Quote.qualified(source.table))")
    }
  }

  /// Each group once, also where there is only one query for it.
  private static func union(_ parts: [String]) -> String {
    parts.count == 1 ? "SELECT DISTINCT * FROM (\n\(parts[0])\n) known" : parts.joined(separator: "\nUNION\n")
  }

  private func part(
    _ source: (table: String, capture: [String], keys: EmbeddedSQL), of changed: String
  ) -> (text: String, offset: Int) {
    let head = "WITH changed AS (\(changed))\nSELECT \(isOneGroup ? "true" : "*") FROM (\n"
    let before = "SELECT * FROM (\n" + head
    let names = Self.list(columns)
    // A line end, since the SELECT may end with a comment.
    return (before + source.keys.sql + "\n) found\n) grouped(\(names))", before.unicodeScalars.count)
  }

  static func list(_ columns: [String]) -> String { columns.map(Quote.identifier).joined(separator: ", ") }
}
