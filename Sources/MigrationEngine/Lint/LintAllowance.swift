import SQLText

/// A comment `-- rivulet:allow rule-name[, rule-name] reason`, which silences rules at one statement.
///
/// It is on a line of the statement, or on the comment lines right above it.
struct LintAllowance {
  /// The rules it names.
  let rules: [String]
  /// Why they are silenced; empty where the comment does not say.
  let reason: String
  /// Where the comment begins.
  let place: SQLPlace
  /// The statements it applies to, by their place among those of the section.
  let statements: [Int]

  private static let marker = "rivulet:allow"

  /// The allowances of a section.
  static func all(in section: LintSection) -> [LintAllowance] {
    let spans = section.statements.map { $0.lines }
    let comments = comments(in: section.source)
    let lines = Set(comments.map(\.place.line))
    return comments.compactMap { comment in
      var line = comment.place.line
      // Down over the comments that follow, to the statement right below them.
      while !spans.contains(where: { $0.contains(line) }), lines.contains(line) { line += 1 }
      let statements = spans.indices.filter { spans[$0].contains(line) }
      return LintAllowance(comment.text, at: comment.place, statements: statements)
    }
  }

  private static func comments(in section: Migration.Section) -> [(text: String, place: SQLPlace)] {
    var lexer = SQLLexer(section.sql, firstLine: section.line)
    var found: [(String, SQLPlace)] = []
    while let token = lexer.next() {
      if token.kind == .comment { found.append((lexer.text(token.range), token.place)) }
    }
    return found
  }

  private init?(_ comment: String, at place: SQLPlace, statements: [Int]) {
    guard comment.hasPrefix("--") else { return nil }
    let words = comment.dropFirst(2).split(whereSeparator: \.isWhitespace)
    guard words.first == LintAllowance.marker[...] else { return nil }
    var rules: [String] = []
    var rest = words.dropFirst()
    while let word = rest.popFirst() {
      rules += word.split(separator: ",").map(String.init)
      if !word.hasSuffix(",") && rest.first?.hasPrefix(",") != true { break }
    }
    self.rules = rules
    self.place = place
    self.statements = statements
    reason = rest.joined(separator: " ")
  }
}

extension SQLStatement {
  /// The lines of the file that it is on.
  fileprivate var lines: ClosedRange<Int> {
    place.line...place.line + text.count { $0.isNewline }
  }
}
