package import Definitions

/// Records of kinds that no source of a pipeline wants.
package struct UnknownKinds: Sendable {
  private let wanted: Set<String>

  /// So many kinds are named.
  private static let shown = 8

  /// The kinds that the sources of a pipeline want.
  package init(_ pipeline: Pipeline) {
    wanted = Set(pipeline.layouts.values.flatMap(\.versions).flatMap { RecordKind($0)?.wanted ?? [] })
  }

  /// Warns of such records, once for all entries.
  package func warn(in outcomes: inout [LoadOutcome]) {
    // Each source that reads an entry comes upon them.
    var counted: Set<String> = []
    var first: (outcome: Int, report: Int)?
    var counts: [String: Int] = [:]
    for outcome in outcomes.indices {
      for report in outcomes[outcome].reports.indices {
        let found = outcomes[outcome].reports[report]
        let unknown = found.otherKinds.filter { !wanted.contains($0.key) }
        guard !unknown.isEmpty, counted.insert(found.place).inserted else { continue }
        first = first ?? (outcome, report)
        counts.merge(unknown, uniquingKeysWith: +)
      }
    }
    guard let first else { return }
    let kinds = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.shown).map {
      "\($0.key.isEmpty ? "records that do not say what they are" : $0.key) (\($0.value))"
    }
    let place = outcomes[first.outcome].reports[first.report].place
    let places = counted.count == 1 ? place : "\(counted.count) entries, the first of them \(place),"
    outcomes[first.outcome].reports[first.report].warnings.append(
      "\(counts.values.reduce(0, +)) records of \(places) are of kinds that no source takes: "
        + kinds.joined(separator: ", ") + (counts.count > Self.shown ? " and others" : ""))
  }
}
