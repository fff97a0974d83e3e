import PostgreSQL
import SQLText

/// What a line `-- rivulet:batch app.visit id 5000` says: the statement below it runs over ranges of a key, each in
/// a transaction of its own.
struct BatchMark: Sendable, Equatable {
  /// The table whose rows are counted off.
  let table: SQLName
  /// The columns of its key, the first one first.
  let keys: [String]
  /// How many rows a range has.
  let size: Int
  /// How far a standby may be behind before the next range waits for it.
  private(set) var maxLag = TimeSpan(seconds: 10)
  /// The pause between two ranges; nil for none.
  private(set) var pause: TimeSpan?
  /// Where the line is.
  var place = SQLPlace(line: 1, column: 1)

  /// What cannot be read in such a line.
  struct Fault: Error { let message: String }

  static let hint =
    "write '-- rivulet:batch schema.table key 5000' right before the statement; (key, other) for a key of several "
    + "columns, and max_lag=10s and pause=100ms may follow"

  /// How many rows a range may have.
  private static let sizes = 1...1_000_000_000

  /// Reads what follows the words `-- rivulet:batch`.
  init(_ text: String) throws(Fault) {
    guard var cursor = SQLCursor(text), let table = cursor.qualifiedName() else {
      throw Fault(message: "the mark names no table")
    }
    self.table = table
    keys = BatchMark.keys(&cursor)
    if keys.isEmpty { throw Fault(message: "the mark names no key of \(table)") }
    let tokens = cursor.statement.tokens
    let start = cursor.place < tokens.count ? tokens[cursor.place].range.lowerBound : text.utf8.count
    let words = String(decoding: text.utf8.dropFirst(start), as: UTF8.self).split(
      whereSeparator: \.isWhitespace)
    guard let digits = words.first, digits.allSatisfy(\.isNumber) else {
      throw Fault(message: "the mark does not say how many rows a batch has")
    }
    guard let size = Int(digits), BatchMark.sizes.contains(size) else {
      throw Fault(
        message: "the mark has a batch of \(digits) rows; it has 1 to \(BatchMark.sizes.upperBound)")
    }
    self.size = size
    for word in words.dropFirst() { try take(word) }
  }

  private mutating func take(_ word: Substring) throws(Fault) {
    let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, let span = TimeSpan(parts[1]) else {
      throw Fault(message: "the mark has an unknown option '\(word)'")
    }
    switch parts[0] {
    case "max_lag": maxLag = span
    case "pause": pause = span
    default: throw Fault(message: "the mark has an unknown option '\(word)'")
    }
  }

  /// A name, or several in parentheses; none where one of them is no name.
  private static func keys(_ cursor: inout SQLCursor) -> [String] {
    guard cursor.word == "(" else { return [cursor.name()].compactMap(\.self) }
    let statement = cursor.statement
    let pieces = cursor.group().map { SQLCursor(statement, $0).pieces() } ?? []
    let names = pieces.compactMap { $0.count == 1 ? statement.name(at: $0.lowerBound) : nil }
    return names.count == pieces.count ? names : []
  }

  /// What may not change while its statement is done in part.
  var identity: String { "\(table.quoted) (\(keys.map(Quote.identifier).joined(separator: ", ")))" }
}
