import Glibc
import Host
import Values

/// Downloaded files, kept by their SHA-256; everything in it can be removed at any time.
///
/// ```
/// files/<sha256>              the content
/// downloads/<address>/note    what the address gave last: its version and digest
/// downloads/<address>/*.part  what is on its way
/// ```
public struct DownloadCache: Sendable {
  /// The folder.
  public let folder: String

  /// A cache in a folder, which is made when it is needed.
  public init(folder: String) { self.folder = folder }

  /// The usual one: `RIVULET_CACHE`, else `$XDG_CACHE_HOME/rivulet`, else `~/.cache/rivulet`; nil for a user
  /// who has no home.
  public static var usual: DownloadCache? {
    if let folder = Machine.environment("RIVULET_CACHE") { return DownloadCache(folder: folder) }
    if let folder = Machine.environment("XDG_CACHE_HOME"), folder.hasPrefix("/") {
      return DownloadCache(folder: Path.join(folder, "rivulet"))
    }
    return Machine.home.map { DownloadCache(folder: Path.join($0, ".cache/rivulet")) }
  }

  /// The folder of an address's download.
  func place(of address: WebAddress) throws(FileError) -> String {
    let place = Path.join(folder, "downloads/\(SHA256.hex(of: address.text).prefix(32))")
    try makeDirectory(Path.parent(place))
    try Files.makeDirectory(place, mode: 0o700)
    return place
  }

  /// What an address gave last, where that is still there and whole.
  func known(_ address: WebAddress) throws -> (note: DownloadNote, path: String)? {
    let place = try place(of: address)
    guard let note = DownloadNote(at: Path.join(place, "note")), note.address == address.text,
      let digest = note.sha256, digest.utf8.count == 64, !digest.contains("/")
    else { return nil }
    let path = self.path(of: digest)
    guard Files.size(path) != nil, try FilePieces.sha256(of: path) == digest else { return nil }
    return (note, path)
  }

  /// Takes in the bytes of a finished download, and says where they are and what their digest is.
  func take(_ part: PartialDownload, of address: WebAddress, version: ContentVersion) throws -> (
    path: String, sha256: String
  ) {
    try part.settle()
    let digest = try FilePieces.sha256(of: part.path)
    let path = path(of: digest)
    try makeDirectory(Path.parent(path))
    guard rename(part.path, path) == 0 else { throw FileError(path: path, code: errno, action: "write") }
    let place = try place(of: address)
    try DownloadNote(address: address.text, version: version, sha256: digest).write(
      to: Path.join(place, "note"))
    try part.forget()
    return (path, digest)
  }

  /// Makes a folder in that of the cache, neither for others to look into.
  private func makeDirectory(_ place: String) throws(FileError) {
    try Files.makeDirectory(folder, mode: 0o700)
    try Files.makeDirectory(place, mode: 0o700)
  }

  private func path(of digest: String) -> String { Path.join(folder, "files/\(digest)") }
}
