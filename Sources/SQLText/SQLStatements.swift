/// What can be known of SQL without a server.
public enum SQLStatements {
  /// The SQL without comments, every run of blanks one blank, and the rows of COPY as they are: what decides
  /// whether a text has changed.
  public static func normalised(_ sql: String) -> String {
    var pieces = NormalisedSQL(sql)
    var bytes: [UInt8] = []
    while let piece = pieces.next() { bytes += piece }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// ``SQLStatements/normalised(_:)`` piece by piece: a text may be many megabytes long.
public struct NormalisedSQL {
  private static let pieceSize = 1 << 16

  private var lexer: SQLLexer
  private var outline = SQLOutline()
  private var isFirst = true
  private var blankIsPending = false
  /// What is left of the rows of a COPY.
  private var rows = 0..<0

  /// The pieces of a text, from its start.
  public init(_ sql: String) { lexer = SQLLexer(sql) }

  /// Some bytes of it; nil at the end.
  public mutating func next() -> [UInt8]? {
    var piece: [UInt8] = []
    while piece.count < Self.pieceSize {
      if !rows.isEmpty {
        takeRows(&piece)
      } else if let token = lexer.next() {
        take(token, &piece)
      } else {
        break
      }
    }
    return piece.isEmpty ? nil : piece
  }

  private mutating func take(_ token: SQLToken, _ piece: inout [UInt8]) {
    if token.kind == .comment || token.kind == .blank { return blankIsPending = true }
    if blankIsPending && !isFirst { piece.append(0x20) }
    (isFirst, blankIsPending) = (false, false)
    piece += lexer.bytes(token.range)
    guard token.kind == .semicolon && !outline.isOpen else { return outline.take(token, lexer) }
    if outline.readsStandardInput { beginRows(&piece) }
    outline = SQLOutline()
  }

  /// The rows behind a COPY, which is the last on its line.
  private mutating func beginRows(_ piece: inout [UInt8]) {
    var ahead = lexer
    _ = ahead.skipLine()
    guard let found = ahead.skipRows() else { return }
    (lexer, rows) = (ahead, found)
    piece.append(0x0a)
  }

  /// Their line ends are one and the same.
  private mutating func takeRows(_ piece: inout [UInt8]) {
    let some = rows.prefix(Self.pieceSize)
    let bytes = lexer.bytes(rows)
    for index in some {
      let isReturn = bytes[index] == 0x0d && index + 1 < rows.upperBound && bytes[index + 1] == 0x0a
      if !isReturn { piece.append(bytes[index]) }
    }
    rows = some.upperBound..<rows.upperBound
  }
}
