/// The words of a formula.
enum FormulaToken: Equatable {
  /// Digits with the number of those after the point.
  case number(Int64, scale: Int)
  /// A text between apostrophes.
  case text(String)
  /// A column, function or keyword.
  case name(String)
  /// An operator, parenthesis or comma.
  case symbol(String)

  /// The text between apostrophes; nil when it is something else.
  var text: String? { if case .text(let text) = self { text } else { nil } }

  /// What a reader of an error calls it.
  var description: String {
    switch self {
    case .number(let units, let scale): scale == 0 ? "\(units)" : "a number"
    case .text(let text): "'\(text)'"
    case .name(let name): name
    case .symbol(let symbol): symbol
    }
  }

  private static let symbols = ["<=", ">=", "!=", "+", "-", "*", "(", ")", ",", "=", "<", ">"]

  /// Cuts a formula into words.
  static func tokens(of text: String) throws(FormulaError) -> [FormulaToken] {
    var tokens: [FormulaToken] = []
    var rest = text[...]
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
      } else if first == "'" {
        rest.removeFirst()
        guard let end = rest.firstIndex(of: "'") else {
          throw FormulaError("a text lacks its last apostrophe")
        }
        tokens.append(.text(String(rest[..<end])))
        rest = rest[rest.index(after: end)...]
      } else if first.isASCII, first.isNumber {
        let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        tokens.append(try number(digits))
        rest = rest.dropFirst(digits.count)
      } else if first.isLetter {
        let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
        tokens.append(.name(String(name)))
        rest = rest.dropFirst(name.count)
      } else if let symbol = symbols.first(where: { rest.hasPrefix($0) }) {
        tokens.append(.symbol(symbol))
        rest = rest.dropFirst(symbol.count)
      } else {
        throw FormulaError("'\(first)' has no meaning in a formula")
      }
    }
    return tokens
  }

  private static func number(_ digits: Substring) throws(FormulaError) -> FormulaToken {
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }), let units = Int64(parts.joined()) else {
      throw FormulaError("'\(digits)' is no number")
    }
    return .number(units, scale: parts.count == 2 ? parts[1].count : 0)
  }
}

/// What is wrong with a formula.
struct FormulaError: Error {
  let message: String
  let hint: String?

  init(_ message: String, hint: String? = nil) {
    self.message = message
    self.hint = hint
  }
}
