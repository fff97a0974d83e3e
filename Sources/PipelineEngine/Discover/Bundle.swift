import Definitions
import Records

/// An entry that carries one of a pipeline's tables, or a part of it.
struct BundleEntry: Sendable {
  let source: Source
  let entry: SourceEntry
  let format: Source.Format
  /// The place among the source's parts; nil where the entry is the whole table.
  let part: Int?
  /// The number of the source whose refused records it brings, mended; nil for a publisher's entry.
  var replays: Int?

  /// What rows of the entry have in columns that are constant in the layout.
  var constants: [String: String] { part.map { source.parts[$0].constants } ?? [:] }
}

/// What was found at one source of a run: the entries that carry the pipeline's tables.
struct Bundle: Sendable {
  /// The file or folder as the user named it.
  let path: String
  /// In the order of the pipeline's sources, and of their parts.
  let entries: [BundleEntry]
  /// The same tables in other formats, which are not loaded.
  let others: [BundleEntry]
  /// The pipeline's sources that no entry carries.
  let missing: [Source]
  /// What is not there of the sources whose table comes in parts: the source and the part's entries.
  let missingParts: [(source: Source, part: Source.Part)]
  /// What is odd about its files, for the user.
  let warnings: [String]

  /// Looks into a file, archive or folder.
  ///
  /// Throws ``RunError/notTheDataset(path:pipeline:found:lookedFor:)`` where nothing in it is the pipeline's.
  init(_ path: String, pipeline: Pipeline) throws {
    self.path = path
    let all = try Discovery.entries(of: path)
    let index = try IndexedFiles(pipeline.index, among: all)
    let found = all.filter { !index.documents.contains($0) }
    var entries: [BundleEntry] = []
    var others: [BundleEntry] = []
    var missing: [Source] = []
    var missingParts: [(source: Source, part: Source.Part)] = []
    for source in pipeline.sources {
      let forms = try source.formats.map { try Bundle.entries(of: source, as: $0, among: found, index) }
        .filter { !$0.isEmpty }
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
        path: path, pipeline: pipeline.name, found: all.map(\.name),
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
    warnings =
      index.warnings
      + UntakenEntries(
        of: path, found: found.filter { entry in !pipeline.sources.contains { index.names(entry, for: $0) } },
        taken: entries, others: others, pipeline: pipeline
      ).warnings
  }

  /// Entries that are known already, at a path.
  init(path: String, entries: [BundleEntry]) {
    self.path = path
    self.entries = entries
    others = []
    missing = []
    missingParts = []
    warnings = []
  }

  /// The entries that carry a source in one format: the whole table, or parts of it.
  private static func entries(
    of source: Source, as format: Source.Format, among found: [SourceEntry], _ index: IndexedFiles
  ) throws -> [BundleEntry] {
    let matching = latest(
      of: source,
      among: found.filter { entry in
        (source.entries.matches(entry.name) || index.names(entry, for: source))
          && Source.Format(fileName: entry.name) == format
      })
    let entries = matching.map { entry in
      BundleEntry(
        source: source, entry: entry, format: format,
        part: source.parts.firstIndex { $0.entries.matches(entry.name) })
    }
    if source.isGathered { return entries }
    let parts = entries.map { $0.part ?? -1 }
    guard Set(parts).count == entries.count, entries.count == 1 || !parts.contains(-1) else {
      throw RunError.ambiguousEntries(source: source.name, entries: matching.map(\.description))
    }
    return entries.sorted { ($0.part ?? -1) < ($1.part ?? -1) }
  }

  /// Of entries that take each other's place those with the highest number.
  private static func latest(of source: Source, among found: [SourceEntry]) -> [SourceEntry] {
    guard source.latest != nil else { return found }
    let numbers = found.map { source.number(of: $0.name) ?? -1 }
    return zip(found, numbers).filter { $0.1 == numbers.max() }.map(\.0)
  }
}

extension Source {
  /// The number by which an entry takes the place of others of the source; nil where it has none.
  func number(of entryName: String) -> Int? {
    latest?.groups(in: entryName).flatMap { $0.dropFirst().first }.flatMap { Int($0) }
  }
}
