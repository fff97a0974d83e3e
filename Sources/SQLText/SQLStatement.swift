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
  private let parts: StatementParts

  init(
    _ source: [UInt8], range: Range<Int>, place: SQLPlace, keyword: String,
    parts: StatementParts
  ) {
    self.source = source
    self.range = range
    self.place = place
    self.keyword = keyword
    self.parts = parts
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

  fileprivate func taken() -> StatementParts.Taken {
    var lexer = SQLLexer(source, range: range, place: place)
    var taken = StatementParts.Taken()
    while let token = lexer.next() {
      if token.kind == .comment || token.kind == .blank { continue }
      taken.tokens.append(token)
      taken.words.append(lexer.word(token))
    }
    return taken
  }
}

/// The tokens and words of a script's statements, of those that were asked for lately.
final class StatementParts: Sendable {
  struct Taken {
    var tokens: [SQLToken] = []
    var words: [String] = []
  }

  /// So many statements are kept: they take many times the memory of their text, and who asks again asks soon.
  private static let most = 10_000

  /// By the byte at which the statement begins.
  private let kept = Mutex<[Int: Taken]>([:])

  func taken(from statement: SQLStatement) -> Taken {
    kept.withLock { kept in
      if let taken = kept[statement.range.lowerBound] { return taken }
      if kept.count >= Self.most { kept.removeAll() }
      let taken = statement.taken()
      kept[statement.range.lowerBound] = taken
      return taken
    }
  }
}
