/// How many rows of a release's main table are new, gone and changed against what was published before it.
public struct ReleaseChange: Sendable {
  /// The main table, `schema.table`: that of the pipeline's first source.
  public let table: String
  /// The published release that it was held against: the same one, else the one in effect before it.
  public let from: String
  /// Its published revision.
  public let fromRevision: Int
  /// Rows whose key is new.
  public let added: Int
  /// Rows whose key is gone.
  public let removed: Int
  /// Rows of both with another value in one column or more.
  public let changed: Int

  package init(
    table: String, from: String, fromRevision: Int, added: Int, removed: Int, changed: Int
  ) {
    self.table = table
    self.from = from
    self.fromRevision = fromRevision
    self.added = added
    self.removed = removed
    self.changed = changed
  }
}
