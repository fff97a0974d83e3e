/// A time-out as PostgreSQL takes it: `2s`, `500ms`, `10min`, or bare milliseconds.
struct TimeSpan: Sendable, Comparable {
  let milliseconds: Int
  /// What is left of a longer one: nobody's wish may exceed it.
  var isShortened = false

  init(seconds: Double) { milliseconds = max(1, Int((seconds * 1000).rounded())) }

  /// Reads a whole number with a unit; nil where it is none.
  init?(_ text: String) {
    let digits = text.prefix { ("0"..."9").contains($0) }
    let units = ["": 1, "ms": 1, "s": 1000, "min": 60_000, "h": 3_600_000, "d": 86_400_000]
    guard digits.count < 10, let number = Int(digits), let unit = units[String(text.dropFirst(digits.count))]
    else {
      return nil
    }
    milliseconds = number * unit
  }

  /// As PostgreSQL takes it.
  var text: String { "\(milliseconds)ms" }

  var seconds: Double { Double(milliseconds) / 1000 }

  static func < (left: TimeSpan, right: TimeSpan) -> Bool { left.milliseconds < right.milliseconds }
}
