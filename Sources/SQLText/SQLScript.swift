/// A text of several statements, taken apart as PostgreSQL and psql do: a semicolon ends a statement unless
/// it is in a string, a quoted name, a dollar quote, a comment, parentheses, or a body between `BEGIN ATOMIC`
/// and its `END`.
///
/// ```swift
/// let script = try SQLScript("CREATE TABLE a (n int);\nCOPY a FROM stdin;\n1\n2\n\\.\n")
/// script.statements.map(\.keyword)       // ["CREATE", "COPY"]
/// script.data(of: script.statements[1])  // the bytes of "1\n2\n"
/// ```
///
/// It takes time in proportion to the text, and little memory beyond one copy of it.
public struct SQLScript: Sendable {
  /// In order; empty statements are left out, as the server does.
  public let statements: [SQLStatement]
  private let source: String
  private let bytes: [UInt8]
  /// What is no SQL: a byte order mark, rows of COPY and pg_dump's `\restrict`.
  private let unsent: [Range<Int>]

  /// Takes a text apart that begins on some line of its file.
  /// - Throws: where a quote or comment does not end, where the character NUL is, where there is a command
  ///   for psql and not for the server, where the rows of a COPY have no end, and where backslashes would
  ///   become escapes in plain strings, since it takes `standard_conforming_strings` to be on. Of psql's
  ///   commands it skips `\restrict` and `\unrestrict`, which pg_dump writes and which do nothing but forbid
  ///   the other ones.
  public init(_ sql: String, firstLine: Int = 1) throws(SQLScriptError) {
    source = sql
    bytes = Array(sql.utf8)
    if let nul = bytes.firstIndex(of: 0) { throw .nul(SQLPlace(of: nul, in: bytes, firstLine: firstLine)) }
    var splitter = SQLSplitter(bytes, firstLine: firstLine)
    var found: [SQLStatement] = []
    while let statement = try splitter.next() { found.append(statement) }
    statements = found
    unsent = splitter.unsent
  }

  /// The first statement of a text that is so; the others are not kept, of which a dump has many.
  /// - Throws: as ``init(_:firstLine:)``, where that comes before such a statement.
  public static func firstStatement(
    of sql: String, firstLine: Int = 1, where matches: (SQLStatement) -> Bool
  ) throws(SQLScriptError) -> SQLStatement? {
    let bytes = Array(sql.utf8)
    if let nul = bytes.firstIndex(of: 0) { throw .nul(SQLPlace(of: nul, in: bytes, firstLine: firstLine)) }
    var splitter = SQLSplitter(bytes, firstLine: firstLine)
    while let statement = try splitter.next() {
      if matches(statement) { return statement }
    }
    return nil
  }

  /// The rows after a `COPY ... FROM stdin`, with their line ends.
  public func data(of statement: SQLStatement) -> ArraySlice<UInt8>? { statement.copyData.map { bytes[$0] } }

  /// What the server is given: the text with blanks in place of what is no SQL, a character for a character
  /// and with the line ends left in, so that a place in it is the same place in the whole.
  public var text: String { unsent.isEmpty ? source : text(of: bytes.indices) }

  /// ``text`` of some of its bytes.
  public func text(of part: Range<Int>) -> String {
    var sent: [UInt8] = []
    sent.reserveCapacity(part.count)
    var end = part.lowerBound
    for range in unsent where range.overlaps(part) {
      sent += bytes[end..<range.lowerBound]
      for byte in bytes[range] where byte & 0xc0 != 0x80 { sent.append(byte == 0x0a ? byte : 0x20) }
      end = range.upperBound
    }
    sent += bytes[end..<part.upperBound]
    return String(decoding: sent, as: UTF8.self)
  }

  /// Places of consecutive statements that are together no longer than `size` bytes, or are one; the rows of
  /// a COPY between them count.
  public func runs(ofBytes size: Int) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start = 0
    for place in statements.indices {
      let next = place + 1
      if next < statements.count, bytes(of: start..<next + 1).count <= size { continue }
      runs.append(start..<next)
      start = next
    }
    return runs
  }

  /// The bytes of consecutive statements, from the first token to the last one.
  public func bytes(of places: Range<Int>) -> Range<Int> {
    statements[places.lowerBound].range.lowerBound..<statements[places.upperBound - 1].range.upperBound
  }
}

struct SQLSplitter {
  private let bytes: [UInt8]
  private var lexer: SQLLexer
  private let parts = StatementParts()
  /// What the server is not to be given, in order.
  private(set) var unsent: [Range<Int>] = []

  init(_ bytes: [UInt8], firstLine: Int) {
    self.bytes = bytes
    lexer = SQLLexer(bytes, firstLine: firstLine)
    if bytes.starts(with: SQLLexer.byteOrderMark) { unsent.append(0..<SQLLexer.byteOrderMark.count) }
  }

  /// The next statement that is not empty; nil at the end.
  mutating func next() throws(SQLScriptError) -> SQLStatement? {
    var first: SQLToken?
    var end = 0
    var outline = SQLOutline()
    while let token = lexer.next() {
      guard token.isClosed else { throw .unclosed(token) }
      switch token.kind {
      case .comment, .blank: continue
      case .mark where lexer.isMark("\\", token):
        try skipCommand(token, isBetweenStatements: first == nil)
        continue
      case .semicolon where !outline.isOpen:
        guard let first else { continue }
        return try statement(first, end, outline)
      case .semicolon, .word, .quote, .mark: break
      }
      outline.take(token, lexer)
      first = first ?? token
      end = token.range.upperBound
    }
    return try first.map { first throws(SQLScriptError) in try statement(first, end, outline) }
  }

  private mutating func statement(_ first: SQLToken, _ end: Int, _ outline: SQLOutline) throws(SQLScriptError)
    -> SQLStatement
  {
    var statement = SQLStatement(
      bytes, range: first.range.lowerBound..<end, place: first.place, keyword: lexer.word(first), parts: parts
    )
    if statement.turnsEscapesOn { throw .escapesInPlainStrings(first.place) }
    if outline.readsStandardInput { statement.copyData = try skipRows(of: statement) }
    return statement
  }

  private mutating func skipRows(of statement: SQLStatement) throws(SQLScriptError) -> Range<Int> {
    let line = lexer
    let rest = lexer.skipLine()
    try refuseSQL(beside: line, to: rest.upperBound)
    guard let rows = lexer.skipRows() else { throw .rowsWithoutEnd(statement.place) }
    // The line that ends the rows goes too.
    unsent.append(rows.lowerBound..<lexer.offset)
    return rows
  }

  /// Behind the semicolon of a COPY psql allows more SQL, to be run after the rows: nobody reads it that way.
  private func refuseSQL(beside line: SQLLexer, to end: Int) throws(SQLScriptError) {
    var line = line
    while let token = line.next(), token.range.lowerBound < end {
      let isIgnored = token.kind == .blank || token.kind == .comment && token.range.upperBound <= end
      if !isIgnored { throw .besideRows(token.place) }
    }
  }

  /// Outside quotes a backslash is no part of SQL.
  private mutating func skipCommand(_ backslash: SQLToken, isBetweenStatements: Bool) throws(SQLScriptError) {
    var ahead = lexer
    let name = ahead.next().map { ahead.text($0.range) } ?? ""
    guard isBetweenStatements, name == "restrict" || name == "unrestrict" else {
      throw .psqlCommand(name, backslash.place)
    }
    unsent.append(backslash.range.lowerBound..<lexer.skipLine().upperBound)
  }
}

extension SQLLexer {
  /// The text of a token; an unquoted word in upper case, of which only ASCII knows one: to the server
  /// `\u{17f}elect` is not SELECT.
  func word(_ token: SQLToken) -> String {
    token.kind == .word ? upperCasedText(token.range) : text(token.range)
  }
}

extension SQLStatement {
  /// Whether it makes the server take backslashes in plain strings for escapes, which moves the ends of
  /// strings.
  fileprivate var turnsEscapesOn: Bool {
    guard keyword == "SET", words.count < 6 else { return false }
    var rest = words.dropFirst()
    if rest.first == "SESSION" || rest.first == "LOCAL" { rest.removeFirst() }
    guard rest.popFirst() == "STANDARD_CONFORMING_STRINGS" else { return false }
    let value = rest.dropFirst().joined().lowercased().filter { $0 != "'" }
    return !["on", "true", "yes", "1", "default"].contains(value)
  }
}

/// What has to be known of a statement to find its end, gathered token by token.
struct SQLOutline {
  /// Rows follow it in the script.
  private(set) var readsStandardInput = false
  private var parentheses = 0
  /// Bodies between `BEGIN ATOMIC` and their `END`.
  private var bodies = 0
  /// How many of its first words were taken.
  private var headLength = 0
  private var verb = ""
  private var isReplacing = false
  private var isRoutine = false
  private var previous = ""

  /// Whether a semicolon would be part of the statement.
  var isOpen: Bool { parentheses > 0 || bodies > 0 }

  mutating func take(_ token: SQLToken, _ lexer: SQLLexer) {
    if lexer.isMark("(", token) { parentheses += 1 }
    if lexer.isMark(")", token) { parentheses = max(0, parentheses - 1) }
    let isHead = headLength < 4
    guard isHead || isRoutine || verb == "COPY" else { return }
    let word = token.kind == .quote ? "" : lexer.word(token)
    if isHead { takeHead(word) }
    if parentheses == 0 { takeOutside(word) }
    previous = word
  }

  /// A word that is not in parentheses, where names and expressions may be anything.
  private mutating func takeOutside(_ word: String) {
    switch word {
    case "ATOMIC" where previous == "BEGIN" && isRoutine: bodies += 1
    // Each statement of a body ends with a semicolon: any other END belongs to a CASE, or is a name.
    case "END" where bodies > 0 && (previous == ";" || previous == "ATOMIC"): bodies -= 1
    // To the server both names are one here.
    case "STDIN", "STDOUT": readsStandardInput = readsStandardInput || verb == "COPY" && previous == "FROM"
    default: break
    }
  }

  /// One of the first words, of which the second, or the one after OR REPLACE, says what is made.
  private mutating func takeHead(_ word: String) {
    switch headLength {
    case 0: verb = word
    case 1 where verb == "CREATE":
      isReplacing = word == "OR"
      isRoutine = SQLOutline.isRoutine(word)
    case 2: isReplacing = isReplacing && word == "REPLACE"
    case 3 where isReplacing: isRoutine = SQLOutline.isRoutine(word)
    default: break
    }
    headLength += 1
  }

  private static func isRoutine(_ word: String) -> Bool { word == "FUNCTION" || word == "PROCEDURE" }
}
