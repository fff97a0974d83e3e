import PostgreSQL
import SQLText

/// The rows of one batch: those whose key is above `lower` and not above `upper`, each as SQL. It is open below where
/// `lower` is nil, and has no rows where `upper` is.
struct BatchRange {
  var lower: [String]?
  var upper: [String]?

  /// The condition, for columns as SQL.
  func condition(_ columns: [String]) -> String {
    guard let upper else { return "(false)" }
    let key = BatchRange.row(columns)
    let above = lower.map { "\(key) > \(BatchRange.row($0)) AND " } ?? ""
    return "(\(above)\(key) <= \(BatchRange.row(upper)))"
  }

  /// A row of SQL, to be compared with another.
  static func row(_ values: [String]) -> String {
    values.count == 1 ? values[0] : "(\(values.joined(separator: ", ")))"
  }
}

/// Where a statement says `{batch}` or, with the name of the table in it, `{batch v}`.
struct BatchPlace {
  /// Its bytes in the statement's text.
  let range: Range<Int>
  /// What comes before the columns; nil for nothing.
  let alias: SQLName?

  /// All of a statement, in order; what is in quotes and comments does not count.
  static func all(of statement: SQLStatement) -> [BatchPlace] {
    let (tokens, words) = (statement.tokens, statement.words)
    return words.indices.compactMap { place in
      var cursor = SQLCursor(statement, place..<words.count)
      guard cursor.take("{", "BATCH") else { return nil }
      let alias = cursor.word == "}" ? nil : cursor.qualifiedName()
      guard cursor.word == "}" else { return nil }
      let start = statement.range.lowerBound
      return BatchPlace(
        range: tokens[place].range.lowerBound - start..<tokens[cursor.place].range.upperBound - start,
        alias: alias)
    }
  }

  /// The statement with a condition on the columns of its key in each of its places, and the way back from a place
  /// in it.
  static func filled(_ statement: SQLStatement, _ mark: BatchMark, with condition: ([String]) -> String)
    -> FilledText
  {
    FilledText(
      statement.text,
      replacing: all(of: statement).map { place in
        let alias = place.alias.map { $0.quoted + "." } ?? ""
        return (place.range, "{batch}", condition(mark.keys.map { alias + Quote.identifier($0) }))
      })
  }
}
