import CLibPQ

/// Which statement of a script failed, and how.
public struct ScriptFailure: Error, Sendable {
  /// How many statements before it were done.
  public let index: Int
  /// What went wrong.
  public let error: PostgreSQLError
}

extension Connection {
  /// Runs a script of several statements in one round trip, and knows which one fails.
  ///
  /// `rows` gives what a `COPY ... FROM stdin` among them reads, by the statement's place from 0; nil where the
  /// statement has none, which fails it. Outside a transaction the server makes the script one of its own.
  public func run(
    script sql: String, rows: (Int) -> ArraySlice<UInt8>? = { _ in nil }
  ) throws(ScriptFailure) {
    if sql.utf8.contains(0) { throw ScriptFailure(index: 0, error: .server(.containsNUL(sql))) }
    guard PQsendQuery(handle, sql) == 1 else { throw ScriptFailure(index: 0, error: lost()) }
    var done = 0
    var failure: ScriptFailure?
    while let answer = PQgetResult(handle) {
      switch PQresultStatus(answer) {
      case PGRES_COPY_IN:
        PQclear(answer)
        send(rows(done))
        continue
      case PGRES_COPY_OUT, PGRES_COPY_BOTH:
        PQclear(answer)
        discardCopyOut()
        failure = failure ?? ScriptFailure(index: done, error: .server(.copyToClient(sql)))
        continue
      default: break
      }
      do throws(PostgreSQLError) {
        _ = try checked(answer, statement: sql)
        done += 1
      } catch {
        // What follows the first error in the same string is not run; a lost connection answers no more.
        failure = failure ?? ScriptFailure(index: done, error: error)
      }
    }
    if let failure { throw failure }
  }

  /// Hands the rows over and ends the COPY; its outcome is the next answer.
  private func send(_ rows: ArraySlice<UInt8>?) {
    guard let rows else {
      PQputCopyEnd(handle, "there are no rows in the script for it")
      return
    }
    let isSent = rows.withUnsafeBytes { buffer in
      stride(from: 0, to: buffer.count, by: 1 << 20).allSatisfy { start in
        let piece = UnsafeRawBufferPointer(rebasing: buffer[start..<min(start + 1 << 20, buffer.count)])
        return PQputCopyData(
          handle, piece.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(piece.count)) == 1
      }
    }
    PQputCopyEnd(handle, isSent ? nil : "the rows could not be sent")
  }

  private func discardCopyOut() {
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
