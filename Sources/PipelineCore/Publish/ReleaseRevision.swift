/// A revision of a release.
package struct ReleaseRevision: Sendable, Equatable {
  /// The release's name.
  package let release: String
  /// Counts the contents that were loaded under the name, from 1.
  package let revision: Int

  package init(release: String, revision: Int) { (self.release, self.revision) = (release, revision) }
}

/// A table of a revision, as the database has it.
package struct ReleasePart: Sendable, Equatable {
  /// The table that it is, or would be, a partition of.
  package let target: String
  /// The table itself, `schema.table`.
  package let partition: String
  /// Its rows when it was loaded.
  package let rows: Int
  /// False where somebody has dropped the table by hand.
  package let isThere: Bool
  /// False also where somebody has detached it by hand: then nobody sees it any more.
  package let isAttached: Bool
  /// False where the target is gone, as after `migrate down`.
  package let hasTarget: Bool

  package init(
    target: String, partition: String, rows: Int, isThere: Bool, isAttached: Bool, hasTarget: Bool
  ) {
    (self.target, self.partition, self.rows) = (target, partition, rows)
    (self.isThere, self.isAttached, self.hasTarget) = (isThere, isAttached, hasTarget)
  }
}

/// The table that holds the rows of a target in some revision.
package struct ReleaseTable: Sendable, Equatable {
  /// The table that it belongs to.
  package let target: String
  /// The table itself, `schema.table`.
  package let partition: String

  package init(target: String, partition: String) { (self.target, self.partition) = (target, partition) }
}
