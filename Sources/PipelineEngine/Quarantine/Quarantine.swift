import Definitions
import Host
import PostgreSQL

/// The refused records of one source on their way into `rivulet.reject`.
///
/// They go by COPY, in one transaction a source, over a connection of their own: memory stays flat, and whatever becomes
/// of the rows, the records are kept or none of them is. A source without any pays nothing for it: the connection is
/// opened with the first.
///
/// ```swift
/// let quarantine = Quarantine(of: [17], limit: .count(0), target: target, isFirst: true)
/// quarantine.count()
/// if quarantine.takesMore { try quarantine.take(refused, RawRecord(reader, head)) }
/// try quarantine.finish(reasons, headers: headers)
/// ```
final class Quarantine {
  /// A refused record, without its bytes.
  struct Refused {
    let sourceFileID: Int
    /// The physical line, from 1.
    let line: Int
    /// In bytes from the start of the entry.
    let byteOffset: Int
    let column: String?
    let rule: String
    /// What stood in the column, as ``ShownValue`` has it.
    let value: String?
  }

  /// So many records of a source are kept once it is certain that the run has too many.
  static let leastKept = 10_000

  private let sourceFileIDs: [Int]
  private let limit: RejectLimit
  private let target: ConnectionTarget
  private let isFirst: Bool
  private var refused = 0
  /// How many of the records are kept.
  private(set) var kept = 0
  private var writer: CopyWriter?
  private var connection: Connection?
  private var interruption: Int?

  /// A place for the records of the entries of one source.
  /// - Parameters:
  ///   - limit: the run's; beyond it the run is refused, and what is over ``leastKept`` need not be kept.
  ///   - isFirst: what is there already was left by a try whose connection was lost, and goes.
  init(of sourceFileIDs: [Int], limit: RejectLimit, target: ConnectionTarget, isFirst: Bool) {
    self.isFirst = isFirst
    self.sourceFileIDs = sourceFileIDs
    self.limit = limit
    self.target = target
  }

  /// Removes what a run that never ended has left: those of its sources that were whole.
  static func clear(unfinished run: Int, on connection: Connection) throws {
    try connection.execute(
      deletion(
        of: """
          SELECT f.source_file_id FROM rivulet.source_file f JOIN rivulet.run u USING (run)
          WHERE u.run = \(run) AND u.state = 'running'
          """))
  }

  /// Removes what is beyond ``leastKept`` of a source of a run that is refused: with a share as the limit that is known
  /// only when all is read. Gives how many records are left.
  static func cut(_ sources: [[Int]], on connection: Connection) throws -> Int {
    var left = 0
    for numbers in sources where !numbers.isEmpty {
      let kept: Int = try connection.query(
        """
        WITH gone AS (
          DELETE FROM rivulet.reject WHERE (source_file_id, line, reject) IN (
            SELECT source_file_id, line, reject FROM rivulet.reject WHERE source_file_id IN (\(list(numbers)))
            ORDER BY source_file_id, line, reject OFFSET \(leastKept))
          RETURNING 1)
        SELECT (SELECT count(*) FROM rivulet.reject WHERE source_file_id IN (\(list(numbers))))
          - (SELECT count(*) FROM gone)
        """)[0].value(0)
      left += kept
    }
    return left
  }

  /// - Parameter sources: SQL that gives the numbers of sources.
  private static func deletion(of sources: String) -> String {
    ["reject", "reject_reason", "reject_header"].map { table in
      "DELETE FROM rivulet.\(table) WHERE source_file_id IN (\(sources))"
    }.joined(separator: ";")
  }

  deinit {
    if let interruption { Interruption.shared.unregister(interruption) }
  }

  private static func list(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ",") }

  private static func array(_ numbers: [Int]) -> String { "{" + list(numbers) + "}" }

  /// Counts a record that was refused, kept or not.
  func count() { refused += 1 }

  /// Whether the records counted are not too many for the run to be published.
  var takesMore: Bool { kept < Quarantine.leastKept || !limit.isExceeded(by: refused) }

  /// Keeps a record.
  func take(_ record: Refused, _ raw: RawRecord) throws {
    kept += 1
    let writer = try self.writer ?? begin()
    do {
      writer.buffer.field(record.sourceFileID)
      writer.buffer.field(record.line)
      writer.buffer.field(record.byteOffset)
      if let column = record.column { writer.buffer.field(column) } else { writer.buffer.null() }
      writer.buffer.field(record.rule)
      if let value = record.value { writer.buffer.field(value) } else { writer.buffer.null() }
      try writer.buffer.byteField(raw.bytes.span)
      if raw.continuedAt.isEmpty {
        writer.buffer.null()
      } else {
        writer.buffer.field(Quarantine.array(raw.continuedAt))
      }
      try writer.buffer.endRow()
    } catch {
      throw writer.cancel(because: error)
    }
  }

  /// Commits the records, with why they were refused and the headers of their entries.
  func finish(_ reasons: [RejectReason], headers: [RejectHeader]) throws {
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
        "source_file_id", "line", "byte_offset", "column_name", "rule", "value", "raw", "continued_at",
      ])
    writer = new
    return new
  }

  /// The connection, in its transaction; who lets go of it before its end takes everything back.
  private func open() throws -> Connection {
    if let connection { return connection }
    let new = try StagingWorkers.connect(target)
    let canceller = new.canceller
    interruption = Interruption.shared.register { canceller.cancel() }
    // What comes beside a load becomes durable with it. What was loaded already must be kept before its rows go.
    try new.execute(
      "BEGIN;"
        + (isFirst
          ? Quarantine.deletion(of: Quarantine.list(sourceFileIDs)) : "SET LOCAL synchronous_commit = on"))
    connection = new
    return new
  }
}
