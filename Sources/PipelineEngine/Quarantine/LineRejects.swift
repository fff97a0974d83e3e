import Definitions
import Records

extension PipelineRun {
  /// Keeps the records that checks rejected. Their rows alone were staged, so that the records are read again from
  /// their source, by the lines that the rows carry.
  func quarantine(_ rejected: [RowTaking.Rejected], _ outcomes: inout [SourceLoader.Outcome]) throws {
    for taken in rejected {
      guard
        let index = outcomes.firstIndex(where: { outcome in
          outcome.reports.contains { $0.sourceFileID == taken.sourceFileID }
        }),
        let report = outcomes[index].reports.first(where: { $0.sourceFileID == taken.sourceFileID }),
        let entry = found.entries.first(where: {
          $0.source.name == report.source && $0.entry.entry.path == report.file
            && $0.entry.entry.entry == report.entry
        })
      else { continue }
      if taken.lines.count < taken.count { outcomes[index].areRejectsKept = false }
      let records = try LineRejects(entry: entry).read(taken.lines, rule: taken.check.rule)
      try setting.connections.note { try $0.keepRejects(records, sourceFileID: taken.sourceFileID) }
      let about = taken.check.summary.isEmpty ? "" : ": \(taken.check.summary)"
      outcomes[index].examples += taken.lines.prefix(max(0, 10 - outcomes[index].examples.count)).map {
        "\(entry.entry.entry.description):\($0): the record breaks the rule '\(taken.check.rule)'\(about)"
      }
    }
  }
}

/// Records of an entry that are known by their lines.
struct LineRejects {
  let entry: HeadedEntry

  /// Reads the entry once more and gives the records on some lines as they stand there.
  ///
  /// Throws ``RunError/sourceChanged(_:)`` where one of them is not there any more.
  func read(_ lines: [Int], rule: String) throws -> [Reject] {
    var wanted = Set(lines)
    var rejects: [Reject] = []
    var reader = try RecordReader(
      entry.entry.entry, format: entry.head.format, encoding: entry.source.encoding)
    for _ in 0..<entry.head.recordsAbove { _ = try reader.next() }
    while !wanted.isEmpty, try reader.next() {
      let place = reader.place
      guard wanted.remove(place.line) != nil else { continue }
      rejects.append(
        Reject(line: place.line, byteOffset: place.byteOffset, column: nil, rule: rule, raw: reader.raw))
    }
    guard wanted.isEmpty else { throw RunError.sourceChanged(entry.entry.entry.path) }
    return rejects
  }
}
