import Glibc

/// Finds what there is to read at a path.
public enum Discovery {
  /// The entries of a path: of an archive its files in their order, of a folder the files in it and in its
  /// sub-folders sorted by path, of any other file itself.
  ///
  /// Archives are recognised by content; an XLSX or DOCX is a document, not an archive. Archives within a
  /// folder or an archive are listed as files.
  ///
  /// Listing a zip, a 7z or a plain tar reads its directory only.
  /// - Throws: `missing` and `unreadable`; for archives `brokenArchive`, `emptyArchive`, `encrypted`, and
  ///   `notAnArchive` for a file that has only the name of one.
  public static func entries(of path: String) throws(RecordsError) -> [SourceEntry] {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .system(path) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return try folder(path)
    case S_IFREG: return try file(path, size: Int(status.st_size))
    default:
      // A pipe cannot be looked into without taking its bytes away, and may block for ever.
      throw .unreadable(path: path, reason: "it is neither a file nor a folder")
    }
  }

  private static func file(_ path: String, size: Int) throws(RecordsError) -> [SourceEntry] {
    let itself = SourceEntry(path: path, entry: nil, index: 0, size: size, container: .none)
    switch try FileKind(path: path) {
    case .archive:
      let entries = try archive(path)
      return entries.contains { $0.entry == "[Content_Types].xml" } ? [itself] : entries
    case .gzip, .compressed:
      return try archive(path)
    case .plain(let what):
      guard !FileKind.isArchiveName(path) else { throw .notAnArchive(path: path, found: what) }
      return [itself]
    case .emptyArchive:
      throw .emptyArchive(path: path)
    case .empty:
      guard !FileKind.isArchiveName(path) else { throw .emptyArchive(path: path) }
      return [itself]
    }
  }

  private static func archive(_ path: String) throws(RecordsError) -> [SourceEntry] {
    let archive = try Archive(path: path)
    var entries: [SourceEntry] = []
    var index = 0
    while let header = try archive.next() {
      if header.isFile {
        entries.append(
          SourceEntry(
            path: path, entry: header.name, index: index, size: header.size,
            container: header.isRaw ? .compression : .archive))
      }
      index += 1
    }
    guard !entries.isEmpty else { throw .emptyArchive(path: path) }
    return entries
  }

  private static func folder(_ path: String) throws(RecordsError) -> [SourceEntry] {
    var files: [(path: String, size: Int)] = []
    try collect(path, into: &files)
    files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    return files.enumerated().map { index, file in
      SourceEntry(path: file.path, entry: nil, index: index, size: file.size, container: .none)
    }
  }

  private static func collect(
    _ folder: String, into files: inout [(path: String, size: Int)]
  ) throws(RecordsError) {
    guard let directory = opendir(folder) else { throw .system(folder) }
    defer { closedir(directory) }
    while let item = readdir(directory) {
      let name = withUnsafeBytes(of: &item.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name != ".", name != ".." else { continue }
      let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
      var status = stat()
      guard lstat(path, &status) == 0 else { throw .system(path) }
      let isLink = status.st_mode & S_IFMT == S_IFLNK
      // A link to a file counts as the file. A link to a folder is not followed: it may lead back.
      if isLink, stat(path, &status) != 0 { continue }
      switch status.st_mode & S_IFMT {
      case S_IFREG: files.append((path, Int(status.st_size)))
      case S_IFDIR where !isLink: try collect(path, into: &files)
      default: break
      }
    }
  }
}
