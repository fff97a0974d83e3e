/// A SELECT that is in a YAML text, with the place in the file of each of its characters.
public struct EmbeddedSQL: Sendable, Hashable {
  /// The SELECT.
  public let sql: String
  /// The places of its characters that are no blanks.
  private let marks: [Mark]

  /// Takes a SELECT that a YAML text holds; reports what is no single SELECT.
  ///
  /// YAML may have folded its lines and taken off their indentation, but leaves all other characters as they
  /// are.
  ///
  /// - `key`: the YAML key that holds it.
  /// - `text`: the file's text from its first line on, as far as the YAML goes.
  init(_ found: Marked<String>, of key: String, in text: String, of file: DefinitionFile) {
    let template = SQLTemplate(found.value, firstLine: found.mark.line, in: file)
    template.report(unknownTo: [], called: "placeholder", listed: "", in: file)
    sql = template.filled { "{\($0)}" }
    if !["select", "with"].contains(template.firstWord) {
      file.report("'\(key)' must be a SELECT", at: found.mark)
    }
    marks = Self.marks(of: sql, in: text, from: found.mark)
  }

  /// The place in the file of a character, counted from 1 in Unicode scalars.
  public func place(of character: Int) -> Mark {
    let before = sql.unicodeScalars.prefix(max(0, character - 1)).count { !$0.properties.isWhitespace }
    return before < marks.count ? marks[before] : marks.last ?? Mark(line: 1, column: 1)
  }

  private static func marks(of sql: String, in text: String, from start: Mark) -> [Mark] {
    var mark = Mark(line: 1, column: 1)
    var marks: [Mark] = []
    var wanted = sql.unicodeScalars.filter { !$0.properties.isWhitespace }[...]
    for scalar in text.unicodeScalars {
      if (mark.line, mark.column) >= (start.line, start.column), scalar == wanted.first {
        marks.append(mark)
        wanted = wanted.dropFirst()
      }
      mark =
        scalar == "\n" ? Mark(line: mark.line + 1, column: 1) : Mark(line: mark.line, column: mark.column + 1)
    }
    return marks
  }
}
