/// How a SELECT joins a table to its groups, as far as that follows from its text.
///
/// Changes are added to the groups that `keys` says of a row by itself. That is what the SELECT gives where it
/// joins a row to those groups and no others: for each column of the key it must say that the row's value
/// equals the group's, and a condition of `keys` it must have, too.
struct GroupJoin {
  /// What holds of every row that is joined, each as its tokens.
  private let conditions: Set<[String]>
  /// The columns of USING.
  private let shared: Set<String>
  private let groups: String

  /// - Parameters:
  ///   - rest: what comes behind the table in FROM.
  ///   - source: the table's name there; it may be left out before its columns.
  ///   - groups: that of the groups.
  init(_ rest: SQLPhrase, source: String, groups: String) {
    self.groups = groups.lowercased()
    var conditions: Set<[String]> = []
    var shared: Set<String> = []
    let joins: Set = ["JOIN", "INNER", "CROSS", "NATURAL", "WHERE"]
    func ends(_ index: Int) -> Bool {
      guard rest.parts[index].depth == 0 else { return false }
      return joins.contains(rest.word(index)) || rest.word(index) == "LEFT" && rest[index + 1] != "("
    }
    let end = rest.parts.indices.first(where: ends) ?? rest.parts.count
    if rest.word(0) == "ON" { conditions.formUnion(Self.conjuncts(rest, 1..<end, source)) }
    if rest.word(0) == "USING" { shared = Set((1..<end).map { rest[$0].lowercased() }) }
    if let place = rest.parts.indices.first(where: { rest.word($0) == "WHERE" && rest.parts[$0].depth == 0 })
    {
      conditions.formUnion(Self.conjuncts(rest, (place + 1)..<rest.parts.count, source))
    }
    self.conditions = conditions
    self.shared = shared
  }

  /// Whether a row is of those groups alone whose key's columns equal some expressions over the row's, and of
  /// none where a condition does not hold.
  /// - Parameters:
  ///   - keys: a SELECT of the expressions from `changed`, with a condition or without.
  ///   - columns: those of the key.
  /// - Returns: whether that is so.
  func follows(_ keys: SQLPhrase, _ columns: [String]) -> Bool {
    guard let from = keys.parts.firstIndex(where: { $0.word == "FROM" && $0.depth == 0 }) else {
      return false
    }
    let values = keys.list(1..<from).map { Self.tokens(keys, $0, "changed") }
    guard values.count == columns.count else { return false }
    // What they bind weaker than an equality: `a = b IS NULL` is `(a = b) IS NULL`.
    let weak: Set = ["is", "isnull", "notnull", "not", "=", "<", ">"]
    guard weak.isDisjoint(with: values.joined()) else { return false }
    for (column, value) in zip(columns.map { $0.lowercased() }, values) {
      if value == [column], shared.contains(column) { continue }
      let group = [groups, ".", column]
      let equal = ["="], alike = ["is", "not", "distinct", "from"]
      let isSaid = [equal, alike].contains {
        conditions.contains(value + $0 + group) || conditions.contains(group + $0 + value)
      }
      if !isSaid { return false }
    }
    guard keys.parts.count > from + 2 else { return true }
    let wanted = Self.conjuncts(keys, (from + 3)..<keys.parts.count, "changed")
    return !wanted.isEmpty && wanted.isSubset(of: conditions)
  }

  /// What AND holds together; nothing where OR is beside it.
  private static func conjuncts(_ phrase: SQLPhrase, _ range: Range<Int>, _ source: String) -> Set<[String]> {
    guard let depth = range.first.map({ phrase.parts[$0].depth }) else { return [] }
    func isWord(_ index: Int, _ word: String) -> Bool {
      phrase.word(index) == word && phrase.parts[index].depth == depth
    }
    if range.contains(where: { isWord($0, "OR") || isWord($0, "BETWEEN") || isWord($0, "CASE") }) {
      return []
    }
    let ands = range.filter { isWord($0, "AND") }
    let starts = [range.lowerBound] + ands.map { $0 + 1 }
    return Set(zip(starts, ands + [range.upperBound]).map { tokens(phrase, $0..<$1, source) })
  }

  /// The tokens without the table's name before its columns, and in small letters where they are words.
  private static func tokens(_ phrase: SQLPhrase, _ range: Range<Int>, _ source: String) -> [String] {
    var found: [String] = []
    var index = range.lowerBound
    while index < range.upperBound {
      if phrase[index].lowercased() == source.lowercased(), phrase[index + 1] == "." {
        index += 2
        continue
      }
      found.append(phrase.word(index).isEmpty ? phrase[index] : phrase[index].lowercased())
      index += 1
    }
    return found
  }
}
