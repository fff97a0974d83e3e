/// How often each of a few values was seen; of a file of millions only the first ones are distinguished.
struct ValueCounts {
  /// How many records have a value, by value.
  private var counts: [String: Int] = [:]
  /// The same beyond the first ``keptValues`` values.
  private var others = 0

  /// So many values are distinguished.
  private static let keptValues = 20
  /// So many of them are shown.
  private static let shownValues = 5

  /// How many were seen.
  var total: Int { counts.values.reduce(others, +) }

  /// Counts one more.
  mutating func note(_ value: String) {
    if counts[value] != nil || counts.count < Self.keptValues {
      counts[value, default: 0] += 1
    } else {
      others += 1
    }
  }

  /// The most frequent ones with their numbers: `XYZ (3), A (1) and others`.
  var shown: String {
    let values = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.shownValues)
      .map { "\($0.key) (\($0.value))" }
    let more = counts.count > Self.shownValues || others > 0 ? " and others" : ""
    return values.joined(separator: ", ") + more
  }
}
