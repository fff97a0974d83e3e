package import Definitions
import Host
package import PipelineCore
package import PostgreSQL

/// The refused records of one source on their way into `rivulet.reject`.
///
/// They go by COPY, in one transaction a source, over a connection of their own: memory stays flat, and
/// whatever becomes of the rows, the records are kept or none of them is. A source without any pays nothing
/// for it: the connection is opened with the first.
///
/// ```swift
/// let quarantine = Quarantine(of: [17], limit: .count(0), isFirst: true) { try Connection(to: target) }
/// quarantine.count()
/// if quarantine.takesMore { try quarantine.take(refused, raw.bytes, continuedAt: raw.continuedAt) }
/// try quarantine.finish(reasons, headers: headers)
/// ```
package final class Quarantine {
  /// A refused record, without its bytes.
  package struct Refused {
    package let sourceFileID: Int
    /// The physical line, from 1.
    package let line: Int
    /// In bytes from the start of the entry.
    package let byteOffset: Int
    package let column: String?
    package let rule: String
    /// What stood in the column, as ``ShownValue`` has it.
    package let value: String?
    /// What is known of its key, a JSON object by column.
    package let key: String?

    package init(
      sourceFileID: Int, line: Int, byteOffset: Int, column: String?, rule: String, value: String?,
      key: String?
    ) {
      (self.sourceFileID, self.line, self.byteOffset) = (sourceFileID, line, byteOffset)
      (self.column, self.rule, self.value, self.key) = (column, rule, value, key)
    }
  }

  private let sourceFileIDs: [Int]
  private let limit: RejectLimit
  private let connect: () throws -> Connection
  private let isFirst: Bool
  private var refused = 0
  /// How many of the records are kept.
  package private(set) var kept = 0
  private var writer: CopyWriter?
  private var connection: Connection?
  private var interruption: Int?

  /// A place for the records of the entries of one source.
  ///
  /// `limit`: the run's; beyond it the run is refused, and what is over ``RejectStore/leastKept`` need not be
  /// kept.
  /// `isFirst`: what is there already was left by a try whose connection was lost, and is removed.
  /// `connect`: opens the connection, with the first record.
  package init(
    of sourceFileIDs: [Int], limit: RejectLimit, isFirst: Bool, connect: @escaping () throws -> Connection
  ) {
    self.isFirst = isFirst
    self.sourceFileIDs = sourceFileIDs
    self.limit = limit
    self.connect = connect
  }

  deinit {
    if let interruption { Interruption.shared.unregister(interruption) }
  }

  private static func array(_ numbers: [Int]) -> String { "{" + RejectStore.list(numbers) + "}" }

  /// Counts a record that was refused, kept or not.
  package func count() { refused += 1 }

  /// Whether the records counted are not too many for the run to be published.
  package var takesMore: Bool { kept < RejectStore.leastKept || !limit.isExceeded(by: refused) }

  /// Keeps a record.
  package func take(_ record: Refused, _ bytes: [UInt8], continuedAt: [Int]) throws {
    kept += 1
    let writer = try self.writer ?? begin()
    do {
      writer.buffer.field(record.sourceFileID)
      writer.buffer.field(record.line)
      writer.buffer.field(record.byteOffset)
      if let column = record.column { writer.buffer.field(column) } else { writer.buffer.null() }
      writer.buffer.field(record.rule)
      if let value = record.value { writer.buffer.field(value) } else { writer.buffer.null() }
      if let key = record.key { writer.buffer.field(key) } else { writer.buffer.null() }
      try writer.buffer.byteField(bytes.span)
      if continuedAt.isEmpty {
        writer.buffer.null()
      } else {
        writer.buffer.field(Quarantine.array(continuedAt))
      }
      try writer.buffer.endRow()
    } catch {
      throw writer.cancel(because: error)
    }
  }

  /// Commits the records, with why they were refused and the headers of their entries.
  package func finish(_ reasons: [RejectReason], headers: [RejectHeader]) throws {
    guard let connection else { return }
    _ = try writer?.finish()
    writer = nil
    try connection.copy(
      into: "rivulet.reject_reason",
      columns: ["source_file_id", "rule", "column_name", "records", "lines", "shown"]
    ) { buffer in
      for reason in reasons {
        buffer.field(reason.sourceFileID)
        buffer.field(reason.rule)
        if let column = reason.column { buffer.field(column) } else { buffer.null() }
        buffer.field(reason.records)
        buffer.field(Quarantine.array(reason.examples.map(\.line)))
        let values = reason.examples.compactMap(\.value)
        buffer.field(Parameter.textArray(values.count == reason.examples.count ? values : []).textForm)
        try buffer.endRow()
      }
    }
    for header in headers { try header.insert(on: connection) }
    try connection.execute("COMMIT")
    self.connection = nil
  }

  private func begin() throws -> CopyWriter {
    let new = try CopyWriter(
      try open(), into: "rivulet.reject",
      columns: [
        "source_file_id", "line", "byte_offset", "column_name", "rule", "value", "key", "raw", "continued_at",
      ])
    writer = new
    return new
  }

  /// The connection, in its transaction; who lets go of it before its end rolls everything back.
  private func open() throws -> Connection {
    if let connection { return connection }
    let new = try connect()
    let canceller = new.canceller
    interruption = Interruption.shared.register { canceller.cancel() }
    // What comes beside a load becomes durable with it. What was loaded already must be kept before its rows
    // go.
    try new.execute(
      "BEGIN;"
        + (isFirst
          ? RejectStore.deletion(of: RejectStore.list(sourceFileIDs)) : "SET LOCAL synchronous_commit = on"))
    connection = new
    return new
  }
}
