public import Definitions
import Host
import Records
import Values

/// What is known of a source before anything is loaded: its entries, their headers, its release, its digest.
///
/// Making it needs no database, so that a wrong name or a broken archive is told before one is touched.
public struct Discovered: Sendable {
  let request: RunRequest
  let bundle: Bundle
  /// By source.
  let heads: [String: SourceHead]
  let release: ReleaseIdentity
  /// SHA-256 of each file on disk, by path.
  let fileHashes: [String: String]
  /// How long that took.
  let seconds: Double

  /// Looks into a source, reading no more of it than its digest needs.
  ///
  /// Throws `RecordsError` where it cannot be read and ``RunError`` where it is not the pipeline's.
  public init(_ request: RunRequest, pipeline: Pipeline) throws {
    let started = Machine.seconds
    let bundle = try Bundle(request.source, pipeline: pipeline)
    guard bundle.missing.isEmpty || request.allowsMissing else {
      throw RunError.incomplete(
        path: bundle.path, missing: bundle.missing.map { "\($0.name) (\($0.entries.text))" })
    }
    var heads: [String: SourceHead] = [:]
    for entry in bundle.entries {
      guard let layout = pipeline.layout(of: entry.source) else { continue }
      heads[entry.source.name] = try SourceHead(entry, layout: layout)
    }
    var hashes: [String: String] = [:]
    for path in Set(bundle.entries.map(\.entry.path)) {
      let stream = HashingStream(try SourceEntry(file: path).open())
      var buffer = [UInt8](repeating: 0, count: 1 << 20)
      while try stream.read(into: &buffer, from: 0) > 0 {
        try Interruption.shared.check()
      }
      hashes[path] = stream.sha256
    }
    release = try ReleaseIdentity(bundle: bundle, heads: heads, pipeline: pipeline, given: request.release)
    self.bundle = bundle
    self.heads = heads
    fileHashes = hashes
    self.request = request
    seconds = Machine.seconds - started
  }

  /// By target.
  func stagedTables(targets: [String: TargetTable], run: Int) -> [String: StagedTable] {
    var tables: [String: StagedTable] = [:]
    for entry in bundle.entries {
      guard let target = targets[entry.source.target] else { continue }
      tables[target.name] = StagedTable(target: target, release: release.name, run: run)
    }
    return tables
  }
}
