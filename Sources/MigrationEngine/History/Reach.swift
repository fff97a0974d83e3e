/// The highest versions that were applied, by the datasets that were used then.
///
/// A migration of a dataset that is used only from now on is not late, however many of higher versions are
/// applied: its turn had never come.
struct Reach {
  /// Whatever was used.
  private var newest: VersionKey?
  /// While all datasets were used.
  private var newestOfAll: VersionKey?
  /// While some were used: by each of them.
  private var newestByDataset: [String: VersionKey] = [:]

  /// Whether a higher version than one was applied when one of its datasets, none for every database, was used.
  func isBeyond(_ key: VersionKey, of datasets: [String]) -> Bool {
    if datasets.isEmpty { return newest.map { key < $0 } ?? false }
    return newestOfAll.map { key < $0 } ?? false
      || datasets.contains { newestByDataset[$0].map { key < $0 } ?? false }
  }

  /// Takes in a version that was applied while some datasets were used, nil for all.
  mutating func extend(to key: VersionKey, using datasets: [String]?) {
    newest = newest.map { max($0, key) } ?? key
    guard let datasets else {
      newestOfAll = newestOfAll.map { max($0, key) } ?? key
      return
    }
    for name in datasets { newestByDataset[name] = newestByDataset[name].map { max($0, key) } ?? key }
  }
}
