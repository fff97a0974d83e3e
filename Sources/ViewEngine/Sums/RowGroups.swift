import Definitions
import PostgreSQL

/// Which groups a changed row means, where that follows from the row alone: the statement that changes rows
/// can add them up by group itself.
struct RowGroups {
  /// What the SELECT calls the groups, and the table.
  private let names: (groups: String, table: String)
  /// The columns of the key, quoted, with commas.
  private let keyList: String
  /// Which groups a row means: the SELECT, and the place of `changed` in it.
  private let asked: (phrase: SQLPhrase, changed: Int)
  /// Of which of the row's columns.
  private let capture: [String]
  /// What comes behind the table: how it is joined to the groups, and conditions.
  private let rest: String

  /// - Parameters:
  ///   - view: the view, which has one source.
  ///   - names: what its SELECT calls the groups, and the table.
  ///   - rest: what comes behind the table, which is joined to the groups first.
  /// - Throws: ``SumsObstacle`` where a row's groups do not follow from it alone.
  init(
    _ view: ViewDefinition, _ names: (groups: String, table: String), rest: String
  ) throws(SumsObstacle) {
    guard view.sources.count == 1, case .groups(let capture, let keys) = view.sources[0].change else {
      throw SumsObstacle("it reads more than one table")
    }
    let asked = SQLPhrase(keys.sql)
    let from = asked.parts.firstIndex { $0.word == "FROM" && $0.depth == 0 } ?? 0
    guard asked.word(0) == "SELECT", asked.word(from + 1) == "CHANGED", from > 1,
      asked.parts.count == from + 2 || asked.word(from + 2) == "WHERE"
    else { throw SumsObstacle("'keys' is more than a SELECT from changed with a WHERE") }
    let join = GroupJoin(SQLPhrase(rest), source: names.table, groups: names.groups)
    guard join.follows(asked, view.key.map(\.value)) else {
      throw SumsObstacle("its text does not tell that a row is of the groups alone that 'keys' gives for it")
    }
    self.names = names
    self.rest = rest
    keyList = KeysQuery.list(view.key.map(\.value))
    self.asked = (asked, from + 1)
    self.capture = capture.map(\.value)
  }

  /// The rows of a table, each with the groups that it means: a FROM, and what comes behind it.
  /// - Parameter table: one with the source's columns, quoted.
  /// - Returns: the FROM.
  func from(_ table: String) -> String {
    let row = capture.map { "\(names.table).\(Quote.identifier($0))" }.joined(separator: ", ")
    // A query in the place of `changed` becomes part of the one around it; one named by WITH would be done for
    // each row by itself, ten times as slow, and by one process alone.
    let keys = asked.phrase.text(
      asked.phrase.parts.indices,
      replacing: [(asked.changed..<asked.changed + 1, "(SELECT \(row)) changed")])
    return "FROM \(table) AS \(names.table) JOIN LATERAL (\(keys)) \(names.groups)(\(keyList)) \(rest)"
  }

  /// The columns of an index that has the key and then a value, as far as the text says it.
  func indexColumns(with value: String) -> String {
    let value = value.replacing("\(names.table).", with: "")
    let isName = value.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return (capture.map(Quote.identifier) + [isName ? value : "(\(value))"]).joined(separator: ", ")
  }
}
