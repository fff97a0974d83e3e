/// A folder of files that belong together and are written again and again, such as the pages of a site.
///
/// A file is one of ours when it begins as ours do. Others are never written over or removed, and each file
/// appears under its name only when it is whole.
public struct OutputFolder: Sendable {
  /// A file is in the way that is not one of ours.
  public struct Foreign: Error, CustomStringConvertible, Sendable {
    /// The file.
    public let path: String
    /// A sentence for the user.
    public var description: String { "\(path) is there and was not written by this, and nothing was written" }
    /// How to go on.
    public var hint: String { "name another folder, or write over it with --force" }
  }

  private let path: String
  /// How each of our files begins.
  private let start: String

  /// A folder, which need not be there yet; `start` is how each of our files begins.
  public init(_ path: String, start: String) { (self.path, self.start) = (path, start) }

  /// Writes files, and then removes those of ours from before that are no longer among them.
  /// - Parameters:
  ///   - files: the files, each by its name without a folder.
  ///   - replacesOthers: files of these names are written over, whatever wrote them.
  /// - Returns: the names of the files that were removed, sorted.
  /// - Throws: ``Foreign`` before anything is written, and ``FileError``.
  @discardableResult
  public func write(_ files: [(name: String, text: String)], replacesOthers: Bool = false) throws -> [String]
  {
    if !replacesOthers {
      for file in files {
        let place = Path.join(path, file.name)
        if Self.isTaken(place), try !isOurs(place) { throw Foreign(path: place) }
      }
    }
    try Files.makeDirectory(path)
    for file in files {
      let output = try OutputFile(Path.join(path, file.name))
      try output.write(file.text)
      try output.close()
    }
    let written = Set(files.map(\.name))
    var removed: [String] = []
    for name in try Files.list(path)
    where name.hasSuffix(".html") && !written.contains(name) {
      let place = Path.join(path, name)
      guard (try? FileStatus(place))?.kind == .file, try isOurs(place) else { continue }
      try Files.remove(place)
      removed.append(name)
    }
    return removed
  }

  private static func isTaken(_ path: String) -> Bool { (try? FileStatus(path)) != nil }

  private func isOurs(_ path: String) throws(FileError) -> Bool {
    guard (try? FileStatus(path))?.kind == .file else { return false }
    return try Files.read(path, atMost: start.utf8.count).elementsEqual(start.utf8)
  }
}
