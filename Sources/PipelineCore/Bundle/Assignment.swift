package import Definitions
package import Records

/// Which source an entry carries, where its name does not say it: by the user's word, or by its header.
package struct Assignment: Sendable {
  /// The source's name.
  package let source: String
  /// The entry.
  package let entry: SourceEntry
  /// What its records are read as.
  package let format: Source.Format

  package init(source: String, entry: SourceEntry, format: Source.Format) {
    (self.source, self.entry, self.format) = (source, entry, format)
  }
}

extension [Assignment] {
  /// Decides which entries of a bundle carry which sources, by what their headers fit.
  ///
  /// Of the sources that an entry fits it carries those that know most of its header. Several may read one
  /// entry where they name their entries alike, as those do that share a file.
  ///
  /// `fits`: each source that an entry fits, with how many columns of the entry's header it does not know.
  /// `settled`: the sources of which the user has said which entry carries them.
  /// - Throws: ``RunError/ambiguousSources(entry:sources:)`` where an entry could be of one or of another.
  package init(
    byHeaders fits: [(assignment: Assignment, unknown: Int)], besides settled: Set<String> = [],
    pipeline: Pipeline
  ) throws(RunError) {
    self = []
    var seen: Set<SourceEntry> = []
    for entry in fits.map(\.assignment.entry) where seen.insert(entry).inserted {
      let own = fits.filter { $0.assignment.entry == entry }
      let fewest = own.map(\.unknown).min()
      // What fits best counts, settled or not: an entry is not taken for its second best.
      let nearest = own.filter { $0.unknown == fewest && !settled.contains($0.assignment.source) }
        .map(\.assignment)
      if nearest.isEmpty { continue }
      let names = nearest.compactMap { pipeline.source(named: $0.source)?.entries.text }
      guard Set(names).count == 1 else {
        throw .ambiguousSources(entry: entry.description, sources: nearest.map(\.source))
      }
      self += nearest
    }
  }
}
