/// What a FROM reads, as far as that follows from its text.
struct FromItems {
  private let phrase: SQLPhrase
  private let range: Range<Int>

  /// - Parameters:
  ///   - phrase: the SELECT.
  ///   - range: from FROM to what comes behind it, with its WHERE.
  init(_ phrase: SQLPhrase, _ range: Range<Int>) {
    self.phrase = phrase
    self.range = range
  }

  /// The alias that is written at a place, and the place behind it.
  /// - Parameters:
  ///   - start: the place behind a table.
  ///   - name: what the table is called without an alias.
  /// - Returns: the name, and the place behind it.
  func alias(after start: Int, or name: String) -> (name: String, end: Int) {
    let next = phrase.word(start) == "AS" ? start + 1 : start
    let ends: Set = [
      "", "JOIN", "INNER", "CROSS", "LEFT", "RIGHT", "FULL", "NATURAL", "ON", "USING", "WHERE", "GROUP",
    ]
    return ends.contains(phrase.word(next)) ? (name, next) : (phrase[next], next + 1)
  }

  /// The one place where a table is read, whose rows the SELECT adds up.
  /// - Parameter table: `schema.name`.
  /// - Returns: what it is called there, and its place with its alias.
  /// - Throws: ``SumsObstacle`` where it is read in none or several, or behind an outer join.
  func only(_ table: String) throws(SumsObstacle) -> (alias: String, start: Int, end: Int) {
    for index in range where phrase.parts[index].depth == 0 {
      if ["RIGHT", "FULL"].contains(phrase.word(index)), ["JOIN", "OUTER"].contains(phrase.word(index + 1)) {
        throw SumsObstacle("it has an outer join")
      }
      if phrase.word(index) == "NATURAL" { throw SumsObstacle("it has a NATURAL join") }
    }
    let places = range.compactMap { start -> Range<Int>? in
      guard phrase.parts[start].depth == 0, phrase.word(start - 1) == "JOIN" || phrase[start - 1] == ","
      else {
        return nil
      }
      var end = start + 1
      while phrase[end] == "." { end += 2 }
      return end <= range.upperBound && phrase.text(start..<end).filter { $0 != "\"" } == table
        ? start..<end : nil
    }
    guard places.count == 1, let place = places.first else {
      throw SumsObstacle("it does not read \(table) in FROM, once")
    }
    if ["LEFT", "OUTER"].contains(phrase.word(place.lowerBound - 2)) {
      throw SumsObstacle("it has an outer join")
    }
    // A join whose ON is still to come has the table within itself.
    let before = range.filter { $0 < place.lowerBound - 1 && phrase.parts[$0].depth == 0 }
    let open = before.count { phrase.word($0) == "JOIN" && phrase.word($0 - 1) != "CROSS" }
    guard open == before.count(where: { ["ON", "USING"].contains(phrase.word($0)) }) else {
      throw SumsObstacle("it has a join within another")
    }
    let alias = alias(after: place.upperBound, or: phrase[place.upperBound - 1])
    if phrase[alias.end] == "(" { throw SumsObstacle("it has names of its own for the columns of \(table)") }
    return (alias.name, place.lowerBound, alias.end)
  }

  /// Whether a table is looked up by columns that distinguish its rows: each is said to equal something.
  /// - Parameters:
  ///   - alias: what the table is called.
  ///   - columns: the columns.
  /// - Returns: whether that is so.
  func isLookedUp(_ alias: String, by columns: [String]) -> Bool {
    columns.allSatisfy { column in
      range.contains { place in
        guard phrase[place].lowercased() == alias.lowercased(), phrase[place + 1] == ".",
          phrase[place + 2].filter({ $0 != "\"" }) == column
        else { return false }
        return phrase[place + 3] == "=" || phrase[place - 1] == "="
      }
    }
  }
}
