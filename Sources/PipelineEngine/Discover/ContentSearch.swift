import Definitions
import PipelineCore
import Records

/// Finds which sources entries carry that are called like none: by what is in them.
struct ContentSearch {
  /// Of more entries than these nobody has meant each: they are another dataset, and each would be opened for
  /// every source.
  private static let mostEntries = 64

  private let path: String
  private let pipeline: Pipeline

  /// A search in what was found at a path.
  init(at path: String, for pipeline: Pipeline) { (self.path, self.pipeline) = (path, pipeline) }

  /// The bundle that `make` makes of what is assigned: by the user, by names, and of entries whose names tell
  /// nothing by what is in them.
  /// - Throws: what `make` throws, of entries that could be the same table with what differs;
  ///   ``RunError/ambiguousSources(entry:sources:)``, and `RecordsError` where an entry cannot be read.
  func bundle(
    among entries: [SourceEntry], _ assigned: [Assignment], _ make: ([Assignment]) throws -> Bundle
  ) throws -> Bundle {
    do {
      do {
        return try completed(make(assigned), assigned, make)
      } catch let error as RunError {
        guard case .notTheDataset = error else { throw error }
        let fitting = try assignments(among: entries)
        if fitting.isEmpty { throw error }
        return try make(fitting)
      }
    } catch RunError.ambiguousEntries(let source, let names, nil) {
      let rivals = entries.filter { names.contains($0.description) }
      throw RunError.ambiguousEntries(
        source: source, entries: names,
        difference: rivals.count > 1 ? try EntryDifference(rivals[0], rivals[1]).description : nil)
    }
  }

  /// A bundle with those of its entries that no name tells of, and that are a source's by their headers.
  ///
  /// Of a source that has an entry already such a one could be the better: that is a question, unless the user
  /// has answered it.
  private func completed(
    _ bundle: Bundle, _ assigned: [Assignment], _ make: ([Assignment]) throws -> Bundle
  ) throws -> Bundle {
    let found = try assignments(among: bundle.untaken, besides: Set(assigned.map(\.source)))
    guard !found.isEmpty else { return bundle }
    for assignment in found {
      guard let taken = bundle.entries.first(where: { $0.source.name == assignment.source }) else { continue }
      throw RunError.ambiguousEntries(
        source: assignment.source, entries: [taken.entry, assignment.entry].map(\.description),
        difference: nil)
    }
    return try make(assigned + found).telling(
      found.map { "'\($0.entry.name)' is read as \($0.source), whose header it has" })
  }

  /// What the user says of files: each an entry of the bundle, by its path or its name, else a file beside it,
  /// which is added. It is read in the format that its name says, else in the first one that it fits.
  /// - Throws: ``RunError/severalFiles(path:found:)``; `RecordsError` where one cannot be read.
  func assignments(
    of given: [(source: String, file: String)], among all: inout [SourceEntry]
  ) throws -> [Assignment] {
    var assigned: [Assignment] = []
    for (name, file) in given {
      guard let source = pipeline.source(named: name) else { continue }
      let entry = try Self.entry(file, among: &all)
      let named = Source.Format(fileName: entry.name).flatMap { source.formats.contains($0) ? $0 : nil }
      // The reader of the source's first format says what is wrong with one that fits none.
      let format = try named ?? fit(entry, source)?.format ?? source.formats[0]
      assigned.append(Assignment(source: name, entry: entry, format: format))
    }
    return assigned
  }

  private static func entry(_ file: String, among all: inout [SourceEntry]) throws -> SourceEntry {
    for matching in [all.filter { ($0.entry ?? $0.path) == file }, all.filter { $0.name == file }]
    where matching.count == 1 { return matching[0] }
    let beside = try Discovery.entries(of: file)
    guard beside.count == 1 else { throw RunError.severalFiles(path: file, found: beside.map(\.name)) }
    all += beside
    return beside[0]
  }

  /// Which sources entries carry by what is in them.
  ///
  /// `settled`: the sources of which the user has said which entry carries them.
  private func assignments(
    among entries: [SourceEntry], besides settled: Set<String> = []
  ) throws -> [Assignment] {
    guard entries.count <= Self.mostEntries else { return [] }
    var fits: [(assignment: Assignment, unknown: Int)] = []
    // A file that is given alone is meant.
    for entry in entries where entries.count == 1 || !UntakenEntries.isDocument(entry, in: path, of: pipeline)
    {
      // A source that takes every name has been asked already.
      for source in pipeline.sources where source.entries.text != "*" {
        guard let fit = try fit(entry, source) else { continue }
        fits.append((Assignment(source: source.name, entry: entry, format: fit.format), fit.unknown))
      }
    }
    return try [Assignment](byHeaders: fits, besides: settled, pipeline: pipeline)
  }

  /// How an entry fits a source, and how many columns of its header that does not know; nil where it does
  /// not. Records of a tree have too little that tells them apart.
  private func fit(_ entry: SourceEntry, _ source: Source) throws -> (format: Source.Format, unknown: Int)? {
    guard let layout = pipeline.layout(of: source) else { return nil }
    let named = Source.Format(fileName: entry.name)
    let isWorkbook = try XLSXReader.isWorkbook(entry)
    for format in source.formats where !format.isTree && (format == .xlsx) == isWorkbook {
      if let named, named != format, source.formats.contains(named) { continue }
      let bundled = BundleEntry(source: source, entry: entry, format: format, part: nil)
      do {
        return (format, try HeadReader(bundled, layout: layout, release: nil).read().unknown.count)
      } catch let error where RunError.refuses(error) {
        continue
      }
    }
    return nil
  }
}
