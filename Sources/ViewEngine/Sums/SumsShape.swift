import Definitions
import PostgreSQL

/// Why a view's changes cannot be added up, so that its groups are computed from their rows: words that can
/// follow "since".
struct SumsObstacle: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// A view's SELECT taken apart, where it counts and adds up the rows of one table by keys.
///
/// What it gives of some rows, and what it gives of others, add up to what it gives of both. So the SELECT is
/// asked of the rows that a statement has changed, in the place of the table.
struct SumsShape {
  /// The table, `schema.name`.
  let source: String
  /// The columns of the key.
  let key: [String]
  /// The expressions of the result over the columns of the key and what is stored of each aggregate, whose
  /// values are left to be filled in.
  let items: [(phrase: SQLPhrase, range: Range<Int>, aggregates: [(Range<Int>, SumsAggregate)])]
  let aggregates: [SumsAggregate]
  /// What the SELECT calls the groups, and the table.
  let names: (keys: String, source: String)
  /// What comes behind the table: how it is joined to the groups, and conditions.
  let rest: String
  /// Which groups a row means, a SELECT, and of which of its columns.
  let keysOfRow: String
  let capture: [String]

  /// How often there are rows of a group.
  static let rows = "rivulet_rows"
  private static let marker = "rivulet_groups"

  /// Takes a definition apart.
  /// - Throws: ``SumsObstacle``.
  init(_ view: ViewDefinition) throws(SumsObstacle) {
    key = view.key.map(\.value)
    guard view.strategy == .incremental else { throw SumsObstacle("it is \(view.strategy.rawValue)") }
    guard !key.isEmpty else { throw SumsObstacle("it has no key") }
    guard !key.contains(where: { $0.hasPrefix("rivulet_") }) else {
      throw SumsObstacle("a column of its key has a name of the program's")
    }
    guard Set(view.unique.map(\.value)) == Set(key) else { throw SumsObstacle("a group has several rows") }
    guard view.sources.count == 1, case .groups(let capture, let keys) = view.sources[0].change else {
      throw SumsObstacle("it reads more than one table")
    }
    source = view.sources[0].name.value
    self.capture = capture.map(\.value)
    keysOfRow = keys.sql
    let asked = SQLPhrase(keys.sql)
    let from = asked.parts.firstIndex { $0.word == "FROM" && $0.depth == 0 } ?? 0
    guard asked.word(0) == "SELECT", asked.word(from + 1) == "CHANGED", from > 1,
      asked.parts.count == from + 2 || asked.word(from + 2) == "WHERE"
    else { throw SumsObstacle("'keys' is more than a SELECT from changed with a WHERE") }

    let phrase = SQLPhrase(view.sql(keys: Self.marker))
    let marked = phrase.parts.firstIndex { $0.text == Self.marker } ?? 0
    guard phrase.word(0) == "SELECT", !["DISTINCT", "ALL"].contains(phrase.word(1)), marked > 1,
      phrase.word(marked - 1) == "FROM", phrase.parts[marked].depth == 0
    else { throw SumsObstacle("it is not a SELECT of aggregates FROM {keys}") }
    guard let group = phrase.parts.lastIndex(where: { $0.word == "GROUP" && $0.depth == 0 }), group > marked
    else { throw SumsObstacle("its rows are not grouped in the SELECT itself") }
    for word in ["HAVING", "ORDER", "LIMIT", "OFFSET", "FETCH", "WINDOW", "UNION", "INTERSECT", "EXCEPT"]
    where phrase.parts.contains(where: { $0.word == word && $0.depth == 0 }) {
      throw SumsObstacle("it has \(word)")
    }

    var next = marked + 1
    func alias(or name: String) -> String {
      if phrase.word(next) == "AS" { next += 1 }
      let ends: Set = [
        "", "JOIN", "INNER", "CROSS", "LEFT", "RIGHT", "FULL", "NATURAL", "ON", "USING", "WHERE", "GROUP",
      ]
      if ends.contains(phrase.word(next)) { return name }
      next += 1
      return phrase[next - 1]
    }
    let groups = alias(or: Self.marker)
    if phrase.word(next) == "INNER" { next += 1 }
    guard phrase.word(next) == "JOIN" else { throw SumsObstacle("{keys} is not joined to the table first") }
    next += 1
    let start = next
    while next + 1 < phrase.parts.count, phrase[next + 1] == "." { next += 2 }
    let table = phrase[next]
    next += 1
    guard phrase.text(start..<next).filter({ $0 != "\"" }) == source else {
      throw SumsObstacle("{keys} is not joined to \(source) first")
    }
    names = (groups, alias(or: table))
    rest = phrase.text(next..<group)
    for index in next..<group where ["RIGHT", "FULL"].contains(phrase.word(index)) {
      if ["JOIN", "OUTER"].contains(phrase.word(index + 1)) { throw SumsObstacle("it has an outer join") }
    }
    let join = GroupJoin(SQLPhrase(rest), source: names.source, groups: groups)
    guard join.follows(asked, key) else {
      throw SumsObstacle("its text does not tell that a row is of the groups alone that 'keys' gives for it")
    }
    let found = try phrase.list(1..<(marked - 1)).map { range throws(SumsObstacle) in
      (phrase: phrase, range: range, aggregates: try Self.aggregates(phrase, range))
    }
    var number = 0
    items = found.map { item in
      (
        item.phrase, item.range,
        item.aggregates.map { place, aggregate in
          number += 1
          return (
            place,
            SumsAggregate(
              function: aggregate.function, argument: aggregate.argument, filter: aggregate.filter,
              number: number)
          )
        }
      )
    }
    aggregates = items.flatMap { $0.aggregates.map(\.1) }
    try Self.check(grouping: phrase, (group + 2)..<phrase.parts.count, items.map(\.range), groups, key)
  }

  /// The aggregates of an item of the SELECT and their places, not yet numbered.
  private static func aggregates(
    _ phrase: SQLPhrase, _ range: Range<Int>
  ) throws(SumsObstacle) -> [(Range<Int>, SumsAggregate)] {
    var found: [(Range<Int>, SumsAggregate)] = []
    var index = range.lowerBound
    while index < range.upperBound {
      guard let function = SumsAggregate.Function(rawValue: phrase.word(index)), phrase[index + 1] == "(",
        index == range.lowerBound || phrase[index - 1] != ".", let close = phrase.closing(index + 1)
      else {
        index += 1
        continue
      }
      let inside = (index + 2)..<close
      let name = phrase[index].lowercased()
      if phrase.word(index + 2) == "DISTINCT" { throw SumsObstacle("it has \(name)(DISTINCT)") }
      if inside.contains(where: {
        phrase.word($0) == "ORDER" && phrase.parts[$0].depth == phrase.parts[index].depth + 1
      }) {
        throw SumsObstacle("it has \(name)(... ORDER BY)")
      }
      var end = close + 1
      var filter: String?
      if phrase.word(end) == "FILTER", phrase.word(end + 2) == "WHERE", let last = phrase.closing(end + 1) {
        filter = phrase.text((end + 3)..<last)
        end = last + 1
      }
      if phrase.word(end) == "OVER" { throw SumsObstacle("it has window functions") }
      let aggregate = SumsAggregate(
        function: function, argument: phrase.text(inside), filter: filter, number: 0)
      found.append((index..<end, aggregate))
      index = end
    }
    return found
  }

  /// What it is grouped by must be the key, by name or by place, and the result must have it under its name.
  private static func check(
    grouping phrase: SQLPhrase, _ range: Range<Int>, _ items: [Range<Int>], _ groups: String, _ key: [String]
  ) throws(SumsObstacle) {
    func column(_ range: Range<Int>) -> String? {
      var words = range.map { phrase[$0] }
      if words.count > 2, words[1] == ".", words[0] == groups { words.removeFirst(2) }
      // Under another name it is not the key's.
      if words.count == 3, words[1].uppercased() == "AS", words[2] == words[0] { words = [words[0]] }
      return words.count == 1 ? words[0].filter { $0 != "\"" } : nil
    }
    let columns = phrase.list(range).map { range -> String? in
      if let place = Int(phrase.text(range)), items.indices.contains(place - 1) {
        return column(items[place - 1])
      }
      return column(range)
    }
    let shown = Set(items.compactMap(column))
    guard columns.allSatisfy({ $0 != nil }), Set(columns.compactMap(\.self)) == Set(key),
      shown.isSuperset(of: key)
    else {
      throw SumsObstacle("it is not grouped by its key")
    }
  }
}
