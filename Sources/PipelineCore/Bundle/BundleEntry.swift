package import Definitions
package import Records

/// An entry that carries one of a pipeline's tables, or a part of it.
package struct BundleEntry: Sendable {
  /// The source whose records it has.
  package let source: Source
  /// How its bytes are reached.
  package let entry: SourceEntry
  /// The format of its records.
  package let format: Source.Format
  /// The index among the source's parts; nil where the entry is the whole table.
  package let part: Int?
  /// The number of the source whose corrected records it brings; nil for a publisher's entry.
  package let replays: Int?

  package init(source: Source, entry: SourceEntry, format: Source.Format, part: Int?, replays: Int? = nil) {
    (self.source, self.entry, self.format) = (source, entry, format)
    (self.part, self.replays) = (part, replays)
  }

  /// What rows of the entry have in columns that are constant in the layout.
  package var constants: [String: String] { part.map { source.parts[$0].constants } ?? [:] }
}
