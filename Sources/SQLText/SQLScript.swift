/// One statement of a script.
public struct SQLStatement: Sendable {
  /// The statement as written, from its first token to its last, without the semicolon.
  public let text: String
  /// Its bytes in the script.
  public let range: Range<Int>
  /// Where its first token begins.
  public let place: SQLPlace
  /// Its tokens without blanks and comments; ranges and places are those of the script.
  public let tokens: [SQLToken]
  /// The text of each token; unquoted words in upper case, all else as written.
  public let words: [String]
  /// The bytes of the lines that follow a `COPY ... FROM stdin`, without the `\.` that ends them.
  public let copyData: Range<Int>?

  /// Its first line.
  public var firstLine: String { String(text.prefix { !$0.isNewline }) }

  /// Whether it begins with these words, each in upper case.
  public func begins(with words: String...) -> Bool { self.words.starts(with: words) }
}

/// Why a script cannot be taken apart.
public struct SQLScriptError: Error, Sendable {
  /// Where.
  public let place: SQLPlace
  /// What is wrong.
  public let message: String
  /// How to mend it.
  public let hint: String
}

/// A text of several statements, taken apart as PostgreSQL and psql do: a semicolon ends a statement unless it
/// stands in a string, a quoted name, a dollar quote, a comment, parentheses, or a body between `BEGIN ATOMIC` and
/// its `END`.
///
/// ```swift
/// let script = try SQLScript("CREATE TABLE a (n int);\nCOPY a FROM stdin;\n1\n2\n\\.\n")
/// script.statements.map(\.words.first)   // ["CREATE", "COPY"]
/// script.data(of: script.statements[1])  // the bytes of "1\n2\n"
/// ```
public struct SQLScript: Sendable {
  /// In order; empty statements are left out, as the server does.
  public let statements: [SQLStatement]
  private let bytes: [UInt8]

  /// Takes a text apart that begins on some line of its file.
  ///
  /// Throws where a quote or comment does not end, where there is a command for psql and not for the server, and
  /// where the data of a COPY has no end.
  public init(_ sql: String, firstLine: Int = 1) throws(SQLScriptError) {
    bytes = Array(sql.utf8)
    var splitter = SQLSplitter(sql, firstLine: firstLine)
    var found: [SQLStatement] = []
    while let statement = try splitter.next() { found.append(statement) }
    statements = found
  }

  /// The rows after a `COPY ... FROM stdin`, with their line ends.
  public func data(of statement: SQLStatement) -> ArraySlice<UInt8>? { statement.copyData.map { bytes[$0] } }

  /// What the server is given: the text with the rows of COPY taken out, their line ends left in, so that a line's
  /// number stays what it is.
  public var text: String {
    var sent = bytes
    for statement in statements {
      guard let rows = statement.copyData else { continue }
      // The line that ends the rows goes too.
      let end = sent[rows.upperBound...].firstIndex(of: 0x0a) ?? sent.count
      for index in rows.lowerBound..<end where sent[index] != 0x0a { sent[index] = 0x20 }
    }
    return String(decoding: sent, as: UTF8.self)
  }
}
