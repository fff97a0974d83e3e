/// What `releases drop` removed.
public struct DroppedRelease: Sendable {
  /// The revisions, the newest first.
  public let revisions: [Int]
  /// How many rows their tables had.
  public let rows: Int
  /// How much of the disk they took with their indexes, in bytes.
  public let bytes: Int

  package init(revisions: [Int], rows: Int, bytes: Int) {
    (self.revisions, self.rows, self.bytes) = (revisions, rows, bytes)
  }
}
