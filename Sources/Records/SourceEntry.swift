/// One file to read: itself, or an entry of an archive.
public struct SourceEntry: Hashable, Sendable {
  /// How the bytes are reached.
  enum Container: Hashable, Sendable {
    /// The file's own bytes.
    case none
    /// The entry of an archive.
    case archive
    /// The only content of a compressed file.
    case compression
  }

  /// The file, or the archive that holds the entry.
  public let path: String
  /// The entry's full name inside the archive; nil for a file that is read as it is.
  public let entry: String?
  /// The place among the archive's entries, or among the files of the listing, from 0.
  public let index: Int
  /// The size in bytes when unpacked, if it is known.
  public let size: Int?

  let container: Container

  init(path: String, entry: String?, index: Int, size: Int?, container: Container) {
    self.path = path
    self.entry = entry
    self.index = index
    self.size = size
    self.container = container
  }

  /// A file that is read as it is, whatever it holds.
  public init(file path: String) {
    self.init(path: path, entry: nil, index: 0, size: nil, container: .none)
  }

  /// The last component of the entry's name or of the path: what a source's pattern is held against.
  public var name: String {
    let full = entry ?? path
    return full.split(separator: "/").last.map(String.init) ?? full
  }

  /// Opens the entry's bytes.
  ///
  /// Nothing is unpacked to disk; where the archive allows it (zip), the entries before this one are not
  /// inflated.
  /// - Throws: `missing`, `unreadable`, `brokenArchive`, `encrypted` or `entryGone`. Reading may throw the same,
  ///   and `unsupportedCompression`.
  public func open() throws(RecordsError) -> any ByteStream {
    switch container {
    case .none: try FileStream(path: path)
    case .archive, .compression: try ArchiveEntryStream(self)
    }
  }
}

extension SourceEntry: CustomStringConvertible {
  /// The place in words: the path, and the entry if there is one.
  public var description: String {
    entry.map { "\(path), entry \($0)" } ?? path
  }
}
