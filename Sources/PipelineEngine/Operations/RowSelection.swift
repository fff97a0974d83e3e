import PostgreSQL

/// Which rows of a query are asked for, and in which order.
public struct RowSelection: Sendable {
  /// A column, and what it must hold; an empty text stands for nothing.
  public struct Condition: Sendable {
    let column: String
    let value: String

    /// A condition on a column.
    public init(column: String, value: String) { (self.column, self.value) = (column, value) }
  }

  /// A column that rows are ordered by.
  public struct Order: Sendable {
    let column: String
    let isDescending: Bool

    /// An order by a column.
    public init(column: String, isDescending: Bool) {
      (self.column, self.isDescending) = (column, isDescending)
    }
  }

  private let conditions: [Condition]
  private let orders: [Order]
  private let limit: Int?

  /// Rows for which all conditions hold, at most so many; without anything, all of them as the query has them.
  public init(_ conditions: [Condition] = [], by orders: [Order] = [], limit: Int? = nil) {
    (self.conditions, self.orders, self.limit) = (conditions, orders, limit)
  }

  var isEverything: Bool { conditions.isEmpty && orders.isEmpty && limit == nil }

  /// The columns it names.
  var columns: [String] { conditions.map(\.column) + orders.map(\.column) }

  /// The values of its parameters, whose numbers follow those of the query.
  var values: [String] { conditions.map(\.value).filter { !$0.isEmpty } }

  /// Refuses values that are none of their columns' types, before the server does amid the rows.
  func checkValues(_ types: [String: String], on connection: Connection) throws {
    for condition in conditions where !condition.value.isEmpty {
      guard let type = types[condition.column], type != "json" else { continue }
      try condition.check(type, on: connection)
    }
  }

  /// The SELECT of the chosen rows of another.
  ///
  /// A row in which the query says why it has no answer is always there, and first.
  /// - Parameters:
  ///   - sql: the other SELECT, which begins on the second line.
  ///   - parameters: how many parameters it has.
  ///   - types: the types of the columns that conditions name, as SQL writes them.
  ///   - refusal: the column of such a row; nil where the query has none.
  /// - Returns: the SELECT, whose parameters are those of the other and then ``values``.
  func query(of sql: String, parameters: Int, types: [String: String], refusal: String?) -> String {
    var tests: [String] = []
    var number = parameters
    for condition in conditions {
      let column = Quote.identifier(condition.column)
      guard !condition.value.isEmpty else {
        tests.append("coalesce(\(column)::text, '') = ''")
        continue
      }
      number += 1
      let type = types[condition.column] ?? "text"
      // JSON has no order and no equality of its own.
      tests.append(type == "json" ? "\(column)::text = $\(number)" : "\(column) = $\(number)::\(type)")
    }
    let isRefused = refusal.map { "\(Quote.identifier($0)) IS NOT NULL" }
    var text = "SELECT * FROM (\n\(sql)\n) chosen"
    if !tests.isEmpty {
      let all = tests.joined(separator: " AND ")
      text += " WHERE " + (isRefused.map { "\(all) OR \($0)" } ?? all)
    }
    let order =
      orders.map { "\(Quote.identifier($0.column))\($0.isDescending ? " DESC NULLS LAST" : "")" }
    let isCut = limit != nil || !orders.isEmpty
    let first = isCut ? isRefused.map { ["\($0) DESC"] } ?? [] : []
    if !(first + order).isEmpty { text += " ORDER BY " + (first + order).joined(separator: ", ") }
    if let limit { text += " LIMIT \(limit)" }
    return text
  }
}

extension RowSelection.Condition {
  /// Refuses a value that is none of a type.
  fileprivate func check(_ type: String, on connection: Connection) throws {
    do {
      _ = try connection.query("SELECT $1::\(type)", [.text(value)])
    } catch {
      guard error.sqlState?.hasPrefix("22") == true else { throw error }
      throw QueryRun.Problem.notOfType("where \(column)", type: type)
    }
  }
}
