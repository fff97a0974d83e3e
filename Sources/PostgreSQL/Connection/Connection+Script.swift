import CLibPQ

/// Which statement of a script failed, and how.
public struct ScriptFailure: Error, Sendable {
  /// How many statements before it were done.
  public let index: Int
  /// What went wrong.
  public let error: PostgreSQLError
}

extension Connection {
  /// Runs a script of several statements in one round trip, knows which one fails, and gives how many were
  /// done.
  ///
  /// `rows` gives what a `COPY ... FROM stdin` among them reads, by the statement's place from 0; nil where
  /// the statement has none, which fails it. Outside a transaction the server makes the script one of its
  /// own.
  ///
  /// A `COPY ... TO stdout` fails, but what follows it has been run: there should be a transaction around it.
  /// - Throws: ``ScriptFailure``, with the place of the statement that failed.
  @discardableResult
  public func run(
    script sql: String, rows: (Int) -> ArraySlice<UInt8>? = { _ in nil }
  ) throws(ScriptFailure) -> Int {
    if sql.utf8.contains(0) { throw ScriptFailure(index: 0, error: .server(.containsNUL(sql))) }
    guard PQsendQuery(handle, sql) == 1 else { throw ScriptFailure(index: 0, error: lost()) }
    var done = 0
    var failure: ScriptFailure?
    while let answer = PQgetResult(handle) {
      switch PQresultStatus(answer) {
      case PGRES_COPY_IN:
        PQclear(answer)
        // Where not even the end can be said, libpq would ask for rows for ever.
        guard send(rows(done)) else { throw ScriptFailure(index: done, error: lost()) }
        continue
      case PGRES_COPY_OUT, PGRES_COPY_BOTH:
        PQclear(answer)
        discardCopyOut()
        failure = failure ?? ScriptFailure(index: done, error: .server(.copyToClient(sql)))
        continue
      default: break
      }
      do throws(PostgreSQLError) {
        // Only the last answer to a statement has a tag: rules that select give answers before it, and an
        // empty script has none.
        if try checked(answer, statement: sql).commandTag.isEmpty { continue }
        done += 1
      } catch {
        // What follows the first error in the same string is not run; a lost connection answers no more.
        failure = failure ?? ScriptFailure(index: done, error: error)
      }
    }
    if let failure { throw failure }
    return done
  }

  /// Hands the rows over and ends the COPY, whose outcome is the next answer; false where that was not
  /// possible.
  private func send(_ rows: ArraySlice<UInt8>?) -> Bool {
    guard let rows else { return PQputCopyEnd(handle, "there are no rows in the script for it") == 1 }
    let isSent = rows.withUnsafeBytes { buffer in
      stride(from: 0, to: buffer.count, by: 1 << 20).allSatisfy { start in
        let piece = UnsafeRawBufferPointer(rebasing: buffer[start..<min(start + 1 << 20, buffer.count)])
        return PQputCopyData(
          handle, piece.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(piece.count)) == 1
      }
    }
    return PQputCopyEnd(handle, isSent ? nil : "the rows could not be sent") == 1
  }

  func discardCopyOut() {
    var row: UnsafeMutablePointer<CChar>?
    while PQgetCopyData(handle, &row, 0) > 0 { PQfreemem(row) }
  }
}

extension ServerError {
  /// libpq takes text up to the first NUL: what follows would be dropped without a word.
  static func containsNUL(_ statement: String) -> ServerError {
    ServerError(
      sqlState: "22021", message: "invalid byte sequence for encoding \"UTF8\": 0x00",
      hint: "PostgreSQL's text cannot hold the character NUL.", statement: statement)
  }

  /// Rows that the server would send to this program, which has no use for them.
  static func copyToClient(_ statement: String) -> ServerError {
    ServerError(
      sqlState: "0A000", message: "COPY to the client cannot be used here",
      hint: "Use COPY with a file of the server.", statement: statement)
  }
}
