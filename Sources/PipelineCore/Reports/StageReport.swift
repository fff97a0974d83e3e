/// The time a stage took.
public struct StageReport: Sendable {
  /// discover, stage, cross-check, check or publish.
  public let stage: String
  /// Wall-clock seconds; nil while it is at work, or where it never ended.
  public let seconds: Double?
  /// The records that went through it, where it has such.
  public let records: Int?

  /// How many records went through it in a second; nil where one of the two is not known.
  public var recordsPerSecond: Int? {
    guard let records, let seconds, seconds > 0 else { return nil }
    return Int((Double(records) / seconds).rounded())
  }

  package init(
    stage: String, seconds: Double?, records: Int?
  ) {
    self.stage = stage
    self.seconds = seconds
    self.records = records
  }
}
