import Host
import PipelineCore
import Records

/// The SHA-256 of the files on disk that a bundle consists of, by path as the user knows it.
package struct SourceFiles: Sendable {
  /// Of all files but those whose digest is put off.
  private(set) var hashes: [String: String] = [:]
  /// Large files that are read once only, since nothing known could be the same: their status when they were
  /// found.
  private var unread: [String: FileStatus] = [:]
  /// Where the files are.
  private let locations: [String: String]

  /// From so many bytes on a second reading is worth a question to the ledger.
  static let large = 16 << 20

  /// Reads the digests of a bundle's files.
  ///
  /// `readsLargeFilesOnce`: whether those of large files that are in no archive are put off.
  /// - Throws: `RecordsError` or `FileError` where a file cannot be read.
  init(of bundle: Bundle, readsLargeFilesOnce: Bool) throws {
    let paths = Set(bundle.entries.map(\.entry.path))
    locations = Dictionary(bundle.entries.map { ($0.entry.path, $0.entry.location) }) { first, _ in first }
    if readsLargeFilesOnce {
      let packed = Set(bundle.entries.filter { $0.entry.entry != nil }.map(\.entry.path))
      for path in paths.subtracting(packed) {
        let status = try FileStatus(location(of: path))
        if status.kind == .file, status.size >= Self.large { unread[path] = status }
      }
    }
    for path in paths where unread[path] == nil { hashes[path] = try Self.sha256(of: location(of: path)) }
  }

  private func location(of path: String) -> String { locations[path] ?? path }

  /// The sizes of the files whose digest was put off, in bytes.
  var sizesPutOff: [Int] { unread.values.map(\.size) }

  /// The digests that were put off, read now.
  func hashesPutOff() throws -> [String: String] {
    try unread.keys.reduce(into: [:]) { $0[$1] = try Self.sha256(of: location(of: $1)) }
  }

  /// Reads the digests that were put off, so that none is.
  mutating func hashAll() throws {
    hashes.merge(try hashesPutOff()) { $1 }
    unread = [:]
  }

  /// Whether a file as it was read, with a digest, is the one that was found.
  func isUnchanged(_ path: String, sha256: String) throws -> Bool {
    guard let before = unread[path] else { return sha256 == hashes[path] }
    let now = try FileStatus(location(of: path))
    return (now.size, now.modified) == (before.size, before.modified)
  }

  /// SHA-256 of an entry's own bytes, whatever they are wrapped in.
  /// - Throws: `RecordsError` where it cannot be read, `Interrupted` where the program is asked to end.
  func sha256(of entry: SourceEntry) throws -> String {
    if entry.entry == nil, let known = hashes[entry.path] { return known }
    return try Self.sha256(ofBytes: entry)
  }

  /// SHA-256 of a file on disk, as the ledger knows it.
  /// - Throws: `RecordsError` where it cannot be read, `Interrupted` where the program is asked to end.
  package static func sha256(of path: String) throws -> String {
    try sha256(ofBytes: SourceEntry(file: path))
  }

  private static func sha256(ofBytes entry: SourceEntry) throws -> String {
    let stream = HashingStream(try entry.open())
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while try stream.read(into: &buffer, from: 0) > 0 {
      try Interruption.shared.check()
    }
    return stream.sha256
  }
}
