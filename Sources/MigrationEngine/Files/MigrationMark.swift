/// What somebody says of a migration that this program has not run, or not reverted.
public enum MigrationMark: String, Sendable {
  /// What it does is there.
  case applied
  /// What it does is not there any more.
  case pending
}
