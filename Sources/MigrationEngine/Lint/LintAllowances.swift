import SQLText

/// The comments `-- rivulet:allow rule-name[, rule-name] reason` of a section, each of which silences rules at
/// one statement, and which of them did silence something.
///
/// A comment is on a line of the statement, or on the comment lines right above it.
struct LintAllowances {
  private struct Allowance {
    let rules: [String]
    /// Why they are silenced; empty where the comment does not say.
    let reason: String
    /// Where the comment begins.
    let place: SQLPlace
    /// The statements it applies to, by their place among those of the section.
    let statements: [Int]
    /// The rules that it did silence.
    var used: Set<String> = []
  }

  private var allowances: [Allowance] = []
  private let asked: Set<String>

  init(_ section: LintSection, asked: [LintRule]) {
    self.asked = Set(asked.map(\.name))
    let spans = section.statements.map { $0.place.line...$0.place.line + $0.text.count { $0.isNewline } }
    var lexer = SQLLexer(section.source.sql, firstLine: section.source.line)
    var comments: [(text: String, place: SQLPlace)] = []
    while let token = lexer.next() {
      if token.kind == .comment { comments.append((lexer.text(token.range), token.place)) }
    }
    let lines = Set(comments.map(\.place.line))
    for comment in comments {
      guard let (rules, reason) = LintAllowances.parts(of: comment.text) else { continue }
      var line = comment.place.line
      // Down over the comments that follow, to the statement right below them.
      while !spans.contains(where: { $0.contains(line) }), lines.contains(line) { line += 1 }
      let statements = spans.indices.filter { spans[$0].contains(line) }
      allowances.append(
        Allowance(rules: rules, reason: reason, place: comment.place, statements: statements))
    }
  }

  private static func parts(of comment: String) -> (rules: [String], reason: String)? {
    guard comment.hasPrefix("--") else { return nil }
    let words = comment.dropFirst(2).split(whereSeparator: { $0.isWhitespace })
    guard words.first == Substring("rivulet:allow") else { return nil }
    var rules: [String] = []
    var rest = words.dropFirst()
    while let word = rest.popFirst() {
      rules += word.split(separator: ",").map(String.init)
      if !word.hasSuffix(",") && rest.first?.hasPrefix(",") != true { break }
    }
    return (rules, rest.joined(separator: " "))
  }

  /// Whether a rule is silenced at a statement.
  mutating func silence(_ rule: String, at statement: Int) -> Bool {
    let silencing = allowances.indices.filter { index in
      let allowance = allowances[index]
      return !allowance.reason.isEmpty && allowance.statements.contains(statement)
        && allowance.rules.contains(rule)
    }
    for index in silencing { allowances[index].used.insert(rule) }
    return !silencing.isEmpty
  }

  /// What is wrong with the allowances, once all statements have been read.
  var complaints: [(place: SQLPlace, message: String, fix: String?)] {
    let known = Set(LintRule.all.map(\.name))
    return allowances.flatMap { allowance -> [(place: SQLPlace, message: String, fix: String?)] in
      let place = allowance.place
      if allowance.rules.isEmpty { return [(place, "this comment names no rule", nil)] }
      if allowance.reason.isEmpty {
        let names = allowance.rules.joined(separator: ", ")
        return [
          (
            place, "this comment gives no reason, so it silences nothing",
            "write why behind the names: -- rivulet:allow \(names) reason"
          )
        ]
      }
      return allowance.rules.compactMap { rule in
        if !known.contains(rule) { return (place, "there is no rule '\(rule)'", nil) }
        guard asked.contains(rule), !allowance.used.contains(rule) else { return nil }
        return (place, "there is nothing of '\(rule)' to allow here", nil)
      }
    }
  }
}
