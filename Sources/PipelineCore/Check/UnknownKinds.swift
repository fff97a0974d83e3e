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

  /// Warns of such records, once an entry.
  package func warn(in outcomes: inout [LoadOutcome]) {
    var warned: Set<String> = []
    for outcome in outcomes.indices {
      for report in outcomes[outcome].reports.indices {
        let found = outcomes[outcome].reports[report]
        let unknown = found.otherKinds.filter { !wanted.contains($0.key) }
        guard !unknown.isEmpty, warned.insert(found.place).inserted else { continue }
        let kinds = unknown.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.shown).map {
          "\($0.key.isEmpty ? "records that do not say what they are" : $0.key) (\($0.value))"
        }
        outcomes[outcome].reports[report].warnings.append(
          "\(unknown.values.reduce(0, +)) records of \(found.place) are of kinds that no source takes: "
            + kinds.joined(separator: ", ") + (unknown.count > Self.shown ? " and others" : ""))
      }
    }
  }
}
