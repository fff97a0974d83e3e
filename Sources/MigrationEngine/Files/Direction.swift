/// Which way a migration goes.
public enum Direction: String, Sendable {
  /// Forward.
  case up
  /// Back.
  case down
}
