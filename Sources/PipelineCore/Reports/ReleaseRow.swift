/// A revision of a release, as `releases list` shows it.
public struct ReleaseRow: Sendable {
  /// The pipeline.
  public let pipeline: String
  /// The release, such as 2025D.
  public let release: String
  /// Counts the contents loaded under the name, from 1.
  public let revision: Int
  /// staged, published, superseded or withdrawn.
  public let state: String
  /// Readers of "current" see this one.
  public let isCurrent: Bool
  /// Current because somebody said so.
  public let isPinned: Bool
  /// First day in effect, ISO.
  public let effectiveFrom: String?
  /// Last day in effect, ISO.
  public let effectiveTo: String?
  /// When it was last published, ISO 8601.
  public let publishedAt: String?
  /// The run that loaded it.
  public let run: Int
  /// Rows over all its tables.
  public let rows: Int
  /// How many runs have merged changes into it.
  public let merges: Int
  /// The last day whose changes it holds, ISO; nil where nothing was merged into it.
  public let mergedTo: String?
  /// Whether its files said that they were samples.
  public let isSynthetic: Bool
  /// The tables that it was loaded without, and the parts of tables, in words.
  public let missing: [String]

  package init(
    pipeline: String, release: String, revision: Int, state: String, isCurrent: Bool, isPinned: Bool,
    effectiveFrom: String?, effectiveTo: String?, publishedAt: String?, run: Int, rows: Int, merges: Int,
    mergedTo: String?, isSynthetic: Bool, missing: [String]
  ) {
    (self.pipeline, self.release, self.revision, self.state) = (pipeline, release, revision, state)
    (self.isCurrent, self.isPinned) = (isCurrent, isPinned)
    (self.effectiveFrom, self.effectiveTo, self.publishedAt) = (effectiveFrom, effectiveTo, publishedAt)
    (self.run, self.rows, self.merges, self.mergedTo) = (run, rows, merges, mergedTo)
    (self.isSynthetic, self.missing) = (isSynthetic, missing)
  }
}
