/// How a run ended.
public enum RunState: String, Sendable, CaseIterable {
  case running
  /// The release is visible, whole.
  case published
  /// What differs is written to tables that are published.
  case merged
  /// The release is loaded and checked, but not visible.
  case staged
  /// The same content is published already; nothing was done.
  case unchanged
  /// The data was refused; nothing was published.
  case refused
  /// Something else failed; nothing was published.
  case failed
  /// Everything was done but to publish, and what was staged is gone again.
  case dryRun = "dry_run"
  /// The run was asked to end.
  case interrupted

  /// The run has loaded what it was asked to load.
  package var isDone: Bool { [.published, .staged, .merged].contains(self) }
}
