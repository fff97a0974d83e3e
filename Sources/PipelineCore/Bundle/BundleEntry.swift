package import Definitions
package import Records

/// An entry that carries one of a pipeline's tables, or a part of it.
package struct BundleEntry: Sendable {
  /// The source whose records it has: the same for all its entries, which may be thousands.
  private let shared: Shared<Source>
  package var source: Source { shared.value }
  /// How its bytes are reached.
  package let entry: SourceEntry
  /// The format of its records.
  package let format: Source.Format
  /// The index among the source's parts; nil where the entry is the whole table.
  package let part: Int?
  /// The number of the source whose corrected records it brings; nil for a publisher's entry.
  package let replays: Int?

  package init(source: Source, entry: SourceEntry, format: Source.Format, part: Int?, replays: Int? = nil) {
    self.init(Shared(source), entry, format, part: part, replays: replays)
  }

  init(
    _ source: Shared<Source>, _ entry: SourceEntry, _ format: Source.Format, part: Int?, replays: Int? = nil
  ) {
    (shared, self.entry, self.format, self.part, self.replays) = (source, entry, format, part, replays)
  }

  /// What rows of the entry have in columns that are constant in the layout.
  package var constants: [String: String] { part.map { source.parts[$0].constants } ?? [:] }
}
