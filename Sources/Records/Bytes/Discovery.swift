import Glibc

/// Finds what there is to read at a path.
public enum Discovery {
  /// The entries of a path: of an archive its files in their order, of a folder the files in it and in its
  /// sub-folders sorted by path, of any other file itself.
  ///
  /// Archives are recognised by content; an XLSX or DOCX is a document, not an archive. Instead of an archive
  /// in a folder or in an archive its own entries are listed; an archive in an archive in an archive is
  /// listed as a file. What operating systems leave behind, ``LeftBehind``, is not listed.
  ///
  /// Listing a zip or a 7z reads its directory, and of each entry the beginning; of archives in it all.
  ///
  /// `shownAs`: what the user knows the file as, where it was kept at the path for the user.
  /// - Throws: `missing` and `unreadable`; for archives `brokenArchive`, `emptyArchive`, `encrypted`, and
  ///   `notAnArchive` for a file that has only the name of one.
  public static func entries(
    of path: String, shownAs shown: String? = nil
  ) throws(RecordsError) -> [SourceEntry] {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .system(path) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return try folder(path)
    case S_IFREG: return try file(path, shownAs: shown, size: Int(status.st_size), index: 0)
    default:
      // A pipe cannot be looked into without taking its bytes away, and may block for ever.
      throw .unreadable(path: path, reason: "it is neither a file nor a folder")
    }
  }

  private static func file(
    _ path: String, shownAs shown: String? = nil, size: Int, index: Int
  ) throws(RecordsError) -> [SourceEntry] {
    let itself = SourceEntry(
      path: shown ?? path, at: path, entry: nil, index: index, size: size, container: .none)
    return try inside(itself, FileKind(path: path))
  }

  /// A file or an entry, or its own entries if it is an archive.
  private static func inside(_ entry: SourceEntry, _ kind: FileKind) throws(RecordsError) -> [SourceEntry] {
    let isNamed = FileKind.isArchiveName(entry.name)
    switch kind {
    case .archive, .gzip, .compressed: return try entries(in: entry, kind) ?? [entry]
    case .plain(let what) where isNamed: throw .notAnArchive(path: entry.description, found: what)
    case .emptyArchive: throw .emptyArchive(path: entry.description)
    case .empty where isNamed: throw .emptyArchive(path: entry.description)
    case .plain, .empty: return [entry]
    }
  }

  /// The files of an archive; nil for a document that is one. Archives in it are replaced by their entries,
  /// unless it is an entry itself.
  private static func entries(
    in place: SourceEntry, _ kind: FileKind
  ) throws(RecordsError) -> [SourceEntry]? {
    let archive = try Archive(place, kind: kind, blockSize: Archive.headBlockSize)
    let isOutermost = place.container == .none
    var found: [(entry: SourceEntry, kind: FileKind?)] = []
    var index = 0
    while let header = try archive.next() {
      if header.isFile, header.isRaw || !LeftBehind.contains(header.name) {
        let entry = SourceEntry(
          path: place.path, at: place.location, entry: header.name, index: index, size: header.size,
          container: header.isRaw ? .compression : .archive,
          outer: isOutermost ? nil : .archive(place, kind: kind))
        let looks = isOutermost && !header.isEncrypted && !FileKind.isDocumentName(header.name)
        found.append((entry, looks ? archive.head().map { FileKind(head: $0) } : nil))
      }
      // Nothing comes after what is one file, and its end need not be read for its name.
      if header.isRaw { break }
      index += 1
    }
    if found.contains(where: { $0.entry.member == "[Content_Types].xml" }) { return nil }
    guard !found.isEmpty else { throw .emptyArchive(path: place.description) }
    var entries: [SourceEntry] = []
    for (entry, kind) in found {
      if let kind { entries += try inside(entry, kind) } else { entries.append(entry) }
      guard entries.count <= UnpackingLimit.entries else {
        throw UnpackingLimit.excess(of: place.path, entry: place.entry)
      }
    }
    return entries
  }

  private static func folder(_ path: String) throws(RecordsError) -> [SourceEntry] {
    var files: [(path: String, size: Int)] = []
    try collect(path, of: path, into: &files)
    files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    var entries: [SourceEntry] = []
    for (index, file) in files.enumerated() {
      entries += try self.file(file.path, size: file.size, index: index)
      guard entries.count <= UnpackingLimit.entries else {
        throw UnpackingLimit.excess(of: path, entry: nil)
      }
    }
    return entries
  }

  private static func collect(
    _ folder: String, of top: String, into files: inout [(path: String, size: Int)]
  ) throws(RecordsError) {
    guard let directory = opendir(folder) else { throw .system(folder) }
    defer { closedir(directory) }
    while let item = readdir(directory) {
      let name = withUnsafeBytes(of: &item.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name != ".", name != "..", !LeftBehind.contains(name) else { continue }
      let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
      var status = stat()
      guard lstat(path, &status) == 0 else { throw .system(path) }
      let isLink = status.st_mode & S_IFMT == S_IFLNK
      // A link to a file counts as the file. A link to a folder is not followed: it may lead back.
      if isLink, stat(path, &status) != 0 { continue }
      switch status.st_mode & S_IFMT {
      case S_IFREG:
        guard files.count < UnpackingLimit.entries else { throw UnpackingLimit.excess(of: top, entry: nil) }
        files.append((path, Int(status.st_size)))
      case S_IFDIR where !isLink: try collect(path, of: top, into: &files)
      default: break
      }
    }
  }
}
