import PostgreSQL

/// An aggregate that follows changes without looking at the rows that have not changed.
struct SumsAggregate {
  /// Which of them.
  enum Function: String {
    case count = "COUNT", sum = "SUM", avg = "AVG", min = "MIN", max = "MAX", boolOr = "BOOL_OR"
    case boolAnd = "BOOL_AND", every = "EVERY"
  }

  /// What is stored of a group for it: a column.
  struct Part {
    /// The column's name.
    let name: String
    /// What gives it of some rows, as an aggregate of the SELECT's own.
    let expression: String
    /// min or max, where it is one; else it adds up.
    let extreme: String?
  }

  let function: Function
  /// What it is of; `*` or an expression.
  let argument: String
  /// The condition of its FILTER; nil without.
  let filter: String?
  /// Its place in the SELECT, from 1.
  let number: Int

  private var where_: String { filter.map { " FILTER (WHERE \($0))" } ?? "" }

  /// What is stored of a group.
  var parts: [Part] {
    // In this order, as the server has it: what the condition leaves out may have no value.
    func found(_ argument: String) -> String {
      "count(*) FILTER (WHERE \(filter.map { "CASE WHEN \($0) THEN \(argument) END" } ?? argument))"
    }
    let values = Part(name: "c\(number)", expression: "count(\(argument))\(where_)", extreme: nil)
    switch function {
    case .count: return [values]
    case .sum, .avg:
      return [values, Part(name: "s\(number)", expression: "sum(\(argument))\(where_)", extreme: nil)]
    case .boolOr:
      return [values, Part(name: "t\(number)", expression: found("(\(argument))"), extreme: nil)]
    case .boolAnd, .every:
      return [values, Part(name: "t\(number)", expression: found("NOT (\(argument))"), extreme: nil)]
    case .min, .max:
      let name = function.rawValue.lowercased()
      return [Part(name: "m\(number)", expression: "\(name)(\(argument))\(where_)", extreme: name)]
    }
  }

  /// Its value of what is stored: an expression.
  /// - Parameter isInterval: what it adds up are intervals.
  /// - Returns: the expression, over a row `rivulet_sums`.
  func value(isInterval: Bool) -> String {
    let (count, sum) = ("rivulet_sums.c\(number)", "rivulet_sums.s\(number)")
    switch function {
    case .count: return count
    case .sum: return "(CASE WHEN \(count) > 0 THEN \(sum) END)"
    // As the server's own does it.
    case .avg where isInterval: return "(CASE WHEN \(count) > 0 THEN \(sum) / \(count)::float8 END)"
    case .avg: return "(CASE WHEN \(count) > 0 THEN \(sum)::numeric / \(count)::numeric END)"
    case .boolOr: return "(CASE WHEN \(count) > 0 THEN rivulet_sums.t\(number) > 0 END)"
    case .boolAnd, .every: return "(CASE WHEN \(count) > 0 THEN rivulet_sums.t\(number) = 0 END)"
    case .min, .max: return "rivulet_sums.m\(number)"
    }
  }

  /// Why sums of values of a type are not exact in another order, or have no sum; nil where they are.
  func objection(to type: ColumnType) -> String? {
    let name = type.name
    let isFixed = name.hasPrefix("numeric(")
    switch function {
    case .count, .boolOr, .boolAnd, .every: return nil
    case .sum, .avg:
      if ["smallint", "integer", "bigint"].contains(name) || name.hasPrefix("interval") || isFixed {
        return nil
      }
      if name == "numeric" { return "the sum of a numeric without a scale of its own has that of its rows" }
      return "a sum of \(name) is not the same in another order"
    case .min, .max:
      return type.isExact && name != "bpchar" || isFixed ? nil : "values of \(name) may be equal and differ"
    }
  }
}
