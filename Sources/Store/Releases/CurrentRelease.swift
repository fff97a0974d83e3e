/// The release of a pipeline that is current, and when it is in effect.
public struct CurrentRelease: Sendable {
  /// Its name.
  public let release: String
  /// Its first day in effect, `YYYY-MM-DD`; nil where it is not known.
  public let from: String?
  /// Its last day in effect, `YYYY-MM-DD`; nil where it is not known.
  public let to: String?
  /// Whether the last day is over.
  public let isOver: Bool
}
