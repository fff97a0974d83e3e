import Definitions
import Host
import PostgreSQL
import Records
import Values

/// Loads one entry into one staged table, in one transaction: rows first, then keys.
struct SourceLoader: Sendable {
  let entry: BundleEntry
  let head: SourceHead
  let table: StagedTable
  let sourceFileID: Int
  let progress: Progress
  /// After so many records the loader looks up from its work.
  private static let stride = 4096

  /// So many refused records are kept for the quarantine; a run with more is refused whatever its limit, so that
  /// no refused record of a published release is ever lost.
  static let keptRejects = 10_000
  /// The same for their bytes.
  static let keptBytes = 4 << 20

  /// What came of it.
  struct Outcome: Sendable {
    var report: SourceReport
    var rejects: [Reject] = []
    /// Whether all refused records are in `rejects`.
    var areRejectsKept = true
    var rejectBytes = 0
    /// What is wrong with the first few refused records, as `line 12, work_rvu: ...`.
    var examples: [String] = []
    /// How many groups of rows share a key; the table is without its keys then.
    var duplicateKeys = 0
  }

  func load(on connection: Connection) throws -> Outcome {
    try connection.transaction {
      try table.create(on: connection)
      var outcome = try explaining { try copy(on: connection) }
      do {
        // In a savepoint: a key that does not hold is a finding about the data, not a failure.
        try connection.transaction { try table.index(on: connection) }
      } catch let error as PostgreSQLError where error.sqlState == "23505" {
        outcome.duplicateKeys = try table.duplicates(
          of: ["release"] + entry.source.key, on: connection)
      }
      return outcome
    }
  }

  /// The server may refuse a row that our own rules let pass: that is a finding about the data or the layout.
  private func explaining(_ body: () throws -> Outcome) throws -> Outcome {
    do {
      return try body()
    } catch let error as PostgreSQLError {
      guard case .server(let server) = error, let place = server.copyPlace else { throw error }
      throw RunError.rowRefused(
        entry: entry.entry.description, target: table.target.name, place: place,
        reason: "\(server.discreetMessage) (\(server.sqlState))")
    }
  }

  private func copy(on connection: Connection) throws -> Outcome {
    let stream = HashingStream(try entry.entry.open())
    var reader = RecordReader(stream, format: head.format)
    var encoder = RowEncoder(head, release: table.release, sourceFileID: sourceFileID)
    let skips = RecordSkips(head)
    var outcome = Outcome(
      report: SourceReport(
        sourceFileID: sourceFileID, source: entry.source.name, file: entry.entry.path,
        entry: entry.entry.entry))
    outcome.report.layout = "\(entry.source.layout) \(head.layout.name)"
    outcome.report.warnings = head.warnings
    for _ in 0..<head.recordsAbove { _ = try reader.next() }
    let rows = try connection.copy(into: table.name, columns: encoder.columnNames, freeze: true) { buffer in
      while try reader.next() {
        try take(reader, skips, &encoder, &buffer, &outcome)
      }
    }
    outcome.report.loaded = rows
    outcome.report.targets = [table.target.name: rows]
    outcome.report.bytes = stream.byteCount
    outcome.report.sha256 = stream.sha256
    return outcome
  }

  private func take(
    _ reader: borrowing RecordReader, _ skips: RecordSkips, _ encoder: inout RowEncoder,
    _ buffer: inout CopyBuffer, _ outcome: inout Outcome
  ) throws {
    if reader.place.line % SourceLoader.stride == 0 { try Interruption.shared.check() }
    if reader.isBlank {
      encoder.endBlock()
      return
    }
    outcome.report.read += 1
    if outcome.report.read % SourceLoader.stride == 0 { progress.add(SourceLoader.stride) }
    if let malformation = reader.malformation, !skips.excuses(reader, malformation) {
      let fault = RowEncoder.Fault(
        column: nil, rule: malformation.name, explanation: "the record \(malformation.description)")
      return reject(reader, fault, &outcome)
    }
    if let rule = skips.rule(reader) {
      outcome.report.skippedBy[rule, default: 0] += 1
      return
    }
    let number = outcome.report.read - outcome.report.skipped
    let fault = try reader.withRecord { bytes, fields in
      try encoder.encode(bytes, fields, record: number, line: reader.place.line, into: &buffer)
    }
    if let fault { reject(reader, fault, &outcome) }
  }

  private func reject(
    _ reader: borrowing RecordReader, _ fault: RowEncoder.Fault, _ outcome: inout Outcome
  ) {
    outcome.report.rejected += 1
    let place = reader.place
    if outcome.examples.count < 10 {
      let column = fault.column.map { ", \($0)" } ?? ""
      outcome.examples.append("\(entry.entry.description):\(place.line)\(column): \(fault.explanation)")
    }
    guard outcome.areRejectsKept else { return }
    let raw = Array(reader.raw.prefix(SourceLoader.keptBytes))
    outcome.rejectBytes += raw.count
    outcome.rejects.append(
      Reject(
        line: place.line, byteOffset: place.byteOffset, column: fault.column, rule: fault.rule, raw: raw))
    if outcome.rejectBytes > SourceLoader.keptBytes || outcome.rejects.count > SourceLoader.keptRejects {
      outcome.areRejectsKept = false
    }
  }
}
