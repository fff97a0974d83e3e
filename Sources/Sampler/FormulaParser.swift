import Definitions

/// Reads a formula and checks that its kinds fit together.
///
///     round((work * gpci.work + pe * gpci.pe + mp * gpci.mp) * 32.3465, 2)
///     if(status in ('A', 'T') and chance(0.25), between(0.10, 9.99), 0.00)
///
/// Numbers are exact: a product has the digits of both factors, a sum those of the longer one.
struct FormulaParser {
  /// The columns that a formula may name: where each is in the frame, and what it is.
  typealias Scope = [String: (place: Int, kind: ValueKind)]

  let tokens: [FormulaToken]
  let scope: Scope
  let pool: TextPool
  var position = 0

  /// Reads a whole formula.
  static func formula(_ text: String, scope: Scope, pool: TextPool) throws(FormulaError) -> Formula {
    var parser = FormulaParser(tokens: try FormulaToken.tokens(of: text), scope: scope, pool: pool)
    let formula = try parser.alternatives()
    if let rest = parser.next { throw FormulaError("'\(rest.description)' is not expected in '\(text)'") }
    return formula
  }

  var next: FormulaToken? { position < tokens.count ? tokens[position] : nil }

  mutating func take(_ token: FormulaToken) -> Bool {
    guard next == token else { return false }
    position += 1
    return true
  }

  /// Takes what a function needs as it is written, a word that is its last or only one.
  mutating func last<Value>(
    _ message: String, afterComma: Bool = false, _ value: (FormulaToken) -> Value?
  ) throws(FormulaError) -> Value {
    guard !afterComma || take(.symbol(",")), let next, let value = value(next) else {
      throw FormulaError(message)
    }
    position += 1
    try need(")")
    return value
  }

  mutating func need(_ symbol: String) throws(FormulaError) {
    if !take(.symbol(symbol)) {
      throw FormulaError("'\(symbol)' is missing before \(next.map { "'\($0.description)'" } ?? "the end")")
    }
  }

  // MARK: Conditions

  mutating func alternatives() throws(FormulaError) -> Formula {
    var formula = try conditions()
    while take(.name("or")) {
      let (one, other) = (try flag(formula), try flag(try conditions()))
      formula = Formula(kind: .flag) { one.value(&$0) != 0 ? 1 : other.value(&$0) }
    }
    return formula
  }

  private mutating func conditions() throws(FormulaError) -> Formula {
    var formula = try negation()
    while take(.name("and")) {
      let (one, other) = (try flag(formula), try flag(try negation()))
      formula = Formula(kind: .flag) { one.value(&$0) == 0 ? 0 : other.value(&$0) }
    }
    return formula
  }

  private mutating func negation() throws(FormulaError) -> Formula {
    guard take(.name("not")) else { return try comparison() }
    let formula = try flag(try negation())
    return Formula(kind: .flag) { 1 - formula.value(&$0) }
  }

  private mutating func comparison() throws(FormulaError) -> Formula {
    let one = try sum()
    if take(.name("in")) { return try membership(of: one) }
    guard case .symbol(let symbol)? = next, let holds = Self.comparisons[symbol] else { return one }
    position += 1
    let (left, right) = try alike(one, try sum())
    if case .number = left.kind {
    } else if symbol != "=", symbol != "!=" {
      throw FormulaError("'\(symbol)' compares numbers, not \(left.kind.name)")
    }
    return Formula.pair(left, right, .flag) { one, other, _ in holds(one, other) ? 1 : 0 }
  }

  private static let comparisons: [String: @Sendable (Int64, Int64) -> Bool] = [
    "=": { $0 == $1 }, "!=": { $0 != $1 }, "<": { $0 < $1 }, "<=": { $0 <= $1 }, ">": { $0 > $1 },
    ">=": { $0 >= $1 },
  ]

  private mutating func membership(of one: Formula) throws(FormulaError) -> Formula {
    guard one.kind == .text else { throw FormulaError("'in' asks of a text, not of \(one.kind.name)") }
    try need("(")
    var members: [Int64] = []
    repeat {
      guard case .text(let text)? = next else { throw FormulaError("'in' lists texts such as ('A', 'B')") }
      position += 1
      members.append(pool.number(of: text))
    } while take(.symbol(","))
    try need(")")
    return Formula(kind: .flag) { members.contains(one.value(&$0)) ? 1 : 0 }
  }

  // MARK: Numbers

  private mutating func sum() throws(FormulaError) -> Formula {
    var formula = try product()
    while case .symbol(let symbol)? = next, symbol == "+" || symbol == "-" {
      position += 1
      let (one, other) = try alike(try numeric(formula), try numeric(try product()))
      formula = Formula.pair(one, other, one.kind) {
        Formula.checked(
          symbol == "+" ? $0.addingReportingOverflow($1) : $0.subtractingReportingOverflow($1), &$2)
      }
    }
    return formula
  }

  private mutating func product() throws(FormulaError) -> Formula {
    var formula = try factor()
    while take(.symbol("*")) {
      let other = try factor()
      let scale = try scale(of: formula) + scale(of: other)
      guard scale <= Formula.mostScale else {
        throw FormulaError("a product has \(scale) digits after the point", hint: "round its factors first")
      }
      formula = Formula.pair(formula, other, .number(scale: scale)) {
        Formula.checked($0.multipliedReportingOverflow(by: $1), &$2)
      }
    }
    return formula
  }

  private mutating func factor() throws(FormulaError) -> Formula {
    guard let token = next else { throw FormulaError("the formula ends too early") }
    position += 1
    switch token {
    case .number(let units, let scale): return .constant(units, .number(scale: scale))
    case .text(let text): return .constant(pool.number(of: text), .text)
    case .symbol("("):
      let formula = try alternatives()
      try need(")")
      return formula
    case .symbol(let symbol): throw FormulaError("'\(symbol)' is not expected here")
    case .name(let name):
      if take(.symbol("(")) { return try function(name) }
      guard let column = scope[name] else {
        throw FormulaError(
          "unknown column '\(name)'",
          hint: NearestName.hint(name, among: scope.keys.sorted(), called: "known"))
      }
      return .column(column.place, column.kind)
    }
  }
}
