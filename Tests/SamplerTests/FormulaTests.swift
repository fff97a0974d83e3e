import Testing

@testable import Sampler

@Suite("Formulas are exact")
struct FormulaTests {
  private func value(_ text: String) throws -> (Int64, ValueKind) {
    let pool = TextPool()
    let scope: FormulaParser.Scope = [
      "price": (0, .number(scale: 2)), "status": (1, .text), "is_on": (2, .flag),
    ]
    let formula = try FormulaParser.formula(text, scope: scope, pool: pool)
    let values = [-125, pool.number(of: "A"), 1]
    var frame = Frame(values: values, random: RandomStream(seed: 1, table: 0, row: 0))
    let result = formula.value(&frame)
    return (frame.hasOverflowed ? -1 : result, formula.kind)
  }

  @Test(
    "A formula gives a number with its digits",
    arguments: [
      ("1 + 2 * 3", 7, 0), ("(1 + 2) * 3", 9, 0), ("1.5 + 0.25", 175, 2), ("1.50 * 0.1", 150, 3),
      ("5 - 7 - 1", -3, 0), ("price", -125, 2), ("round(price, 1)", -13, 1),
      ("round(2911.185, 2)", 291_119, 2),
      ("round(0 - 2911.185, 2)", -291_119, 2), ("round(0.0449, 2)", 4, 2), ("round(1.5, 3)", 1_500, 3),
      ("round(2.5, 0)", 3, 0), ("min(1.5, 1.25)", 125, 2), ("max(1.5, 1.25)", 150, 2),
      ("if(price < 0, 1, 2.5)", 10, 1), ("if(status in ('B', 'A') and is_on, 1, 2)", 1, 0),
      ("if(not is_on or status != 'A', 1, 2)", 2, 0), ("between(3, 3)", 3, 0), ("between(5, 3)", 5, 0),
      // The digit of the NPI 1234567893, whose prefix is 80840.
      ("luhn(80840123456789)", 3, 0), ("luhn(0)", 0, 0), ("scatter(0, 10)", 0, 0), ("scatter(1, 10)", 7, 0),
      ("days('1970-01-02')", 1, 0), ("days('2024-02-29') - days('2024-02-28')", 1, 0), ("draw(1, 1)", 0, 0),
      ("if(chance(0.0), 1, 2)", 2, 0), ("if(chance(1.0), 1, 2)", 2, 0),
    ])
  func numbers(text: String, units: Int64, scale: Int) throws {
    // A share of 1.0 is ten of ten tenths: always.
    let expected = text.contains("chance(1.0)") ? 1 : units
    let (value, kind) = try value(text)
    #expect(value == expected && kind == .number(scale: scale))
  }

  @Test("Scattered numbers are the same numbers in another order")
  func scattered() throws {
    let drawn = try (0..<1000).map { try value("scatter(\($0), 1000)").0 }
    #expect(Set(drawn) == Set(0..<1000))
    #expect(drawn != Array(0..<1000))
  }

  @Test("A number that 64 bits do not hold is reported, not wrapped around")
  func overflow() throws {
    #expect(try value("9000000000000000000 * 9").0 == -1)
    #expect(try value("9000000000000000000 + 9000000000000000000").0 == -1)
  }

  @Test(
    "A formula that makes no sense is refused with the reason",
    arguments: [
      ("prise", "unknown column 'prise'"), ("1 +", "the formula ends too early"),
      ("1 2", "'2' is not expected in '1 2'"), ("'a' + 1", "a number is needed, not a text"),
      ("status < 'B'", "'<' compares numbers, not a text"),
      ("if(1, 2, 3)", "a condition is needed, not a number"),
      ("if(is_on, 1, 'a')", "a number and a text do not go together"),
      ("rund(1, 2)", "unknown function 'rund'"),
      ("days('2025-02-29')", "'days' takes a date such as '2025-11-09'"),
      ("scatter(1, 1)", "'scatter' takes a whole number and a bound from 2 to 1000000000"),
      ("luhn(1.5)", "a whole number is needed"), ("pick(city.name)", "unknown list 'city.name'"),
      ("round(1)", "'round' takes a number and its digits, from 0 to 12"),
      ("round(1, price)", "'round' takes a number and its digits, from 0 to 12"),
      ("round(1.5, 1 + 1)", "')' is missing before '+'"),
      ("'a", "a text lacks its last apostrophe"), ("1..2", "'1..2' is no number"),
      ("a ; b", "';' has no meaning in a formula"),
      ("(1", "')' is missing before the end"), ("price in ('A')", "'in' asks of a text, not of a number"),
      ("0.0000001 * 0.0000001", "a product has 14 digits after the point"),
      ("", "the formula ends too early"),
    ])
  func mistakes(text: String, message: String) {
    let error = #expect(throws: FormulaError.self) { try value(text) }
    #expect(error?.message == message)
  }
}

@Suite("Codes and rows are shared out")
struct CodeRangeTests {
  private func range(
    _ from: String, _ to: String, share: Int = 1, least: Int = 0, parts: [String] = [""]
  ) throws -> CodeRange {
    try #require(CodeRange(kind: "k", from: from, to: to, share: share, least: least, parts: parts))
  }

  @Test(
    "A range counts like a mileage counter",
    arguments: [
      ("00100", "00999", 900, 0, "00100"), ("00100", "00999", 900, 899, "00999"),
      ("0001F", "9999F", 9_999, 10, "0011F"), ("A0021", "V5364", 215_344, 215_343, "V5364"),
      ("A9999", "B0000", 2, 1, "B0000"),
    ])
  func counter(from: String, to: String, count: Int, ordinal: Int, code: String) throws {
    let range = try range(from, to)
    #expect(range.count == count)
    var bytes: [UInt8] = []
    range.append(ordinal, to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == code)
  }

  @Test(
    "What is no range is refused",
    arguments: [("00200", "00100"), ("0001F", "99999"), ("1", "22"), ("", ""), ("0001f", "9999f")])
  func noRange(from: String, to: String) {
    #expect(CodeRange(kind: "k", from: from, to: to, share: 1, least: 0, parts: [""]) == nil)
  }

  @Test(
    "Items of a range have each its own code, or code and variant", arguments: [1, 7, 99, 100, 101, 250, 400])
  func places(items: Int) throws {
    let range = try range("00", "99")
    let places = (0..<items).map { range.place(of: $0, among: items) }
    #expect(Set(places.map { $0.ordinal * 10 + $0.variant }).count == items)
    #expect(places.allSatisfy { $0.ordinal < 100 && $0.variant < 4 })
    #expect(places[0] == (0, 0))
  }

  @Test("Shares use up exactly the rows there are, whatever their number")
  func shares() throws {
    let plan = CodePlan(
      ranges: [
        try range("00", "49", share: 5, least: 2), try range("A0", "A9", share: 50),
        try range("500", "599", share: 20, least: 1, parts: ["", "26", "TC"]),
      ], variants: ["50"])
    for rows in 5...420 {
      let shares = try? plan.rows(rows)
      // Only a whole number of codes in three parts fits beside ranges that are full.
      if rows > 120, (rows - 120) % 3 != 0, shares == nil { continue }
      let found = try #require(shares, "\(rows) rows")
      #expect(found.reduce(0, +) == rows && found[2] % 3 == 0 && found[0] >= 2 && found[1] <= 20)
    }
    for rows in [4, 421] {
      #expect(throws: SampleError.rows(rows, least: 5, most: 420)) { try plan.rows(rows) }
    }
  }
}
