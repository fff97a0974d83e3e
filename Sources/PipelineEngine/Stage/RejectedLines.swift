import Definitions
import Host
import PipelineCore
import PostgreSQL
import Records
import Store

/// Keeps records of an entry that are refused only after they were loaded, by a rule over all rows, which
/// knows them by their lines: the entry is read again for what is there.
struct RejectedLines: Sendable {
  /// Where the records go.
  let target: ConnectionTarget
  /// Whether values may be shown, and the keys of the records be kept: no column of the layout is sensitive.
  let showsValues: Bool

  /// Keeps the records that begin on some lines, each with those that continue it, in a transaction of its
  /// own.
  ///
  /// To be called once an entry and rule. The records count as refused from then on: the caller takes their
  /// rows away, and corrects the counts of its report by what is given here.
  ///
  /// `lines`: physical lines from 1, as rows have them in `source_line`.
  /// `report`: that of the entry.
  /// `column`: the one to blame, if there is one.
  /// `explanation`: what is wrong in words, without a value.
  /// - Returns: the reason, with the number of records found and kept.
  /// - Throws: what reading the entry throws, `RunError.sourceChanged` where a line is not there any more.
  func keep(
    _ lines: Set<Int>, of entry: HeadedEntry, report: SourceReport, rule: String, column: String? = nil,
    explanation: String
  ) throws -> RejectReason {
    // All are kept: they were loaded, and would be lost otherwise.
    let quarantine = Quarantine(of: [report.sourceFileID], limit: .percent(100), isFirst: false) {
      try StagingWorkers.connect(target)
    }
    var tally = RejectTally()
    var header: [[UInt8]] = []
    let skips = RecordSkips(entry.head, key: entry.source.key)
    let key = RejectedKey(entry.head, key: entry.source.key, showsValues: showsValues)
    var held = HeldRecord()
    var open: Quarantine.Refused?
    func close() throws {
      if let open { try quarantine.take(open, RawRecord(held, entry.head)) }
      open = nil
    }
    var reader = try RecordReader(
      entry.entry.entry, format: entry.head.format, encoding: entry.source.encoding)
    var (number, found) = (0, 0)
    while try reader.next() {
      number += 1
      if number % 4096 == 0 { try Interruption.shared.check() }
      guard number > entry.head.recordsAbove else {
        if number > entry.head.recordsAbove - entry.head.headerDepth {
          header.append(RawRecord(reader, entry.head).bytes)
        }
        continue
      }
      guard lines.contains(reader.place.line) else {
        // What is between a record and one that continues it is left out as it was when they were loaded.
        guard open != nil, !reader.isBlank, !skips.leavesOut(reader) else { continue }
        guard skips.isContinuation(reader) else {
          try close()
          continue
        }
        // One that agrees with none was refused by itself.
        if held.agrees(with: reader, in: skips.sameKey) { _ = held.join(reader, fields: skips.joined) }
        continue
      }
      try close()
      found += 1
      tally.count(
        Fault(column: column, rule: rule, explanation: explanation), line: reader.place.line, value: nil)
      held.hold(reader)
      open = Quarantine.Refused(
        sourceFileID: report.sourceFileID, line: reader.place.line, byteOffset: reader.place.byteOffset,
        column: column, rule: rule, value: nil,
        key: reader.withRecord { key?.text($0, $1, encoding: reader.encoding) })
    }
    try close()
    guard found == lines.count, let reason = tally.reasons(of: report).first else {
      throw RunError.sourceChanged(report.file)
    }
    try quarantine.finish(
      [reason], headers: [RejectHeader(sourceFileID: report.sourceFileID, records: header)])
    return reason
  }
}
