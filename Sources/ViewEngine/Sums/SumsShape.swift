package import Definitions
import PostgreSQL

/// Why a view's changes cannot be added up, so that its groups are computed from their rows: words that can
/// follow "since".
package struct SumsObstacle: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// What the queue of a source holds whose changes are added up.
enum AddedChanges: String {
  /// Sums by group, of each statement.
  case sums
  /// The rows that were changed, which the refresh adds up.
  case rows
}

/// A view's SELECT taken apart, where it counts and adds up the rows of a table by keys.
///
/// What it gives of some rows, and what it gives of others, add up to what it gives of both. So the SELECT is
/// asked of the rows that have changed, in the place of the table.
package struct SumsShape {
  /// The table whose changes are added up, `schema.name`.
  let source: String
  /// The columns of the key.
  let key: [String]
  /// The expressions of the result over the columns of the key and what is stored of each aggregate, whose
  /// values are left to be filled in.
  let items: [(phrase: SQLPhrase, range: Range<Int>, aggregates: [(Range<Int>, SumsAggregate)])]
  let aggregates: [SumsAggregate]
  /// What the SELECT calls the groups, and the table.
  let names: (groups: String, table: String)
  /// What comes between the groups and the table, and behind it.
  let joins: (between: String, behind: String)
  /// All groups there are: a SELECT.
  let everyGroup: String
  /// Which groups a row means by itself; nil where statements cannot add up by group what they change.
  private(set) var rowGroups: RowGroups?
  /// Why that is so; nil where they can.
  private(set) var reason: String?

  /// How often there are rows of a group.
  static let rows = "rivulet_rows"
  /// 1 of a row that came, -1 of one that went.
  static let sign = "rivulet_sign"
  private static let marker = "rivulet_groups"

  /// What its queue holds.
  var adds: AddedChanges { rowGroups == nil ? .rows : .sums }

  /// The same with the refresh adding up what has changed.
  func addingRows(because reason: String) -> SumsShape {
    var shape = self
    (shape.rowGroups, shape.reason) = (nil, reason)
    return shape
  }

  /// Takes a definition apart.
  /// - Parameters:
  ///   - view: the definition.
  ///   - source: the table whose changes are to be added up, one of its sources.
  /// - Throws: ``SumsObstacle``.
  package init(_ view: ViewDefinition, of source: String) throws(SumsObstacle) {
    key = view.key.map(\.value)
    guard view.strategy == .incremental else { throw SumsObstacle("it is \(view.strategy.rawValue)") }
    guard !key.isEmpty else { throw SumsObstacle("it has no key") }
    guard !key.contains(where: { $0.hasPrefix("rivulet_") }) else {
      throw SumsObstacle("a column of its key has a name of the program's")
    }
    guard Set(view.unique.map(\.value)) == Set(key) else { throw SumsObstacle("a group has several rows") }
    self.source = source
    everyGroup = KeysQuery(view).all

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
    if phrase.parts.indices.contains(where: { phrase[$0] == "*" && phrase[$0 - 1] == "." }) {
      throw SumsObstacle("it has all columns of a table by *")
    }
    let items = FromItems(phrase, (marked - 1)..<group)
    let groups = items.alias(after: marked + 1, or: Self.marker)
    let table = try items.only(source)
    names = (groups.name, table.alias)
    joins = (phrase.text(groups.end..<table.start), phrase.text(table.end..<group))
    let found = try phrase.list(1..<(marked - 1)).map { range throws(SumsObstacle) in
      (phrase: phrase, range: range, aggregates: try Self.aggregates(phrase, range))
    }
    var number = 0
    self.items = found.map { item in
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
    aggregates = self.items.flatMap { $0.aggregates.map(\.1) }
    try Self.check(
      grouping: phrase, (group + 2)..<phrase.parts.count, self.items.map(\.range), groups.name, key)
    do throws(SumsObstacle) {
      guard ["JOIN", "INNER JOIN"].contains(joins.between.uppercased()) else {
        throw SumsObstacle("{keys} is not joined to \(source) first")
      }
      if aggregates.contains(where: { $0.function == .countDistinct }) {
        throw SumsObstacle("it has count(DISTINCT)")
      }
      rowGroups = try RowGroups(view, names, rest: joins.behind)
    } catch {
      reason = error.reason
    }
  }

  /// The aggregates of an item of the SELECT and their places, not yet numbered.
  private static func aggregates(
    _ phrase: SQLPhrase, _ range: Range<Int>
  ) throws(SumsObstacle) -> [(Range<Int>, SumsAggregate)] {
    var found: [(Range<Int>, SumsAggregate)] = []
    var index = range.lowerBound
    while index < range.upperBound {
      guard var function = SumsAggregate.Function(rawValue: phrase.word(index)), phrase[index + 1] == "(",
        index == range.lowerBound || phrase[index - 1] != ".", let close = phrase.closing(index + 1)
      else {
        index += 1
        continue
      }
      var inside = (index + 2)..<close
      let name = phrase[index].lowercased()
      if phrase.word(index + 2) == "DISTINCT" {
        guard function == .count, phrase.list(inside).count == 1 else {
          throw SumsObstacle("it has \(name)(DISTINCT)")
        }
        function = .countDistinct
        inside = (index + 3)..<close
      }
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
