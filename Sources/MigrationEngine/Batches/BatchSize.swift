/// How many rows the next batch has: half as many where other sessions waited for the last one, and then more
/// again, step by step.
struct BatchSize {
  private let full: Int
  private(set) var rows: Int

  var isFull: Bool { rows == full }

  init(_ full: Int) { (self.full, rows) = (full, full) }

  mutating func adapt(hasKeptWaiting: Bool) {
    rows = hasKeptWaiting ? max(1, rows / 2) : min(full, rows + max(1, full / 10))
  }
}
