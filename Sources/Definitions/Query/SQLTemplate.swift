/// SQL with `{name}` where something is put in.
///
/// A brace inside quotes, comments or dollar quotes is SQL's own and is left alone.
public struct SQLTemplate: Sendable, Hashable {
  /// A piece of the text.
  enum Piece: Sendable, Hashable {
    case text(String)
    case name(String, Mark)
    /// SQL that was made of something elsewhere, such as a key of `pipeline.yaml`, whose place is that of all of it.
    case placed(String, Mark)
    /// A section begins that is there where a parameter is given, or where it is not.
    case section(String, isGiven: Bool, Mark)
    /// The section ends that began last.
    case end
  }

  let pieces: [Piece]
  /// The statement's first word, in lower case; empty when it begins with something else.
  let firstWord: String
  /// The line of its file that the text begins on.
  public let line: Int

  /// Takes SQL apart; reports braces that are no placeholder, and statements after the first where there must
  /// be one.
  ///
  /// `hasSections`: it may have sections that depend on what is given.
  init(
    _ text: String, firstLine: Int, isScript: Bool = false, hasSections: Bool = false,
    in file: DefinitionFile
  ) {
    let cut = SQLPieces(
      text, firstLine: firstLine, isScript: isScript, hasSections: hasSections, in: file)
    pieces = cut.pieces
    firstWord = cut.firstWord
    line = firstLine
  }

  /// SQL as it is written, without placeholders.
  init(verbatim text: String) {
    pieces = [.text(text)]
    firstWord = ""
    line = 1
  }

  /// SQL that is put together of several pieces.
  init(_ pieces: [Piece]) {
    self.pieces = pieces
    firstWord = ""
    line = 1
  }

  /// Some of the pieces of another text, in its places.
  init(_ pieces: [Piece], of other: SQLTemplate) {
    self.pieces = pieces
    (firstWord, line) = (other.firstWord, other.line)
  }

  /// What the comment says that the text begins with; empty where it begins with none.
  public var comment: String {
    let lines = filled { "{\($0)}" }.split(separator: "\n", omittingEmptySubsequences: false)
      .prefix { $0.hasPrefix("--") }
    return lines.flatMap { $0.dropFirst(2).split(separator: " ") }.joined(separator: " ")
  }

  /// The names between braces, each once, in the order they come.
  public var names: [String] {
    var names: [String] = []
    for case .name(let name, _) in pieces where !names.contains(name) { names.append(name) }
    return names
  }

  /// How many placeholders there are; a name that comes twice counts as two.
  public var placeholders: Int { pieces.count { if case .name = $0 { true } else { false } } }

  /// The text with every placeholder replaced.
  public func filled(_ replacement: (String) -> String) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text), .placed(let text, _): text
      case .name(let name, _): replacement(name)
      case .section(let name, let isGiven, _): isGiven ? "{if \(name)}" : "{if not \(name)}"
      case .end: "{end}"
      }
    }.joined()
  }

  /// The place in the file of a character of the filled text; of what was put in, that of its placeholder.
  /// - Parameters:
  ///   - character: counted from 1, in Unicode scalars, as the server counts.
  ///   - replacement: what was put in place of a name.
  /// - Returns: line and column, from 1.
  public func place(of character: Int, _ replacement: (String) -> String) -> Mark {
    var (line, column) = (line, 1)
    var left = character - 1
    for piece in pieces {
      switch piece {
      case .text(let text):
        for scalar in text.unicodeScalars {
          if left == 0 { return Mark(line: line, column: column) }
          left -= 1
          (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
        }
      case .name(let name, let mark):
        let length = replacement(name).unicodeScalars.count
        if left < length { return mark }
        left -= length
        // With its braces.
        (line, column) = (mark.line, mark.column + name.unicodeScalars.count + 2)
      case .placed(let text, let mark):
        let length = text.unicodeScalars.count
        if left < length { return mark }
        left -= length
      // What is asked has none.
      case .section, .end: break
      }
    }
    return Mark(line: line, column: column)
  }

  /// Reports each placeholder that is not one of the known names.
  ///
  /// `isBraced`: they are written in braces, and not as the value of a key.
  func report(
    unknownTo known: [String], called what: String, listed: String, isBraced: Bool = true,
    in file: DefinitionFile
  ) {
    for piece in pieces {
      switch piece {
      case .name(let name, let mark) where !known.contains(name),
        .section(let name, _, let mark) where !known.contains(name):
        file.report(
          "unknown \(what) '\(isBraced ? "{\(name)}" : name)'", at: mark,
          hint: NearestName.hint(name, among: known, called: listed))
      default: break
      }
    }
  }
}
