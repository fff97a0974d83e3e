package import Definitions
package import Records
import Values

/// What was found at one source of a run: the entries that carry the pipeline's tables.
package struct Bundle: Sendable {
  /// The file or folder as the user named it.
  package let path: String
  /// The last component of its path, or of that of the copy of what came from elsewhere.
  package let name: String
  /// In the order of the pipeline's sources, and of their parts.
  package let entries: [BundleEntry]
  /// The same tables in other formats, which are not loaded.
  package let others: [BundleEntry]
  /// The pipeline's sources that no entry carries.
  package let missing: [Source]
  /// What is missing of the sources whose table comes in parts: the source and the part.
  package let missingParts: [(source: Source, part: Source.Part)]
  /// The files that no source takes by their names, and that are no documents.
  package let untaken: [SourceEntry]
  /// What is odd about its files, for the user.
  package private(set) var warnings: [String]
  /// Whether the name of it or of a file in it says that it is a sample.
  package let isNamedSynthetic: Bool

  /// Assigns the entries of a file, archive or folder to the sources of a pipeline, by their names.
  ///
  /// `path`: the file, archive or folder.
  /// `location`: where it is, where that is not its path.
  /// `all`: its entries.
  /// `index`: what the bundle's own index says of them.
  /// `assigned`: what is known of entries whatever they are called.
  /// - Throws: ``RunError/notTheDataset(path:pipeline:found:lookedFor:)`` where no entry is the pipeline's,
  ///   ``RunError/ambiguousEntries(source:entries:difference:)`` where several could be the same table.
  package init(
    _ path: String, at location: String? = nil, of all: [SourceEntry], index: IndexedFiles,
    assigned: [Assignment] = [],
    pipeline: Pipeline
  ) throws {
    self.path = path
    name = Self.name(location ?? path)
    let found = all.filter { entry in
      !index.documents.contains(entry) && !assigned.contains { $0.entry == entry }
    }
    var entries: [BundleEntry] = []
    var others: [BundleEntry] = []
    var missing: [Source] = []
    var missingParts: [(source: Source, part: Source.Part)] = []
    for source in pipeline.sources {
      let shared = Shared(source)
      let own = assigned.filter { $0.source == source.name }.map {
        Bundle.entry($0.entry, of: shared, as: $0.format)
      }
      let forms =
        own.isEmpty
        ? try source.formats.map { try Bundle.entries(of: shared, as: $0, among: found, index) }
          .filter { !$0.isEmpty } : [try Bundle.table(of: own, source)]
      guard let chosen = forms.first else {
        if source.amendment == nil, !source.isOptional { missing.append(source) }
        continue
      }
      entries += chosen
      others += forms.dropFirst().joined()
      if chosen.contains(where: { $0.part != nil }) {
        missingParts += source.parts.indices.filter { part in !chosen.contains { $0.part == part } }
          .map { (source, source.parts[$0]) }
      }
    }
    guard !entries.isEmpty else {
      throw RunError.notTheDataset(
        path: path, pipeline: pipeline.name, found: all.map { $0.name.printable(keepsLines: false) },
        lookedFor: pipeline.sources.reduce(into: []) { names, source in
          let name = "\(source.entries.text) (\(source.formats.map(\.rawValue).joined(separator: ", ")))"
          if !names.contains(name) { names.append(name) }
        })
    }
    // What only amends a release brings none of its tables.
    if entries.allSatisfy({ $0.source.amendment != nil }) { missing = [] }
    self.entries = entries
    self.others = others
    self.missing = missing
    self.missingParts = missingParts
    let names = [name] + all.map(\.name)
    isNamedSynthetic = names.contains { pipeline.synthetic?.groups(in: $0) != nil }
    let nobodys = UntakenEntries(
      of: path, found: found.filter { entry in !pipeline.sources.contains { index.names(entry, for: $0) } },
      taken: entries, others: others, pipeline: pipeline)
    untaken = nobodys.entries
    warnings = index.warnings + nobodys.warnings
  }

  /// Entries that are known already, at a path.
  package init(path: String, entries: [BundleEntry]) {
    self.path = path
    name = Self.name(path)
    self.entries = entries
    others = []
    missing = []
    missingParts = []
    untaken = []
    warnings = []
    isNamedSynthetic = false
  }

  /// The same, with more to report of its files.
  package func telling(_ lines: [String]) -> Bundle {
    var bundle = self
    bundle.warnings = lines + warnings
    return bundle
  }

  /// What the pipeline expects and the bundle lacks, for the user: sources, and parts of them.
  package var lacking: [String] {
    missing.map { "\($0.name) (\($0.entries.text))" } + lackingParts
  }

  /// The parts that it lacks of sources whose table comes in several, for the user.
  package var lackingParts: [String] {
    missingParts.map { "a part of \($0.source.name) (\($0.part.entries.text))" }
  }

  private static func name(_ path: String) -> String { SourceEntry(file: path).name }

  /// The entries that carry a source in one format: the whole table, or parts of it.
  private static func entries(
    of shared: Shared<Source>, as format: Source.Format, among found: [SourceEntry], _ index: IndexedFiles
  ) throws -> [BundleEntry] {
    let source = shared.value
    let matching = latest(
      of: source,
      among: found.filter { entry in
        (source.entries.matches(entry.name) || index.names(entry, for: source))
          && Source.Format(fileName: entry.name) == format
      })
    return try table(of: matching.map { entry($0, of: shared, as: format) }, source)
  }

  private static func entry(
    _ entry: SourceEntry, of source: Shared<Source>, as format: Source.Format
  ) -> BundleEntry {
    BundleEntry(
      source, entry, format, part: source.value.parts.firstIndex { $0.entries.matches(entry.name) })
  }

  /// Entries as one table: the only one, its parts in order, or all that a source gathers.
  private static func table(of entries: [BundleEntry], _ source: Source) throws -> [BundleEntry] {
    if source.isGathered { return entries }
    let parts = entries.map { $0.part ?? -1 }
    guard Set(parts).count == entries.count, entries.count == 1 || !parts.contains(-1) else {
      throw RunError.ambiguousEntries(
        source: source.name, entries: entries.map(\.entry.description), difference: nil)
    }
    return entries.sorted { ($0.part ?? -1) < ($1.part ?? -1) }
  }

  /// Of entries that replace each other those with the highest number.
  private static func latest(of source: Source, among found: [SourceEntry]) -> [SourceEntry] {
    guard source.latest != nil else { return found }
    let numbers = found.map { source.number(of: $0.name) ?? -1 }
    return zip(found, numbers).filter { $0.1 == numbers.max() }.map(\.0)
  }
}

extension Source {
  /// The number by which an entry replaces others of the source; nil where it has none.
  package func number(of entryName: String) -> Int? {
    latest?.groups(in: entryName).flatMap { $0.dropFirst().first }.flatMap { Int($0) }
  }
}
