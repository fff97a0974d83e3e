/// The published table that a release is compared with: of one target that of the last release before it that
/// has one.
package struct PreviousTable: Sendable {
  /// The release's name; of a table that holds no releases the table's.
  package let release: String
  /// `schema.table`.
  package let partition: String
  /// The rows that were published.
  package let rows: Int
  /// Later releases that lack the target and were passed over.
  package let lacking: String?

  package init(release: String, partition: String, rows: Int, lacking: String?) {
    (self.release, self.partition) = (release, partition)
    (self.rows, self.lacking) = (rows, lacking)
  }
}
