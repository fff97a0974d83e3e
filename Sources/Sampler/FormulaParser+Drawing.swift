import Definitions
import Values

// Functions that pick from lists, and those of numbers and days that mean something.
extension FormulaParser {
  /// `pick(city.name)`: a text of a column of a table whose rows are written out; `pick(city.name, n)` that
  /// of the row of a number, counted from 0 and over again.
  mutating func pick() throws(FormulaError) -> Formula {
    guard case .name(let name)? = next else {
      throw FormulaError("'pick' takes a column of a table of items, such as city.name")
    }
    guard let texts = pool.lists[name], !texts.isEmpty else {
      throw FormulaError(
        "unknown list '\(name)'",
        hint: NearestName.hint(name, among: pool.lists.keys.sorted(), called: "the tables of items have"))
    }
    position += 1
    let count = UInt64(texts.count)
    guard take(.symbol(",")) else {
      try need(")")
      return Formula(kind: .text) { texts[Int($0.random.next(below: count))] }
    }
    let number = try whole(try alternatives())
    try need(")")
    return Formula(kind: .text) { texts[Int(number.value(&$0).magnitude % UInt64(count))] }
  }

  /// `scatter(n, 1000)`: the numbers below a bound in another order, each once.
  mutating func scatter() throws(FormulaError) -> Formula {
    let number = try whole(try alternatives())
    let bound = try last(
      "'scatter' takes a whole number and a bound from 2 to 1000000000", afterComma: true
    ) { word -> Int64? in
      guard case .number(let bound, scale: 0) = word, (2...1_000_000_000).contains(bound) else { return nil }
      return bound
    }
    let factor = Self.coprime(to: bound)
    return Formula(kind: .number(scale: 0)) {
      let rest = number.value(&$0) % bound
      return (rest < 0 ? rest + bound : rest) * factor % bound
    }
  }

  /// A number near the golden section of a bound that shares no divisor with it.
  private static func coprime(to bound: Int64) -> Int64 {
    func divisor(_ one: Int64, _ other: Int64) -> Int64 { other == 0 ? one : divisor(other, one % other) }
    var factor = max(1, bound * 618 / 1000 + 1)
    while divisor(bound, factor) != 1 { factor += 1 }
    return factor
  }

  /// `days('2025-11-09')`: the days from the first of January 1970 to a date.
  mutating func days() throws(FormulaError) -> Formula {
    let days = try last("'days' takes a date such as '2025-11-09'") {
      $0.text.flatMap(CalendarDay.days(iso:))
    }
    return .constant(days, .number(scale: 0))
  }

  /// `date(n, 'MM/DD/YYYY')`: the date so many days after the first of January 1970, and how it is written.
  mutating func date() throws(FormulaError) -> Formula {
    let number = try whole(try alternatives())
    let forms = ValueType.DateOrder.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    let order = try last("'date' takes days and one of the forms \(forms)", afterComma: true) {
      $0.text.flatMap(ValueType.DateOrder.init(rawValue:))
    }
    return Formula(kind: .date(order), value: number.value)
  }
}
