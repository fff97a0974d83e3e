import PostgreSQL

/// An aggregate that follows changes without looking at the rows that have not changed.
struct SumsAggregate {
  /// Which of them.
  enum Function: String {
    case count = "COUNT", sum = "SUM", avg = "AVG", min = "MIN", max = "MAX", boolOr = "BOOL_OR"
    case boolAnd = "BOOL_AND", every = "EVERY"
    /// COUNT(DISTINCT ...).
    case countDistinct = "COUNT DISTINCT"
  }

  /// What is stored of a group for it: a column.
  struct Part {
    /// How changes of it are put together.
    enum Kind {
      /// Rows or values, which are counted.
      case count
      /// A sum of values.
      case sum
      /// The smallest or greatest value.
      case extreme
      /// How many values there are that differ, each of which is kept with how often it is there.
      case distinct
    }

    /// The column's name.
    let name: String
    let kind: Kind
    /// The aggregate that gives it, without its FILTER.
    let call: String
    /// The condition of its FILTER; nil without.
    let filter: String?

    /// What gives it of some rows: an expression.
    var expression: String { filter.map { "\(call) FILTER (WHERE \($0))" } ?? call }

    /// What gives it of those of the rows that a condition holds for.
    func expression(where condition: String) -> String {
      "\(call) FILTER (WHERE \(filter.map { "(\($0)) AND " } ?? "")\(condition))"
    }

    /// min or max, where it is one.
    var extreme: String? { kind == .extreme ? String(call.prefix(3)) : nil }
  }

  let function: Function
  /// What it is of; `*` or an expression.
  let argument: String
  /// The condition of its FILTER; nil without.
  let filter: String?
  /// Its place in the SELECT, from 1.
  let number: Int

  /// It counts all rows of a group, which is stored in any case.
  private var isOfRows: Bool { function == .count && argument == "*" && filter == nil }

  /// What is stored of a group for it.
  var parts: [Part] {
    if isOfRows { return [] }
    // In this order, as the server has it: what the condition leaves out may have no value.
    func found(_ argument: String) -> Part {
      let isFound = filter.map { "CASE WHEN \($0) THEN \(argument) END" } ?? argument
      return Part(name: "t\(number)", kind: .count, call: "count(*)", filter: isFound)
    }
    let values = Part(name: "c\(number)", kind: .count, call: "count(\(argument))", filter: filter)
    switch function {
    case .count: return [values]
    case .countDistinct:
      return [Part(name: "d\(number)", kind: .distinct, call: "count(DISTINCT \(argument))", filter: filter)]
    case .sum, .avg:
      return [values, Part(name: "s\(number)", kind: .sum, call: "sum(\(argument))", filter: filter)]
    case .boolOr: return [values, found("(\(argument))")]
    case .boolAnd, .every: return [values, found("NOT (\(argument))")]
    case .min, .max:
      let call = "\(function.rawValue.lowercased())(\(argument))"
      return [Part(name: "m\(number)", kind: .extreme, call: call, filter: filter)]
    }
  }

  /// A value that is left out where the FILTER leaves its row out: an expression.
  var filtered: String { filter.map { "CASE WHEN \($0) THEN \(argument) END" } ?? argument }

  /// Its value of what is stored: an expression.
  /// - Parameter isInterval: what it adds up are intervals.
  /// - Returns: the expression, over a row `rivulet_sums`.
  func value(isInterval: Bool) -> String {
    let (count, sum) = ("rivulet_sums.c\(number)", "rivulet_sums.s\(number)")
    switch function {
    case .count: return isOfRows ? "rivulet_sums.\(SumsShape.rows)" : count
    case .sum: return "(CASE WHEN \(count) > 0 THEN \(sum) END)"
    // As the server's own does it.
    case .avg where isInterval: return "(CASE WHEN \(count) > 0 THEN \(sum) / \(count)::float8 END)"
    case .avg: return "(CASE WHEN \(count) > 0 THEN \(sum)::numeric / \(count)::numeric END)"
    case .boolOr: return "(CASE WHEN \(count) > 0 THEN rivulet_sums.t\(number) > 0 END)"
    case .boolAnd, .every: return "(CASE WHEN \(count) > 0 THEN rivulet_sums.t\(number) = 0 END)"
    case .min, .max: return "rivulet_sums.m\(number)"
    case .countDistinct: return "rivulet_sums.d\(number)"
    }
  }

  /// Why sums of values of a type are not exact in another order, or have no sum; nil where they are.
  func objection(to type: ColumnType) -> String? {
    let name = type.name
    let isFixed = name.hasPrefix("numeric(")
    switch function {
    case .count, .boolOr, .boolAnd, .every: return nil
    case .countDistinct:
      return DistinctValues.canKeep(type) ? nil : "values of \(name) may be too long for an index"
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
