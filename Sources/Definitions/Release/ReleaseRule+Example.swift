extension ReleaseRule {
  /// A name that a release may have, such as `2025D`, made from a pattern under `effective`; nil where none of
  /// them is plain enough.
  public var example: String? {
    for effect in effects.reversed() {
      // Two digits are a year in one pattern, and a month or a day in another.
      for pair in ["25", "01"] {
        var sample = PatternSample(effect.pattern.text, pair: pair)
        if let name = sample.text, (try? effectiveDates(of: name)) != nil { return spelled(name) }
      }
    }
    return nil
  }
}

/// A text that a pattern matches, of the patterns that names are matched by: letters, digits, classes, groups
/// and how often each comes.
private struct PatternSample {
  private var rest: Substring
  /// What two digits are.
  private let pair: String

  init(_ pattern: some StringProtocol, pair: String) { (rest, self.pair) = (Substring(pattern), pair) }

  /// The text; nil where the pattern has more than this knows.
  var text: String? {
    mutating get {
      var parts: [Part] = []
      while let letter = rest.popFirst() {
        switch letter {
        // The first of several ways is one.
        case "|": return Self.joined(parts, pair)
        case "^", "$": break
        case ".": parts.append(.text("x"))
        case "\\":
          guard let escaped = rest.popFirst() else { return nil }
          if escaped == "d" {
            parts.append(.digits(1))
          } else if escaped.isPunctuation || escaped.isSymbol {
            parts.append(.text("\(escaped)"))
          } else {
            return nil
          }
        case "[":
          guard let first = rest.first, first.isLetter || first.isNumber, skip(to: "]") else { return nil }
          parts.append(.text("\(first)"))
        case "(":
          guard let inner = group else { return nil }
          var sample = Self(inner, pair: pair)
          guard let text = sample.text else { return nil }
          parts.append(.text(text))
        case "?", "*":
          // Of anything there is something, so that the name says something.
          if let last = parts.popLast(), case .text("x") = last { parts.append(last) }
        case "+": break
        case "{":
          guard let last = parts.popLast(), let count = Int(rest.prefix { $0.isNumber }), skip(to: "}") else {
            return nil
          }
          parts.append(last.repeated(count))
        default: parts.append(.text("\(letter)"))
        }
      }
      return Self.joined(parts, pair)
    }
  }

  private enum Part {
    case text(String)
    case digits(Int)

    func repeated(_ count: Int) -> Part {
      switch self {
      case .text(let text): .text(String(repeating: text, count: count))
      case .digits(let digits): .digits(digits * count)
      }
    }
  }

  private static func joined(_ parts: [Part], _ pair: String) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .digits(2): pair
      case .digits(4): "2025"
      case .digits(let count): String(repeating: "1", count: count)
      }
    }.joined()
  }

  private mutating func skip(to end: Character) -> Bool {
    while let letter = rest.popFirst() { if letter == end { return true } }
    return false
  }

  /// What is up to the end of the group that has begun.
  private var group: Substring? {
    mutating get {
      var depth = 1
      let start = rest.hasPrefix("?:") ? rest.dropFirst(2) : rest
      rest = start
      while let letter = rest.popFirst() {
        if letter == "\\" { rest = rest.dropFirst() }
        if letter == "(" { depth += 1 }
        if letter == ")" { depth -= 1 }
        if depth == 0 { return start[..<rest.startIndex].dropLast() }
      }
      return nil
    }
  }
}
