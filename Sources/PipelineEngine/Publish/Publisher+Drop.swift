import PostgreSQL

/// What `releases drop` removed.
public struct DroppedRelease: Sendable {
  /// The revisions, the newest first.
  public let revisions: [Int]
  /// How many rows their tables had.
  public let rows: Int
  /// How much of the disk they took with their indexes, in bytes.
  public let bytes: Int
}

/// Revisions that go for good. The ledger keeps what it knows of the runs and files that brought them.
extension Publisher {
  /// Removes revisions of a release with their tables, in one transaction, which also asks for those to remove: what is
  /// current changes with the hour. `about` is told what before it is committed.
  func drop(
    _ release: String, choose: () throws -> [Int], about: (DroppedRelease) -> Void
  ) throws -> DroppedRelease {
    var dropped = DroppedRelease(revisions: [], rows: 0, bytes: 0)
    try retryingLocks({ release }) {
      let revisions = try choose().map { Revision(release: release, revision: $0) }
      let parts = try revisions.flatMap { try self.parts(of: $0) }
      // Only what is in sight has readers.
      let attached = parts.filter(\.isAttached)
      try connection.execute(keepVacuumAway(from: parts))
      try keepReadersAway(from: attached)
      try detach(attached)
      let tables = parts.filter(\.isThere).map(\.partition)
      let bytes: Int = try connection.query(
        "SELECT coalesce(sum(pg_total_relation_size(to_regclass(t))), 0)::bigint FROM unnest($1::text[]) t",
        [.textArray(tables)])[0].value(0)
      if !tables.isEmpty {
        try connection.execute("DROP TABLE \(tables.map(Quote.qualified).joined(separator: ", "))")
      }
      try markDropped(release, attached: attached)
      for revision in revisions { try forget(revision) }
      dropped = DroppedRelease(
        revisions: revisions.map(\.revision), rows: parts.reduce(0) { $0 + $1.rows }, bytes: bytes)
      about(dropped)
    }
    return dropped
  }

  /// Takes a revision out of the releases, and out of the publications that can be taken back: one that replaced it is
  /// as if it had replaced what it had replaced itself.
  private func forget(_ revision: Revision) throws {
    try connection.query(
      """
      WITH later AS (
        UPDATE rivulet.publication p SET replaced_revision = (
          SELECT nullif(d.replaced_revision, p.revision) FROM rivulet.publication d
          WHERE (d.pipeline, d.release, d.revision) = (p.pipeline, p.release, p.replaced_revision)
            AND d.undone_at IS NULL AND d.publication < p.publication
          ORDER BY d.publication DESC LIMIT 1)
        WHERE p.pipeline = $1 AND p.release = $2 AND p.replaced_revision = $3 AND p.undone_at IS NULL
      ), own AS (
        UPDATE rivulet.publication SET undone_at = clock_timestamp()
        WHERE pipeline = $1 AND release = $2 AND revision = $3 AND undone_at IS NULL
      ), pin AS (
        UPDATE rivulet.dataset d SET pinned_release = NULL
        WHERE d.pipeline = $1 AND d.pinned_release = $2 AND NOT EXISTS (
          SELECT FROM rivulet.release r WHERE r.pipeline = $1 AND r.release = $2 AND r.revision <> $3)
      )
      DELETE FROM rivulet.release WHERE pipeline = $1 AND release = $2 AND revision = $3
      """, [.text(pipeline), .text(revision.release), .integer(revision.revision)])
  }
}
