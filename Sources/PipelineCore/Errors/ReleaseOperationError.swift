/// Why a release cannot be moved.
public enum ReleaseOperationError: Error, CustomStringConvertible, Sendable {
  /// No such release is loaded.
  case unknown(pipeline: String, release: String, known: [String])
  /// A release that is not published cannot be the current one.
  case notPublished(release: String)
  /// Nothing has been published, or nothing of one release, or what was is not any more.
  case nothingToRollBack(pipeline: String, release: String?)
  /// A table of the revision was dropped by hand.
  case tableLost(release: String, revision: Int, table: String)
  /// A run of the pipeline is at work.
  case busy(pipeline: String)
  /// Others held the tables of a release, where it is known, or rivulet's own, to the end. The sessions are
  /// those that still hold them, as far as they are known.
  case blocked(pipeline: String, release: String?, sessions: [String])
  /// The release has no such revision.
  case unknownRevision(release: String, revision: Int, known: [Int])
  /// What readers of "current" see cannot be dropped.
  case isCurrent(pipeline: String, release: String, isPinned: Bool)
  /// A single revision that is published cannot be dropped.
  case revisionIsPublished(pipeline: String, release: String, revision: Int)

  /// A sentence for the user.
  public var description: String {
    switch self {
    case .unknown(let pipeline, let release, let known):
      "\(pipeline) has no release '\(release)': "
        + (known.isEmpty ? "none is loaded" : "loaded are \(known.joined(separator: ", "))")
    case .notPublished(let release):
      "\(release) is not published"
    case .nothingToRollBack(let pipeline, let release):
      "nothing of \(pipeline)\(release.map { " " + $0 } ?? "") is published, so there is nothing to roll back"
    case .tableLost(let release, let revision, let table):
      "table \(table) of \(release) revision \(revision) is gone"
    case .busy(let pipeline):
      "another run of \(pipeline) is at work"
    case .blocked(let pipeline, let release, let sessions):
      "the tables of \(pipeline)\(release.map { " " + $0 } ?? "") were not released in time, and nothing was changed"
        + (sessions.isEmpty ? "" : ": in the way is \(sessions.joined(separator: ", "))")
    case .unknownRevision(let release, let revision, let known):
      "\(release) has no revision \(revision): loaded are \(known.map(String.init).joined(separator: ", "))"
    case .isCurrent(let pipeline, let release, let isPinned):
      "\(release) is the current release of \(pipeline)\(isPinned ? ", pinned" : ""), so that it is not dropped"
    case .revisionIsPublished(_, let release, let revision):
      "revision \(revision) of \(release) is published, so that it is not dropped alone"
    }
  }

  /// How to go on.
  public var hint: String {
    switch self {
    case .unknown(let pipeline, _, let known):
      known.isEmpty
        ? "load one with 'rivulet run \(pipeline) SOURCE'" : "'rivulet releases list \(pipeline)' lists them"
    case .notPublished: "publish it with 'rivulet releases publish' first"
    case .tableLost: "load the release again with 'rivulet run'"
    case .busy: "wait for it, or use --lock-wait SECONDS"
    case .unknownRevision: "name one of these with --revision"
    case .isCurrent(let pipeline, _, let isPinned):
      isPinned
        ? "pin another release with 'rivulet releases pin \(pipeline) RELEASE', or --clear, first"
        : "make another one current with 'rivulet releases pin \(pipeline) RELEASE', "
          + "or hide it with 'rivulet releases rollback \(pipeline)', first"
    case .revisionIsPublished(let pipeline, let release, _):
      "'rivulet releases drop \(pipeline) \(release)' drops the whole release; "
        + "'rivulet releases rollback \(pipeline)' rolls the newest publication back"
    case .nothingToRollBack(let pipeline, _): "'rivulet releases list \(pipeline)' lists what is loaded"
    case .blocked:
      "wait longer with --lock-wait SECONDS, or see in pg_locks and pg_stat_activity what the sessions do"
    }
  }
}
