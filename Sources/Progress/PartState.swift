/// What a part of a task was like at one moment.
public struct PartState: Sendable, Equatable {
  /// Whether its turn has come.
  public enum Phase: Sendable {
    case waiting
    case working
    case ended
  }

  /// Its name: `pprrvu`.
  public var name: String
  /// Whether its turn has come.
  public var phase: Phase
  /// What is done after its bytes are through, such as `keys`; empty before.
  public var activity: String
  /// How many bytes are through; nil where nobody knows.
  public var bytes: Int?
  /// How many bytes it has; nil where nobody knows.
  public var total: Int?
  /// How many bytes were there when it began.
  public var first: Int
  /// How many rows it has, where it is counted in rows alone; nil where nobody knows.
  public var totalRows: Int?
  /// How many rows were done when it began.
  public var firstRow: Int
  /// How many rows are through; nil where nobody counts.
  public var rows: Int?
  /// How many of the rows were rejected; nil where nothing can be.
  public var rejects: Int?
  /// How long its bytes took, or have been on their way.
  public var seconds: Double
  /// How long its activity has been at work.
  public var activitySeconds: Double
  /// The processes of the server that are at work on it.
  public var processes: [Int]

  /// A state.
  public init(
    name: String, phase: Phase = .working, activity: String = "", bytes: Int? = nil, total: Int? = nil,
    first: Int = 0, totalRows: Int? = nil, firstRow: Int = 0, rows: Int? = nil, rejects: Int? = nil,
    seconds: Double = 0, activitySeconds: Double = 0,
    processes: [Int] = []
  ) {
    (self.name, self.phase, self.activity) = (name, phase, activity)
    (self.bytes, self.total, self.first, self.rows, self.rejects) = (bytes, total, first, rows, rejects)
    (self.totalRows, self.firstRow) = (totalRows, firstRow)
    (self.seconds, self.activitySeconds, self.processes) = (seconds, activitySeconds, processes)
  }

  /// How much of its bytes, or of its rows where these are what is counted, is through, from 0 to 1; nil where
  /// nobody knows.
  public var share: Double? {
    if let bytes, let total, total > 0 { return min(1, Double(bytes) / Double(total)) }
    guard let rows, let totalRows, totalRows > 0 else { return nil }
    return min(1, Double(rows) / Double(totalRows))
  }

  /// How many rows went through in a second, since it began; nil before there is something to tell it from.
  public var rowsPerSecond: Double? {
    guard let rows, seconds >= Self.leastSeconds else { return nil }
    return Double(rows - firstRow) / seconds
  }

  /// How many bytes went through in a second, since it began; nil before there is something to tell it from.
  public var bytesPerSecond: Double? {
    guard let bytes, bytes > first, seconds >= Self.leastSeconds else { return nil }
    return Double(bytes - first) / seconds
  }

  /// How long the rest of its bytes, or rows, will take, as those before did, in seconds; nil where nobody
  /// knows.
  public var secondsLeft: Double? {
    guard phase == .working, activity.isEmpty else { return nil }
    if let bytes, let total, let speed = bytesPerSecond { return Double(max(0, total - bytes)) / speed }
    guard let rows, let totalRows, rows > firstRow, let speed = rowsPerSecond else { return nil }
    return Double(max(0, totalRows - rows)) / speed
  }

  /// What is measured over less time than this tells nothing.
  private static let leastSeconds = 0.5
}
