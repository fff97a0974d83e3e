package import Definitions

/// What became of the records of one source.
package struct LoadOutcome: Sendable {
  /// The source.
  package let source: Source
  /// When the load began, in seconds of the machine's clock.
  package let began: Double
  /// By entry.
  package var reports: [SourceReport] = []
  /// Why records were rejected.
  package var reasons: [RejectReason] = []
  /// How many of the rejected records are kept.
  package var keptRejects = 0
  /// The headers of the entries that have rejected records.
  package var headers: [RejectHeader] = []
  /// The rows of the source's own table that were copied from the release that is amended or corrected.
  package var copied = 0
  /// How many groups of rows share a key, by table; such a table is without its keys.
  package var duplicateKeys: [String: Int] = [:]
  /// How many rows a record may bring, by child table; nil for any number.
  package var slots: [String: Int?] = [:]

  /// Nothing was loaded yet.
  package init(source: Source, began: Double) { (self.source, self.began) = (source, began) }

  /// The rows that were loaded.
  package var loaded: Int { reports.reduce(0) { $0 + $1.loaded } }
}
