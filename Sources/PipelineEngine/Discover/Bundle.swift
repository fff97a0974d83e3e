import Definitions
import Records

/// An entry that carries one of a pipeline's tables.
struct BundleEntry: Sendable {
  let source: Source
  let entry: SourceEntry
  let format: Source.Format
}

/// What was found at one source of a run: the entries that carry the pipeline's tables.
struct Bundle: Sendable {
  /// The file or folder as the user named it.
  let path: String
  /// In the order of the pipeline's sources.
  let entries: [BundleEntry]
  /// The pipeline's sources that no entry carries.
  let missing: [Source]

  /// Looks into a file, archive or folder.
  ///
  /// Throws ``RunError/notTheDataset(path:pipeline:found:lookedFor:)`` where nothing in it is the pipeline's.
  init(_ path: String, pipeline: Pipeline) throws {
    self.path = path
    let found = try Discovery.entries(of: path)
    var entries: [BundleEntry] = []
    var missing: [Source] = []
    for source in pipeline.sources {
      let matching = found.filter { source.entries.matches($0.name) }
      let format = source.formats.first { format in
        matching.contains { Bundle.extension($0.name) == format.rawValue }
      }
      let chosen = matching.filter { format != nil && Bundle.extension($0.name) == format?.rawValue }
      if chosen.count > 1 {
        throw RunError.ambiguousEntries(source: source.name, entries: chosen.map(\.description))
      }
      if let entry = chosen.first, let format {
        entries.append(BundleEntry(source: source, entry: entry, format: format))
      } else {
        missing.append(source)
      }
    }
    guard !entries.isEmpty else {
      throw RunError.notTheDataset(
        path: path, pipeline: pipeline.name, found: found.map(\.name),
        lookedFor: pipeline.sources.map { source in
          source.formats.map { "\(source.entries.text).\($0.rawValue)" }.joined(separator: " or ")
        })
    }
    self.entries = entries
    self.missing = missing
  }

  private static func `extension`(_ name: String) -> String {
    guard let dot = name.lastIndex(of: ".") else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }
}
