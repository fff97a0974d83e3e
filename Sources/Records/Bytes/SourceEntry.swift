import Values

/// One file to read: itself, an entry of an archive, or an entry of an archive that is an entry of another
/// one.
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

  /// An archive of a kind that is an entry itself.
  indirect enum Outer: Hashable, Sendable {
    case archive(SourceEntry, kind: FileKind)
  }

  /// What is in ``entry`` between the name of an archive inside another one and the name of its entry.
  static let nesting = "!/"

  /// The file, or the archive that holds the entry, as the user knows it: what messages, reports and the
  /// ledger say, with characters that steer terminals by their numbers.
  public let path: String
  /// Where the bytes of that file are: its path, or that of the copy of what came from elsewhere.
  public let location: String
  /// The entry's full name inside the archive, written as ``path`` is, in an archive inside that one as `inner.zip!/folder/a.csv`;
  /// nil for a file that is read as it is.
  public let entry: String?
  /// The place among the entries of the archive that has it, or among the files of the listing, from 0.
  public let index: Int
  /// The size in bytes when unpacked, if it is known.
  public let size: Int?

  let container: Container
  /// The entry's name in the archive that has it.
  let member: String?
  /// The archive that has the entry, where that is itself an entry.
  private let outer: Outer?

  init(
    path: String, at location: String? = nil, entry: String?, index: Int, size: Int?, container: Container,
    outer: Outer? = nil
  ) {
    self.path = path.printable(keepsLines: false)
    self.location = location ?? path
    member = entry
    let entry = entry?.printable(keepsLines: false)
    if case .archive(let archive, _) = outer {
      self.entry = (archive.entry ?? archive.name) + Self.nesting + (entry ?? "")
    } else {
      self.entry = entry
    }
    self.index = index
    self.size = size
    self.container = container
    self.outer = outer
  }

  /// A file that is read as it is, whatever it holds.
  public init(file path: String) {
    self.init(path: path, entry: nil, index: 0, size: nil, container: .none)
  }

  /// The last component of the entry's name or of the file's location: what a source's pattern is held against.
  public var name: String {
    let full = member ?? location
    return full.split(separator: "/").last.map(String.init) ?? full
  }

  /// Opens the entry's bytes.
  ///
  /// Nothing is unpacked to disk but a large archive inside another one, which goes to a temporary file
  /// without a name; where the archive allows it (zip), the entries before this one are not inflated.
  /// - Throws: `missing`, `unreadable`, `brokenArchive`, `encrypted` or `entryGone`. Reading may throw the
  ///   same, and `unsupportedCompression`.
  public func open() throws(RecordsError) -> any ByteStream { try open(blockSize: Archive.blockSize) }

  /// The same, reading so many bytes of an archive at a time.
  func open(blockSize: Int) throws(RecordsError) -> any ByteStream {
    guard container != .none else { return try FileStream(path: location) }
    let archive = try openArchive(blockSize: blockSize)
    try archive.seek(self)
    return archive
  }

  /// Opens what has the entry, at its start.
  func openArchive(blockSize: Int) throws(RecordsError) -> Archive {
    if case .archive(let outer, let kind) = outer { return try Archive(outer, kind: kind) }
    let file = SourceEntry(
      path: path, at: location, entry: nil, index: 0, size: nil, container: .none)
    return try Archive(file, kind: FileKind(path: location), blockSize: blockSize)
  }

  /// Where the archive is that has the entry, if that is a file.
  var archiveFile: String? { container == .archive && outer == nil ? location : nil }
}

extension SourceEntry: CustomStringConvertible {
  /// The place in words: the path, and the entry if there is one.
  public var description: String { Self.describe(path, entry) }

  /// `a.zip, entry b.zip, entry c.csv` of `a.zip` and `b.zip!/c.csv`.
  public static func describe(_ path: String, _ entry: String?) -> String {
    guard let entry else { return path }
    let names = entry.split(separator: nesting, maxSplits: 1, omittingEmptySubsequences: false)
    return path + names.map { ", entry \($0)" }.joined()
  }
}
