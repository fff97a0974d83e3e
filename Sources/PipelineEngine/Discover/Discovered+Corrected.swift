import Definitions
import Host
import PipelineCore
import PostgreSQL
import Records
import Store

extension Discovered {
  /// Looks at corrected records: which entries they are of, and what they are added to.
  ///
  /// `request`: names the file, or the folder with a file for each entry.
  /// - Throws: ``ReplayError`` and what ``init(_:pipeline:)`` throws of headers.
  init(
    replaying run: Int, release: String, _ request: RunRequest, pipeline: Pipeline, on connection: Connection
  )
    throws
  {
    let started = Machine.seconds
    let known = try ExportedEntry.all(ofLineageOf: run, on: connection)
    guard !known.isEmpty else { throw ReplayError.nothingRefused(run: run) }
    let day = try? pipeline.release.effectiveDates(of: release).from
    let entries = try Self.files(at: request.source, of: known, refusedBy: run, pipeline).map { known, path in
      try Self.entry(known, path, pipeline, day: day)
    }
    let plan = LoadPlan(
      replaying: request, entries: entries, of: try ReleaseIdentity(loaded: release, pipeline: pipeline))
    try self.init(
      plan,
      corrected: try CorrectedRecords(run, release: release, pipeline: pipeline, on: connection),
      started: started)
  }

  /// The files by the entries whose records they bring, in the order of the pipeline's sources.
  private static func files(
    at path: String, of known: [ExportedEntry], refusedBy run: Int, _ pipeline: Pipeline
  ) throws -> [(entry: ExportedEntry, path: String)] {
    guard Files.isDirectory(path) else {
      guard let entry = Self.entry(ofFile: path, among: known, pipeline) else {
        throw ReplayError.severalEntries(run: run, path: path, names: known.map(\.fileName))
      }
      return [(entry, path)]
    }
    let names = try Files.list(path).filter {
      !$0.hasPrefix(".") && !$0.hasSuffix(ExportedEntry.reasonsSuffix)
    }
    guard !names.isEmpty, names.allSatisfy({ name in known.contains { $0.fileName == name } }) else {
      throw ReplayError.unknownFiles(path: path, found: names, names: known.map(\.fileName))
    }
    return known.filter { names.contains($0.fileName) }.map { ($0, Path.join(path, $0.fileName)) }
  }

  /// The entry whose records one file brings: the only one of the run itself, as its export is, or of those
  /// before it; that which the file is named as; else, of an export of one source, the only one that its
  /// header fits.
  private static func entry(
    ofFile path: String, among known: [ExportedEntry], _ pipeline: Pipeline
  ) -> ExportedEntry? {
    if let named = known.first(where: { $0.fileName == Path.name(path) }) { return named }
    let own = known.filter(\.isOfRun)
    let candidates = own.isEmpty ? known : own
    if candidates.count == 1 { return candidates[0] }
    let fitting = candidates.filter { (try? entry($0, path, pipeline, day: nil)) != nil }
    return fitting.count == 1 ? fitting[0] : nil
  }

  private static func entry(
    _ known: ExportedEntry, _ path: String, _ pipeline: Pipeline, day: String?
  ) throws -> HeadedEntry {
    let layout = pipeline.source(named: known.source).flatMap { pipeline.layout(of: $0) }
    let version = known.layout.split(separator: " ", maxSplits: 1).last.map(String.init) ?? ""
    guard let source = pipeline.source(named: known.source), let layout,
      let found = layout.version(named: version)
    else {
      throw ReplayError.layoutGone(entry: known.entry, layout: known.layout)
    }
    let entry = BundleEntry(
      source: source, entry: SourceEntry(file: path), format: known.format,
      part: source.parts.firstIndex { $0.entries.matches(known.entry) }, replays: known.sourceFileID)
    return HeadedEntry(
      entry: entry, head: try HeadReader(entry, layout: layout, release: nil, day: day).read(replaying: found)
    )
  }
}
