import SQLText

/// A piece of SQL as its tokens, without blanks and comments, each with the number of parentheses around it.
struct SQLPhrase {
  /// A token.
  struct Part {
    /// As it is written.
    let text: String
    /// In capitals where it is a word; else empty.
    let word: String
    /// The parentheses around it; those of its own pair count for neither of the two.
    let depth: Int
    fileprivate let range: Range<Int>
  }

  let parts: [Part]
  private let lexer: SQLLexer

  /// Takes a text apart.
  init(_ sql: String) {
    var lexer = SQLLexer(sql)
    var parts: [Part] = []
    var depth = 0
    while let token = lexer.next() {
      if token.kind == .blank || token.kind == .comment || token.kind == .semicolon { continue }
      let text = lexer.text(token.range)
      if text == ")" || text == "]" { depth -= 1 }
      let word = token.kind == .word ? text.uppercased() : ""
      parts.append(Part(text: text, word: word, depth: depth, range: token.range))
      if text == "(" || text == "[" { depth += 1 }
    }
    self.parts = parts
    self.lexer = lexer
  }

  /// The text from one token up to another, which is no part of it.
  func text(_ range: Range<Int>) -> String {
    range.isEmpty
      ? ""
      : lexer.text(parts[range.lowerBound].range.lowerBound..<parts[range.upperBound - 1].range.upperBound)
  }

  /// The same with some ranges of tokens replaced, given in their order.
  func text(_ range: Range<Int>, replacing replaced: [(range: Range<Int>, text: String)]) -> String {
    var pieces: [String] = []
    var next = range.lowerBound
    for (inner, text) in replaced {
      pieces += [self.text(next..<inner.lowerBound), text]
      next = inner.upperBound
    }
    return (pieces + [self.text(next..<range.upperBound)]).filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The word of a token; empty beyond the end.
  func word(_ index: Int) -> String { parts.indices.contains(index) ? parts[index].word : "" }

  /// A token as it is written; empty beyond the end.
  subscript(index: Int) -> String { parts.indices.contains(index) ? parts[index].text : "" }

  /// The place of the parenthesis that closes the one at a place.
  func closing(_ open: Int) -> Int? {
    parts.indices.first { $0 > open && parts[$0].depth == parts[open].depth && parts[$0].text == ")" }
  }

  /// Some tokens, split at the commas that no parenthesis is around.
  func list(_ range: Range<Int>) -> [Range<Int>] {
    guard let first = range.first else { return [] }
    let commas = range.filter { parts[$0].text == "," && parts[$0].depth == parts[first].depth }
    let starts = [range.lowerBound] + commas.map { $0 + 1 }
    return zip(starts, commas + [range.upperBound]).map { $0..<$1 }
  }
}
