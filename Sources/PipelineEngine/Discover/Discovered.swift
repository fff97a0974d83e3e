public import Definitions
import Host
import Records
import Values

/// An entry, and what its beginning tells.
struct HeadedEntry: Sendable {
  let entry: BundleEntry
  let head: SourceHead

  var source: Source { entry.source }
}

/// What is known of a source before anything is loaded: its entries, their headers, its release, its digest.
///
/// Making it needs no database, so that a wrong name or a broken archive is told before one is touched.
public struct Discovered: Sendable {
  let request: RunRequest
  let bundle: Bundle
  /// In the order of the bundle.
  let entries: [HeadedEntry]
  /// The same tables in other formats, where they are to be compared.
  let others: [HeadedEntry]
  let release: ReleaseIdentity
  /// SHA-256 of each file on disk, by path.
  let fileHashes: [String: String]
  /// What mended records are added to, where it is those that the source brings.
  let replay: Replay?
  /// How long that took.
  let seconds: Double

  /// Looks into a source, reading no more of it than its digest needs.
  ///
  /// Throws `RecordsError` where it cannot be read and ``RunError`` where it is not the pipeline's.
  public init(_ request: RunRequest, pipeline: Pipeline) throws {
    let started = Machine.seconds
    let bundle = try Bundle(request.source, pipeline: pipeline)
    let missing =
      bundle.missing.map { "\($0.name) (\($0.entries.text))" }
      + bundle.missingParts.map { "a part of \($0.source.name) (\($0.part.entries.text))" }
    guard missing.isEmpty || request.allowsMissing else {
      throw RunError.incomplete(path: bundle.path, missing: missing)
    }
    let named = try ReleaseIdentity.named(bundle: bundle, pipeline: pipeline, given: request.release)
    entries = try Discovered.heads(of: bundle.entries, pipeline: pipeline, release: named)
    others =
      request.crossChecks ? try Discovered.heads(of: bundle.others, pipeline: pipeline, release: named) : []
    let hashes = try Discovered.hashes(of: bundle)
    release = try ReleaseIdentity(named: named, entries: entries, path: bundle.path, pipeline: pipeline)
    self.bundle = bundle
    fileHashes = hashes
    replay = nil
    self.request = request
    seconds = Machine.seconds - started
  }

  /// SHA-256 of each file on disk, by path.
  static func hashes(of bundle: Bundle) throws -> [String: String] {
    var hashes: [String: String] = [:]
    for path in Set(bundle.entries.map(\.entry.path)) { hashes[path] = try sha256(of: path) }
    return hashes
  }

  /// SHA-256 of a file on disk, as the ledger knows it.
  public static func sha256(of path: String) throws -> String {
    let stream = HashingStream(try SourceEntry(file: path).open())
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while try stream.read(into: &buffer, from: 0) > 0 {
      try Interruption.shared.check()
    }
    return stream.sha256
  }

  private static func heads(
    of entries: [BundleEntry], pipeline: Pipeline, release: ReleaseIdentity.Named?
  ) throws -> [HeadedEntry] {
    try entries.compactMap { entry in
      try pipeline.layout(of: entry.source).map {
        HeadedEntry(entry: entry, head: try SourceHead(entry, layout: $0, release: release?.name))
      }
    }
  }

  /// The file, archive or folder, as it was named.
  public var source: String { request.source }

  /// Whether its release comes before another's: by the first day in effect, then by name; and of one release what
  /// amends it after what it amends.
  public func precedes(_ other: Discovered) -> Bool {
    let (one, two) = (release, other.release)
    if one.dates.from != two.dates.from { return one.dates.from < two.dates.from }
    if one.name != two.name { return one.name < two.name }
    return !isAmendment && other.isAmendment
  }

  /// The entries by the source that they carry, in the order of the bundle.
  var bySource: [(source: Source, entries: [HeadedEntry])] {
    var groups: [(source: Source, entries: [HeadedEntry])] = []
    for entry in entries {
      if groups.last?.source == entry.source {
        groups[groups.count - 1].entries.append(entry)
      } else {
        groups.append((entry.source, [entry]))
      }
    }
    return groups
  }

  /// The bundle brings no table of the release, only amendments of those that are loaded.
  var isAmendment: Bool { entries.allSatisfy { $0.source.amendment != nil } }

  /// The tables that the bundle's rows go to: those of the sources, and of their children.
  var targets: [String] {
    var targets: [String] = []
    for entry in entries {
      for target in [entry.source.target] + entry.head.layout.children.map(\.target)
      where !targets.contains(target) { targets.append(target) }
    }
    return targets
  }
}
