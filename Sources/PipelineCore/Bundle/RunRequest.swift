public import Definitions

/// What a run is asked to do.
public struct RunRequest: Sendable {
  /// The file, archive or folder to load, as the user knows it.
  public var source: String
  /// Where it is: its path, or that of the copy of what came from elsewhere.
  public var location: String
  /// The files that carry a source by the user's word, whatever they are called: in the source of the run, or
  /// beside it.
  public var assigned: [(source: String, file: String)] = []
  /// The release, where the user names it.
  public var release: String?
  /// Publish what passes; otherwise it stays staged.
  public var publishes = true
  /// Do everything but publish, and leave nothing behind.
  public var isDryRun = false
  /// Run even if the same content is published already.
  public var isForced = false
  /// Publish a bundle that lacks some of the pipeline's tables.
  public var allowsMissing = false
  /// Merge changes although days before them are missing.
  public var allowsGap = false
  /// Read the tables that the bundle has in several formats in all of them, and compare.
  public var crossChecks = false
  /// The rules in spite of which it is published.
  public var acceptedRules: Set<String> = []
  /// How many records may be refused, in place of the pipeline's own limit.
  public var rejectLimit: RejectLimit?

  /// A run of one source with the pipeline's own settings.
  ///
  /// `location`: where it is, where the source is not its path.
  public init(source: String, at location: String? = nil) {
    (self.source, self.location) = (source, location ?? source)
  }
}
