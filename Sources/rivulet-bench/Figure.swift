import Values

/// The middle and the ends of several measurements of the same thing.
struct Spread {
  let median: Double
  let min: Double
  let max: Double

  /// Of at least one measurement.
  init(_ values: [Double]) {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    min = sorted[0]
    max = sorted[sorted.count - 1]
  }
}

/// What was measured, and how it is judged.
struct Figure {
  /// What the measurements are.
  enum Unit: String {
    case seconds = "s"
    /// Of 1,048,576 bytes.
    case megabytes = "MB"
  }

  /// What must not be more than the limit.
  enum Judged: String {
    /// The median of the ratios.
    case ratio
    /// The largest measurement of ours.
    case maximum
    /// The middle one of ours.
    case median
  }

  let name: String
  let unit: Unit
  let runs: Int
  let ours: Spread
  /// Measured in turns with ours; nil where there is nothing to hold against.
  let yardstick: Spread?
  /// Of each of our runs to the yardstick's run right after it.
  let ratio: Spread?
  let judged: Judged
  /// Nil where nothing is demanded.
  let limit: Double?
  /// What else there is to know: rows, megabytes a second.
  let details: [(name: String, value: Int)]

  /// A duration beside its yardstick's, in seconds, run by run.
  init(
    _ name: String, ours: [Double], yardstick: [Double], limit: Double?,
    details: [(name: String, value: Int)]
  ) {
    self.name = name
    unit = .seconds
    runs = ours.count
    self.ours = Spread(ours)
    self.yardstick = Spread(yardstick)
    ratio = Spread(zip(ours, yardstick).map { $0 / $1 })
    judged = .ratio
    self.limit = limit
    self.details = details
  }

  /// A duration that is held against nothing but its limit, in seconds.
  init(_ name: String, seconds: [Double], limit: Double?) {
    self.name = name
    unit = .seconds
    runs = seconds.count
    ours = Spread(seconds)
    yardstick = nil
    ratio = nil
    judged = .median
    self.limit = limit
    details = []
  }

  /// The peak memory of each run, in bytes.
  init(_ name: String, peaks: [Int], limit megabytes: Double) {
    self.name = name
    unit = .megabytes
    runs = peaks.count
    ours = Spread(peaks.map { Double($0) / 1_048_576 })
    yardstick = nil
    ratio = nil
    judged = .maximum
    limit = megabytes
    details = []
  }

  /// The limit is kept, or there is none.
  var hasPassed: Bool {
    guard let limit else { return true }
    switch judged {
    case .ratio: return (ratio?.median ?? .infinity) <= limit
    case .maximum: return ours.max <= limit
    case .median: return ours.median <= limit
    }
  }
}
