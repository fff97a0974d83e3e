import Definitions

extension FormulaParser {
  private static let functions = [
    "if", "round", "min", "max", "between", "chance", "quirk", "draw", "pick", "scatter", "luhn", "days",
    "date",
  ]

  mutating func function(_ name: String) throws(FormulaError) -> Formula {
    switch name {
    case "round": return try rounding()
    case "quirk": return try quirk()
    case "pick": return try pick()
    case "scatter": return try scatter()
    case "days": return try days()
    case "date": return try date()
    default: break
    }
    var parts: [Formula] = []
    repeat { parts.append(try alternatives()) } while take(.symbol(","))
    try need(")")
    switch (name, parts.count) {
    case ("if", 3):
      let condition = try flag(parts[0])
      let (one, other) = try alike(parts[1], parts[2])
      return Formula(kind: one.kind) { condition.value(&$0) != 0 ? one.value(&$0) : other.value(&$0) }
    case ("min", 2), ("max", 2):
      let (one, other) = try alike(try numeric(parts[0]), try numeric(parts[1]))
      return Formula.pair(one, other, one.kind) { one, other, _ in
        name == "min" ? min(one, other) : max(one, other)
      }
    case ("between", 2):
      let (low, high) = try alike(try numeric(parts[0]), try numeric(parts[1]))
      return Formula.pair(low, high, low.kind) { low, high, frame in
        let span = high > low ? UInt64(bitPattern: high &- low) &+ 1 : 1
        return low &+ Int64(truncatingIfNeeded: frame.random.next(below: span))
      }
    case ("chance", 1):
      let whole = UInt64(Formula.power(try scale(of: parts[0])))
      let share = parts[0]
      return Formula(kind: .flag) {
        let limit = share.value(&$0)
        return $0.random.next(below: whole) < UInt64(clamping: limit) ? 1 : 0
      }
    case ("draw", 2):
      let (key, bound) = (try whole(parts[0]), try whole(parts[1]))
      return Formula.pair(key, bound, .number(scale: 0)) { key, bound, frame in
        Int64(truncatingIfNeeded: frame.random.number(key, below: UInt64(clamping: bound)))
      }
    case ("luhn", 1):
      let number = try whole(parts[0])
      return Formula(kind: .number(scale: 0)) { Self.checkDigit(of: number.value(&$0)) }
    default:
      if Self.functions.contains(name) { throw FormulaError("'\(name)' does not take \(parts.count) values") }
      throw FormulaError(
        "unknown function '\(name)'", hint: NearestName.hint(name, among: Self.functions, called: "known"))
    }
  }

  /// The digit that the Luhn formula puts behind a number: with it, the digits doubled by turns from the right
  /// have a sum that ends in 0.
  private static func checkDigit(of number: Int64) -> Int64 {
    var rest = number.magnitude
    var sum: UInt64 = 0
    var isDoubled = true
    while rest > 0 {
      let digit = rest % 10
      let doubled = digit * 2
      sum += isDoubled ? (doubled > 9 ? doubled - 9 : doubled) : digit
      isDoubled.toggle()
      rest /= 10
    }
    return Int64((10 - sum % 10) % 10)
  }

  /// `round(number, digits)`, where the digits are written out.
  private mutating func rounding() throws(FormulaError) -> Formula {
    let number = try alternatives()
    let scale = try scale(of: number)
    let digits = try last(
      "'round' takes a number and its digits, from 0 to \(Formula.mostScale)", afterComma: true
    ) { word -> Int? in
      guard case .number(let digits, scale: 0) = word, digits <= Formula.mostScale else { return nil }
      return Int(digits)
    }
    return number.rounded(from: scale, to: digits)
  }

  /// `quirk('name')`: whether the sample has a quirk of its definition.
  private mutating func quirk() throws(FormulaError) -> Formula {
    if case .text(let name)? = next, !pool.quirks.contains(name) {
      throw FormulaError(
        "unknown quirk '\(name)'", hint: NearestName.hint(name, among: pool.quirks, called: "'quirks' has"))
    }
    let number = try last("'quirk' takes the name of a quirk in apostrophes") { [pool] in
      $0.text.map(pool.number)
    }
    return Formula(kind: .flag) { $0.quirks.contains(number) ? 1 : 0 }
  }
}

// What kinds values must be of to go together.
extension FormulaParser {
  func flag(_ formula: Formula) throws(FormulaError) -> Formula {
    guard formula.kind == .flag else {
      throw FormulaError("a condition is needed, not \(formula.kind.name)", hint: "compare it with something")
    }
    return formula
  }

  func scale(of formula: Formula) throws(FormulaError) -> Int {
    guard case .number(let scale) = formula.kind else {
      throw FormulaError("a number is needed, not \(formula.kind.name)")
    }
    return scale
  }

  /// A number without digits after the point.
  func whole(_ formula: Formula) throws(FormulaError) -> Formula {
    guard try scale(of: formula) == 0 else {
      throw FormulaError("a whole number is needed", hint: "round it to 0 digits")
    }
    return formula
  }

  func numeric(_ formula: Formula) throws(FormulaError) -> Formula {
    _ = try scale(of: formula)
    return formula
  }

  /// Two values of one kind, numbers brought to one scale.
  func alike(_ one: Formula, _ other: Formula) throws(FormulaError) -> (Formula, Formula) {
    switch (one.kind, other.kind) {
    case (.number(let first), .number(let second)):
      let scale = max(first, second)
      return (one.scaled(from: first, to: scale), other.scaled(from: second, to: scale))
    case (let first, let second) where first == second: return (one, other)
    case (let first, let second):
      throw FormulaError("\(first.name) and \(second.name) do not go together")
    }
  }
}
