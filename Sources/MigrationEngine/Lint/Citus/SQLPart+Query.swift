import SQLText

/// What a query says, as far as its words show it.
extension SQLPart {
  /// The names behind FROM, JOIN, USING, INTO and UPDATE; those of subqueries only where that is asked.
  func tables(withSubqueries isNested: Bool = true) -> [SQLName] { tables(in: range, isNested) }

  func tables(in range: Range<Int>, _ isNested: Bool) -> [SQLName] {
    var found: [SQLName] = []
    var cursor = SQLCursor(statement, range)
    // For each open parenthesis, whether commas part tables there.
    var lists = [false]
    // The word behind which a table comes next.
    var verb: String?
    while let word = cursor.word {
      let before = cursor.place > range.lowerBound ? statement.words[cursor.place - 1] : ""
      if let verb, let name = table(&cursor, behind: verb) {
        if isNested || lists.count == 1 { found.append(name) }
      } else {
        cursor.place += 1
        switch word {
        case "(": lists.append(verb != nil)
        case ")": if lists.count > 1 { lists.removeLast() }
        case "FROM" where before != "DISTINCT": lists[lists.count - 1] = true
        case "USING" where cursor.word != "(" || cursor.peek(1) == "SELECT": lists[lists.count - 1] = true
        case "SELECT", "WHERE", "GROUP", "ORDER", "SET", "HAVING", "LIMIT", "VALUES", "RETURNING", "UNION":
          lists[lists.count - 1] = false
        default: break
        }
        verb = SQLPart.verb(word, before, lists[lists.count - 1], verb)
        continue
      }
      verb = nil
    }
    return found
  }

  private static func verb(_ word: String, _ before: String, _ isInList: Bool, _ verb: String?) -> String? {
    switch word {
    case "FROM", "USING": isInList ? word : nil
    case "JOIN", "INTO": word
    case "COPY": before.isEmpty ? "INTO" : nil
    case "UPDATE": ["FOR", "KEY", "DO", "ON", "NO", "OR"].contains(before) ? nil : word
    case ",": isInList ? "FROM" : nil
    case "ONLY", "LATERAL", "(": verb
    default: nil
    }
  }

  private func table(_ cursor: inout SQLCursor, behind verb: String) -> SQLName? {
    let keywords: Set<String> = ["ONLY", "LATERAL", "SELECT", "WITH", "VALUES", "ROWS", "UNNEST"]
    guard let word = cursor.word, !keywords.contains(word), let name = cursor.qualifiedName() else {
      return nil
    }
    // A function, unless the columns of INSERT follow.
    return cursor.word == "(" && verb != "INTO" ? nil : name
  }

  /// Whether it asks for one value of a column: `column = value`, joined with others by AND.
  func asks(for column: String, in part: Range<Int>? = nil) -> Bool {
    var cursor = SQLCursor(statement, part ?? range)
    while let word = cursor.word, word != "WHERE" { cursor.skipItem() }
    guard cursor.take("WHERE") else { return false }
    let ends: Set<String> = [
      "GROUP", "ORDER", "LIMIT", "OFFSET", "FOR", "RETURNING", "HAVING", "WINDOW", "UNION", "FETCH", "LOOP",
    ]
    var terms: [Range<Int>] = []
    var start = cursor.place
    while let word = cursor.word, !ends.contains(word) {
      if word == "OR" { return false }
      if word == "AND" {
        terms.append(start..<cursor.place)
        start = cursor.place + 1
      }
      cursor.skipItem()
    }
    terms.append(start..<min(cursor.place, cursor.end))
    return terms.contains { isValue(of: column, $0) }
  }

  private func isValue(of column: String, _ term: Range<Int>) -> Bool {
    guard let equals = term.first(where: { statement.words[$0] == "=" }) else { return false }
    let (left, right) = (term.lowerBound..<equals, equals + 1..<term.upperBound)
    return isColumn(column, left) && isPlain(right) || isColumn(column, right) && isPlain(left)
  }

  /// Whether tokens are a column, alone or behind the name of its table.
  func isColumn(_ column: String, _ range: Range<Int>) -> Bool {
    guard let last = range.last, statement.name(at: last) == column else { return false }
    return range.count == 1 || range.count > 2 && statement.words[last - 1] == "."
  }

  /// Whether tokens are a constant, with a cast or without, or a variable; in parentheses or not.
  private func isPlain(_ range: Range<Int>) -> Bool {
    var places = range.filter { statement.words[$0] != "(" && statement.words[$0] != ")" }
    guard let first = places.first.map({ statement.words[$0] }) else { return false }
    let isNumber = first == "-" || first == "$" || first.first?.isNumber == true
    if isNumber || first.hasPrefix("'"), let cast = places.firstIndex(where: { statement.words[$0] == ":" }) {
      places.removeSubrange(cast...)
    }
    if isNumber { return places.dropFirst().allSatisfy { statement.words[$0].allSatisfy(\.isNumber) } }
    let isName = places.count == 3 && statement.words[places[1]] == "."
    return places.count == 1 || isName
  }

  /// The parts of a query between UNION, INTERSECT and EXCEPT.
  func arms(_ query: Range<Int>) -> [Range<Int>] {
    var cursor = SQLCursor(statement, query)
    var arms: [Range<Int>] = []
    var start = query.lowerBound
    while let word = cursor.word {
      if ["UNION", "INTERSECT", "EXCEPT"].contains(word) {
        arms.append(start..<cursor.place)
        start = cursor.place + 1
      }
      cursor.skipItem()
    }
    return arms + [min(start, query.upperBound)..<query.upperBound]
  }

  /// What a SELECT gives, by commas; nil where it is not one, or gives all columns of a table.
  func items(_ arm: Range<Int>) -> [Range<Int>]? {
    var cursor = SQLCursor(statement, arm)
    cursor.skip(["ALL"])
    guard cursor.take("SELECT") else { return nil }
    cursor.skip(["ALL", "DISTINCT"])
    let start = cursor.place
    while let word = cursor.word, word != "FROM" { cursor.skipItem() }
    let items = SQLCursor(statement, start..<min(cursor.place, arm.upperBound)).pieces()
    return items.contains { statement.words[$0].last == "*" } ? nil : items
  }

  /// What a column that a SELECT gives is called; nil where that is left to the server.
  func title(_ item: Range<Int>) -> String? {
    guard let last = item.last, let name = statement.name(at: last) else { return nil }
    if item.count == 1 { return name }
    let before = statement.words[last - 1]
    if before == "AS" || before == "." { return name }
    let isOperand = statement.tokens[last - 1].kind == .mark && before != ")" && before != "]"
    return isOperand || name == "end" ? nil : name
  }

  /// The parentheses that a token is in, without them; the whole where it is in none.
  func surroundings(of place: Int) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    var open: [Int] = []
    for here in range {
      if statement.words[here] == "(" { open.append(here) }
      guard statement.words[here] == ")", let from = open.popLast() else { continue }
      if from < place, here > place, from >= start {
        (start, end) = (from + 1, here)
        break
      }
    }
    return start..<end
  }
}
