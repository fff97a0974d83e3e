import SQLText

/// Walks over the tokens of a statement, or of a part of it.
///
/// Keywords are compared in upper case; quoted names and strings keep their quotes and so are never taken for
/// one.
struct SQLCursor {
  let statement: SQLStatement
  /// The token that is read next.
  var place: Int
  /// The token that is not read any more.
  let end: Int

  init(_ statement: SQLStatement, _ range: Range<Int>? = nil) {
    self.statement = statement
    place = range?.lowerBound ?? 0
    end = range?.upperBound ?? statement.words.count
  }

  /// At the start of a text that is no statement, such as a name; nil where there is nothing in it.
  init?(_ text: String) {
    guard let statement = try? SQLScript(text).statements.first else { return nil }
    self.init(statement)
  }

  /// The token here; nil at the end.
  var word: String? { peek(0) }

  /// The one some tokens further on.
  func peek(_ distance: Int) -> String? {
    place + distance < end ? statement.words[place + distance] : nil
  }

  /// Takes these words if they are here.
  @discardableResult
  mutating func take(_ words: String...) -> Bool {
    guard words.indices.allSatisfy({ peek($0) == words[$0] }) else { return false }
    place += words.count
    return true
  }

  /// Takes any of these words, as often as they come.
  mutating func skip(_ words: Set<String>) {
    while let word, words.contains(word) { place += 1 }
  }

  mutating func name() -> String? {
    guard place < end, let name = statement.name(at: place) else { return nil }
    place += 1
    return name
  }

  /// Takes a name of one or more parts.
  mutating func qualifiedName() -> SQLName? {
    guard let parts = nameParts(), let last = parts.last else { return nil }
    return SQLName(schema: parts.dropLast().last, last)
  }

  mutating func nameParts() -> [String]? {
    guard let first = name() else { return nil }
    var parts = [first]
    while word == "." {
      place += 1
      guard let part = name() else { break }
      parts.append(part)
    }
    return parts
  }

  /// Takes parentheses and gives the tokens between them.
  @discardableResult
  mutating func group() -> Range<Int>? {
    guard word == "(" else { return nil }
    let start = place + 1
    var depth = 0
    while let word {
      place += 1
      if word == "(" { depth += 1 }
      if word == ")" { depth -= 1 }
      if depth == 0 { return start..<place - 1 }
    }
    return start..<end
  }

  /// Takes a token, or parentheses with all that is in them.
  mutating func skipItem() {
    if group() == nil { place += 1 }
  }

  /// The names that commas part, up to the end.
  func qualifiedNames() -> [SQLName] {
    pieces().compactMap { piece in
      var cursor = SQLCursor(statement, piece)
      return cursor.qualifiedName()
    }
  }

  /// Takes a list of names in parentheses, such as the columns of a key.
  mutating func nameList() -> [String] {
    guard let group = group() else { return [] }
    return SQLCursor(statement, group).pieces().compactMap {
      statement.name(at: $0.lowerBound)
    }
  }

  /// What is left, parted at commas outside parentheses and brackets.
  func pieces() -> [Range<Int>] {
    var found: [Range<Int>] = []
    var depth = 0
    var start = place
    for place in place..<max(place, end) {
      switch statement.words[place] {
      case "(", "[": depth += 1
      case ")", "]": depth -= 1
      case "," where depth == 0:
        found.append(start..<place)
        start = place + 1
      default: break
      }
    }
    if start < end { found.append(start..<end) }
    return found.filter { !$0.isEmpty }
  }
}
