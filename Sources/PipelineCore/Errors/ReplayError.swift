/// Why corrected records cannot be added to a release.
public enum ReplayError: Error, Sendable, CustomStringConvertible {
  /// The run's release is not what readers see, nor waiting to be.
  ///
  /// `isOverLimit` where it was refused for the number of its refused records.
  case notInPlace(run: Int, state: RunState, by: Int?, isOverLimit: Bool)
  /// The run's own tables were amended as they were loaded.
  case amendedAsLoaded(run: Int, entry: String)
  /// The run has refused nothing.
  case nothingRefused(run: Int)
  /// One file for records of several entries.
  case severalEntries(run: Int, path: String, names: [String])
  /// What is in a folder is of none of the entries.
  case unknownFiles(path: String, found: [String], names: [String])
  /// The layout that the records were refused by is not there any more.
  case layoutGone(entry: String, layout: String)

  /// The command line names what is not there, rather than the data being refused.
  public var isUsage: Bool {
    switch self {
    case .nothingRefused, .severalEntries: true
    default: false
    }
  }

  /// A sentence for the user.
  public var description: String {
    switch self {
    case .notInPlace(let run, let state, let other?, _) where state == .published || state == .staged:
      "run \(run) did not make the revision that is published now, run \(other) did"
    case .notInPlace(let run, let state, nil, _) where state == .published || state == .staged:
      "the release of run \(run) is not published"
    case .notInPlace(let run, let state, _, _):
      "run \(run) ended \(state.rawValue) and published nothing that records could be added to"
    case .amendedAsLoaded(let run, let entry):
      "run \(run) loaded its release together with \(entry), so that its tables are not there as they were without "
        + "it"
    case .nothingRefused(let run): "run \(run) has refused no record, so there is nothing to correct"
    case .severalEntries(let run, let path, _):
      "run \(run) has refused records of several entries, and \(path) does not say of which it has them"
    case .unknownFiles(let path, let found, let names):
      "\(path) holds \(found.isEmpty ? "nothing" : found.joined(separator: ", ")) where records of "
        + "\(names.joined(separator: ", ")) should be"
    case .layoutGone(let entry, let layout):
      "the records of \(entry) were refused by the layout '\(layout)', which the pipeline has no more"
    }
  }

  /// How to go on.
  public var hint: String {
    switch self {
    case .notInPlace(let run, let state, let other?, _) where state == .published || state == .staged:
      "replay into that one, 'rivulet rejects replay \(other) FILE', or go back to the revision of run \(run) first"
    case .notInPlace(_, let state, nil, _) where state == .published || state == .staged:
      "publish it with 'rivulet releases publish' first"
    case .notInPlace(_, _, let other, let isOverLimit):
      (other.map { "replay into run \($0), whose revision is published, or correct" } ?? "correct")
        + " the source and run it again"
        + (isOverLimit ? ", or run it with --max-rejects and replay then" : "")
    case .amendedAsLoaded, .layoutGone: "correct the source and run it again"
    case .nothingRefused: "'rivulet runs list' lists the runs with what they have refused"
    case .severalEntries(_, let path, let names):
      "make \(path) a folder with \(names.joined(separator: ", ")), or give it the name of one of these, as "
        + "'rivulet rejects export' does"
    case .unknownFiles: "name the files as 'rivulet rejects export' does"
    }
  }
}
