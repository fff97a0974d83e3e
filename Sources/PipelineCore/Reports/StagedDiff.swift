/// What publishing a staged release would change for its readers.
public struct StagedDiff: Sendable {
  /// The published release that it is held against: the same one, else the one in effect before it.
  public let from: String
  /// Its published revision.
  public let fromRevision: Int
  /// The staged release.
  public let to: String
  /// What differs, in the order of the pipeline's sources; the first is the main table.
  public let tables: [TableDiff]

  package init(
    from: String, fromRevision: Int, to: String, tables: [TableDiff]
  ) {
    self.from = from
    self.fromRevision = fromRevision
    self.to = to
    self.tables = tables
  }
}
