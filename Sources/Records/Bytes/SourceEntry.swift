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

  /// An archive inside the archive at `path`.
  struct Outer: Hashable, Sendable {
    let member: String
    let index: Int
    let size: Int?
    let container: Container
    let kind: FileKind

    /// An entry that is an archive of a kind.
    init(_ entry: SourceEntry, kind: FileKind) {
      member = entry.entry ?? entry.name
      (index, size, container) = (entry.index, entry.size, entry.container)
      self.kind = kind
    }
  }

  /// What is in ``entry`` between the name of an archive inside another one and the name of its entry.
  static let nesting = "!/"

  /// The file, or the archive that holds the entry.
  public let path: String
  /// The entry's full name inside the archive, in an archive inside that one as `inner.zip!/folder/a.csv`;
  /// nil for a file that is read as it is.
  public let entry: String?
  /// The place among the entries of the archive that has it, or among the files of the listing, from 0.
  public let index: Int
  /// The size in bytes when unpacked, if it is known.
  public let size: Int?

  let container: Container
  /// The archive that has the entry, where that is itself an entry.
  let outer: Outer?

  init(
    path: String, entry: String?, index: Int, size: Int?, container: Container, outer: Outer? = nil
  ) {
    self.path = path
    self.entry = outer.map { $0.member + Self.nesting + (entry ?? "") } ?? entry
    self.index = index
    self.size = size
    self.container = container
    self.outer = outer
  }

  /// A file that is read as it is, whatever it holds.
  public init(file path: String) {
    self.init(path: path, entry: nil, index: 0, size: nil, container: .none)
  }

  /// The last component of the entry's name or of the path: what a source's pattern is held against.
  public var name: String {
    let full = member ?? path
    return full.split(separator: "/").last.map(String.init) ?? full
  }

  /// The entry's name in the archive that has it.
  var member: String? {
    guard let outer, let entry else { return entry }
    return String(entry.dropFirst(outer.member.count + Self.nesting.count))
  }

  /// The archive that has the entry, where that is itself an entry.
  var outerEntry: SourceEntry? {
    outer.map { outer in
      SourceEntry(
        path: path, entry: outer.member, index: outer.index, size: outer.size, container: outer.container)
    }
  }

  /// Opens the entry's bytes.
  ///
  /// Nothing is unpacked to disk but a large archive inside another one, which goes to a temporary file
  /// without a name; where the archive allows it (zip), the entries before this one are not inflated.
  /// - Throws: `missing`, `unreadable`, `brokenArchive`, `encrypted` or `entryGone`. Reading may throw the
  ///   same, and `unsupportedCompression`.
  public func open() throws(RecordsError) -> any ByteStream {
    switch container {
    case .none: try FileStream(path: path)
    case .archive, .compression: try ArchiveEntryStream(self, of: archive())
    }
  }

  private func archive() throws(RecordsError) -> Archive {
    guard let outer, let entry = outerEntry else { return try Archive(path: path) }
    return try Archive(inside: entry, kind: outer.kind)
  }
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
