import CLibPQ

/// A COPY that is under way: rows are put into ``buffer``, until it is finished or cancelled.
///
/// Where one record feeds several tables, each has a writer on a connection of its own.
public final class CopyWriter {
  /// The rows on their way.
  public var buffer: CopyBuffer
  private let connection: Connection
  private var sender: CopySender?

  /// Begins a COPY. `table`, `freeze` and `isOfSeveral` are as in
  /// ``Connection/copy(into:columns:freeze:isOfSeveral:_:)``.
  /// - Throws: ``PostgreSQLError`` where the server refuses the COPY.
  public init(
    _ connection: Connection, into table: String, columns: [String],
    freeze: Bool = false, isOfSeveral: Bool = false
  ) throws {
    let list = columns.map(Quote.identifier).joined(separator: ", ")
    try connection.openCopy(
      "COPY \(Quote.qualified(table)) (\(list)) FROM STDIN "
        + "(FORMAT text\(freeze ? ", FREEZE" : ""))")
    self.connection = connection
    let handle = connection.handle
    let sender = isOfSeveral ? CopySender(handle) : nil
    self.sender = sender
    buffer = CopyBuffer { piece in
      let isSent = sender?.exchange(&piece) ?? CopySender.send(piece, to: handle)
      // The reason for the failure is in the answer to the COPY, which `cancel` reads.
      if !isSent { throw CopyInterrupted(connection: handle) }
    }
  }

  deinit { _ = sender?.end() }

  /// Builds rows and finishes; a throw cancels the COPY, and the table holds none of them. Gives the number
  /// of rows that the server says it took.
  func write(_ body: (inout CopyBuffer) throws -> Void) throws -> Int {
    do {
      try body(&buffer)
      try buffer.flush()
      if let sender {
        self.sender = nil
        if !sender.end() { throw CopyInterrupted(connection: connection.handle) }
      }
    } catch {
      throw cancel(because: error)
    }
    return try connection.checked(connection.finishCopy(failing: nil), statement: "").affectedRows
  }

  /// Sends what is left and ends the COPY. Gives the number of rows that the server says it took.
  /// - Throws: ``PostgreSQLError`` where the server refuses rows, or the connection is lost.
  public func finish() throws -> Int { try write { _ in } }

  /// Ends the COPY without its rows.
  ///
  /// Gives the error to throw: the server's own where it had stopped taking the rows of this COPY.
  @discardableResult
  public func cancel(because error: any Error) -> any Error {
    if let sender {
      self.sender = nil
      _ = sender.end()
    }
    let answer = connection.finishCopy(failing: "cancelled by the client")
    guard (error as? CopyInterrupted)?.connection == connection.handle else {
      PQclear(answer)
      return error
    }
    do {
      _ = try connection.checked(answer, statement: "")
      return connection.lost()
    } catch {
      return error
    }
  }
}

/// The server stopped taking COPY data.
struct CopyInterrupted: Error {
  /// The handle of the connection, as several may be at work together.
  nonisolated(unsafe) let connection: OpaquePointer
}
