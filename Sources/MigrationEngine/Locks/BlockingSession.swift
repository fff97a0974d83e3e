import PostgreSQL
import SQLText

/// A session that keeps another one waiting.
struct BlockingSession: Sendable, Equatable {
  let process: Int
  let user: String
  let application: String
  /// Whether it is at nothing at the moment, in an open transaction.
  let isIdle: Bool
  /// How old its transaction is, in seconds.
  let seconds: Int
  /// What it is at, or was at last, without its values; nil where the role may not see it.
  let statement: String?

  /// Who keeps a session waiting at this moment; nil where nobody does. Of several the first.
  static func of(_ process: Int, on connection: Connection) throws -> BlockingSession? {
    // A prepared transaction has no process.
    try connection.query(
      """
      SELECT a.pid, coalesce(a.usename, '?'), coalesce(a.application_name, ''), a.state LIKE 'idle%',
        coalesce(extract(epoch FROM clock_timestamp() - a.xact_start)::int, 0),
        CASE WHEN pg_has_role(a.usesysid, 'USAGE') OR pg_has_role('pg_read_all_stats', 'USAGE') THEN a.query END
      FROM unnest(pg_blocking_pids($1)) WITH ORDINALITY AS b (pid, place) JOIN pg_stat_activity a ON a.pid = b.pid
      ORDER BY place LIMIT 1
      """, [.integer(process)]
    ).first.map { row in
      BlockingSession(
        process: try row.value(0), user: try row.value(1), application: try row.value(2),
        isIdle: row[3] == "t", seconds: try row.value(4), statement: row[5].map(Self.masked))
    }
  }

  /// `process 4711 (user app, application psql), in a transaction for 12 s: SELECT n FROM t WHERE id = ?`.
  var sentence: String {
    let name = application.isEmpty ? "" : ", application \(application)"
    let at =
      isIdle ? "idle in a transaction for \(seconds) s, after" : "in a transaction for \(seconds) s, at"
    let what = statement ?? "a statement that only members of pg_read_all_stats see"
    return "process \(process) (user \(user)\(name)), \(at): \(what)"
  }

  /// So many characters of a statement are shown.
  private static let length = 120

  /// A statement in one line with `?` for its strings and numbers, which may be somebody's data; so is a text
  /// that cannot be read as SQL.
  static func masked(_ sql: String) -> String {
    guard let script = try? SQLScript(sql) else { return "?" }
    let line = script.statements.map(masked).joined(separator: "; ")
    return line.count > length ? line.prefix(length) + "..." : line
  }

  private static func masked(_ statement: SQLStatement) -> String {
    let bytes = Array(statement.text.utf8)
    var line = ""
    var end = 0
    for token in statement.tokens {
      let start = token.range.lowerBound - statement.range.lowerBound
      let text = bytes[start..<token.range.upperBound - statement.range.lowerBound]
      let isValue =
        token.kind == .quote && text.first != UInt8(ascii: "\"")
        || token.kind == .mark && text.first.map { (0x30...0x39).contains($0) } == true
      if start > end { line += " " }
      // The digits of a number are marks, one each.
      if !isValue { line += String(decoding: text, as: UTF8.self) } else if line.last != "?" { line += "?" }
      end = token.range.upperBound - statement.range.lowerBound
    }
    return line
  }
}
