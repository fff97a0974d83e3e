import Definitions
import PostgreSQL

/// Staged rows that SQL of their source takes back, as changes to what is deleted in sight.
extension PipelineRun {
  /// Lets SQL of a source have its way, and counts the records that are not staged any more as skipped by it.
  ///
  /// It may be tried again, after what it did was rolled back.
  func countingTaken(
    by source: Source, _ change: Amendment, on connection: Connection, _ body: () throws -> Void
  )
    throws
  {
    guard let table = tables[source.target] else { return }
    func count() throws -> [Int: Int] {
      let rows = try connection.execute(
        "SELECT source_file_id, count(*) FROM \(Quote.qualified(table.name)) GROUP BY source_file_id")
      return Dictionary(
        try rows.rows.map { (try $0.value(0), try $0.value(1)) }, uniquingKeysWith: { $0 + $1 })
    }
    let before = try count()
    try body()
    let after = try count()
    var found = 0
    for index in report.sources.indices where report.sources[index].source == source.name {
      let file = report.sources[index].sourceFileID
      let earlier = report.sources[index].skippedBy.removeValue(forKey: change.name) ?? 0
      let taken = (before[file] ?? 0) - (after[file] ?? 0)
      report.sources[index].loaded += earlier - taken
      report.sources[index].targets[source.target, default: 0] += earlier - taken
      if taken != 0 { report.sources[index].skippedBy[change.name] = taken }
      found += taken
    }
    report.gates.removeAll { $0.rule == change.name }
    guard found > 0 else { return }
    report.gates.append(
      GateReport(
        rule: change.name, severity: .skip, passed: true, found: found, isOdd: true,
        about: "records of \(source.name) that \(change.name) takes back are not merged", file: change.file))
  }
}
