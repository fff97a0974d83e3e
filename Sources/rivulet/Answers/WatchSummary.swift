import Reporting
import Values
import ViewEngine

/// What `refresh --watch` has done in some time.
struct WatchSummary {
  /// How often views were refreshed that something had changed for.
  private(set) var refreshes = 0
  private var views: Set<String> = []
  private var rowsChanged = 0
  /// The longest time from a change to its view, in seconds, as far as known.
  private var slowest: Double?

  /// A view is as it should be; after so many seconds at most, where that is known.
  mutating func add(_ refresh: ViewRefresh, seconds: Double?) {
    guard refresh.outcome == .refreshed else { return }
    refreshes += 1
    views.insert(refresh.view)
    rowsChanged += refresh.rowsChanged
    if let seconds { slowest = max(slowest ?? 0, seconds) }
  }

  /// `2 views refreshed 41 times, 1,204 rows changed, at most 0.31 s after the change`.
  var text: String {
    if refreshes == 0 { return "no view refreshed" }
    let done =
      "\(views.count.grouped) view\(views.count == 1 ? "" : "s") refreshed "
      + (refreshes == 1 ? "once" : "\(refreshes.grouped) times")
    let rows = "\(rowsChanged.grouped) row\(rowsChanged == 1 ? "" : "s") changed"
    let last = slowest.map { "at most \(JSON.seconds($0).text) s after the change" }
    return [done, rows, last].compactMap(\.self).joined(separator: ", ")
  }

  /// The same for scripts.
  var json: JSON {
    [
      "refreshes": refreshes, "views": views.sorted(), "rows_changed": rowsChanged,
      "slowest_seconds": slowest.map(JSON.seconds),
    ]
  }
}
