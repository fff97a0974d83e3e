/// The header of an entry that has refused records, as it is in the source, so that they can be written with
/// it when the source is no longer there.
package struct RejectHeader: Sendable {
  /// The number that the rows of the entry carry.
  package let sourceFileID: Int
  /// The header record by record, mostly one.
  package let records: [[UInt8]]

  package init(sourceFileID: Int, records: [[UInt8]]) {
    self.sourceFileID = sourceFileID
    self.records = records
  }
}
