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
    bytes = Array(sql.utf8)
    if let nul = bytes.firstIndex(of: 0) { throw .nul(SQLPlace(of: nul, in: bytes, firstLine: firstLine)) }
    var splitter = SQLSplitter(bytes, firstLine: firstLine)
    var found: [SQLStatement] = []
    while let statement = try splitter.next() { found.append(statement) }
    statements = found
    unsent = splitter.unsent
  }

  /// The rows after a `COPY ... FROM stdin`, with their line ends.
  public func data(of statement: SQLStatement) -> ArraySlice<UInt8>? { statement.copyData.map { bytes[$0] } }

  /// What the server is given: the text with blanks in place of what is no SQL, a character for a character
  /// and with the line ends left in, so that a place in it is the same place in the whole.
  public var text: String {
    var sent: [UInt8] = []
    sent.reserveCapacity(bytes.count)
    var end = 0
    for range in unsent {
      sent += bytes[end..<range.lowerBound]
      for byte in bytes[range] where byte & 0xc0 != 0x80 { sent.append(byte == 0x0a ? byte : 0x20) }
      end = range.upperBound
    }
    sent += bytes[end...]
    return String(decoding: sent, as: UTF8.self)
  }
}
