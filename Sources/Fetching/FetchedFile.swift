import Host

/// A file that was downloaded, or was in the cache already.
public struct FetchedFile: Sendable {
  /// Where it was asked for.
  public var address: WebAddress
  /// Where it lies in the cache.
  public var path: String
  /// Its size.
  public var bytes: Int
  /// Its digest in hexadecimal.
  public var sha256: String
  /// The server said that what the cache has is still so.
  public var isCached: Bool
  /// Bytes of an earlier try were kept.
  public var isResumed: Bool

  /// What became of a file that was already there.
  public enum Placement: Sendable {
    /// There was none.
    case new
    /// It was the same, and stays.
    case same
    /// It was another, and is replaced.
    case replaced
  }

  /// Puts a copy under a name of its own, whole or not at all.
  /// - Throws: `FileError` where it cannot be written.
  public func place(at path: String) throws -> Placement {
    var placement = Placement.new
    if let size = Files.size(path) {
      if size == bytes, try FilePieces.sha256(of: path) == sha256 { return .same }
      placement = .replaced
    }
    let file = try PendingFile(path)
    try FilePieces.read(self.path) { piece in
      let code = Output.write(piece, to: file.descriptor)
      if code != 0 { throw FileError(path: path, code: code, action: "write") }
    }
    try file.finish()
    return placement
  }
}
