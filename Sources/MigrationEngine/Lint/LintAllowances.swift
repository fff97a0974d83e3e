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
    /// The rules that it did silence.
    var used: Set<String> = []
  }

  private var allowances: [Allowance] = []
  /// The allowances of a statement, by its place among those of the section.
  private var byStatement: [Int: [Int]] = [:]
  private let asked: Set<String>

  init(_ section: LintSection, asked: [LintRule]) {
    self.asked = Set(asked.map(\.name))
    var lexer = SQLLexer(section.source.sql, firstLine: section.source.line)
    var comments: [(text: String, place: SQLPlace)] = []
    while let token = lexer.next() {
      if token.kind == .comment { comments.append((lexer.text(token.range), token.place)) }
    }
    let found = comments.compactMap { comment in
      LintAllowances.parts(of: comment.text).map { (place: comment.place, parts: $0) }
    }
    if found.isEmpty { return }
    let statements = LintAllowances.statementsByLine(section)
    let lines = Set(comments.map(\.place.line))
    for (place, (rules, reason)) in found {
      var line = place.line
      // Down over the comments that follow, to the statement right below them.
      while statements[line] == nil, lines.contains(line) { line += 1 }
      for statement in statements[line] ?? [] { byStatement[statement, default: []].append(allowances.count) }
      allowances.append(Allowance(rules: rules, reason: reason, place: place))
    }
  }

  private static func statementsByLine(_ section: LintSection) -> [Int: [Int]] {
    var found: [Int: [Int]] = [:]
    for (index, statement) in section.statements.enumerated() {
      let first = statement.place.line
      for line in first...first + statement.text.count(where: \.isNewline) {
        found[line, default: []].append(index)
      }
    }
    return found
  }

  /// Whether a section allows a rule anywhere, with a reason.
  static func allows(_ rule: String, in section: Migration.Section) -> Bool {
    var lexer = SQLLexer(section.sql)
    while let token = lexer.next() {
      guard token.kind == .comment, let (rules, reason) = parts(of: lexer.text(token.range)) else { continue }
      if rules.contains(rule) && !reason.isEmpty { return true }
    }
    return false
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
    let silencing = (byStatement[statement] ?? []).filter { index in
      !allowances[index].reason.isEmpty && allowances[index].rules.contains(rule)
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
