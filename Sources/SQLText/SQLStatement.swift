import Synchronization

/// One statement of a script.
public struct SQLStatement: Sendable {
  /// Its bytes in the script.
  public let range: Range<Int>
  /// Where its first token begins.
  public let place: SQLPlace
  /// Its first word: what ``words`` begins with, known without taking the statement apart.
  public let keyword: String
  /// The bytes of the lines that follow a `COPY ... FROM stdin`, without the `\.` that ends them.
  public internal(set) var copyData: Range<Int>?

  private let source: [UInt8]
  private let parts = Parts()

  init(_ source: [UInt8], range: Range<Int>, place: SQLPlace, keyword: String) {
    self.source = source
    self.range = range
    self.place = place
    self.keyword = keyword
  }

  /// The statement as written, from its first token to its last, without the semicolon.
  public var text: String { String(decoding: source[range], as: UTF8.self) }

  /// Its tokens without blanks and comments; ranges and places are those of the script.
  ///
  /// They take many times the memory of the text and are made when they are first asked for, as ``words``
  /// are: of a dump's INSERTs nobody asks more than the ``keyword``.
  public var tokens: [SQLToken] { parts.taken(from: self).tokens }

  /// The text of each token; unquoted words in upper case, all else as written.
  public var words: [String] { parts.taken(from: self).words }

  /// Whether it begins with these words, each in upper case.
  public func begins(with words: String...) -> Bool {
    words.first == keyword && self.words.starts(with: words)
  }

  /// The tokens and words, once they were asked for.
  private final class Parts: Sendable {
    private let kept = Mutex<(tokens: [SQLToken], words: [String])?>(nil)

    func taken(from statement: SQLStatement) -> (tokens: [SQLToken], words: [String]) {
      kept.withLock { kept in
        if let kept { return kept }
        var lexer = SQLLexer(statement.source, range: statement.range, place: statement.place)
        var taken: (tokens: [SQLToken], words: [String]) = ([], [])
        while let token = lexer.next() {
          if token.kind == .comment || token.kind == .blank { continue }
          taken.tokens.append(token)
          taken.words.append(lexer.word(token))
        }
        kept = taken
        return taken
      }
    }
  }
}
