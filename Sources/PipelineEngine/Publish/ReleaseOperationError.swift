/// Why a release cannot be moved.
public enum ReleaseOperationError: Error, CustomStringConvertible, Sendable {
  /// No such release is loaded.
  case unknown(pipeline: String, release: String, known: [String])
  /// A release that is not published cannot be the current one.
  case notPublished(release: String)
  /// Nothing has been published.
  case nothingToRollBack(pipeline: String)
  /// A table of the revision was dropped by hand.
  case tableLost(release: String, revision: Int, table: String)
  /// A run of the pipeline is at work.
  case busy(pipeline: String)

  /// A sentence for the user.
  public var description: String {
    switch self {
    case .unknown(let pipeline, let release, let known):
      "\(pipeline) has no release '\(release)': "
        + (known.isEmpty ? "none is loaded" : "loaded are \(known.joined(separator: ", "))")
    case .notPublished(let release):
      "\(release) is not published: publish it with 'rivulet releases publish' first"
    case .nothingToRollBack(let pipeline):
      "nothing of \(pipeline) is published, so there is nothing to roll back"
    case .tableLost(let release, let revision, let table):
      "table \(table) of \(release) revision \(revision) is gone: load the release again with 'rivulet run'"
    case .busy(let pipeline):
      "another run of \(pipeline) is at work: wait for it, or use --lock-wait SECONDS"
    }
  }
}
