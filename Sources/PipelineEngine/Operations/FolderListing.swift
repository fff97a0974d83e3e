public import Definitions
public import Host
import PipelineCore

/// The files that lie in a watched folder, in the order of their names.
///
/// Files only: sub-folders are not looked into, since nobody can tell when one is whole. A link counts as the
/// file that it leads to. Hidden files and those that carry the mark of a copy under way are as good as not
/// there.
public struct FolderListing: Sendable {
  /// A file, and how it was when it was looked at.
  public struct File: Sendable {
    /// Its path.
    public let path: String
    /// Its size and times.
    public let status: FileStatus

    /// A file that is known to be whole.
    public init(path: String, status: FileStatus) { (self.path, self.status) = (path, status) }
  }

  /// Those that nobody has written to for as long as the definition says.
  public private(set) var settled: [File] = []
  /// Those that may still grow.
  public private(set) var growing: [File] = []
  /// Those that cannot be looked at, as links that lead nowhere.
  public private(set) var unreadable: [FileError] = []

  /// Looks into a folder.
  ///
  /// Throws where there is none, or it may not be seen.
  public init(_ folder: WatchedFolder) throws(FileError) {
    let settle = Double(folder.settle.components.seconds)
    for name in try Files.list(folder.folder) where Self.isMeant(name, by: folder) {
      let path = Path.join(folder.folder, name)
      do {
        let status = try FileStatus(path)
        guard status.kind == .file else { continue }
        let file = File(path: path, status: status)
        if status.age < settle { growing.append(file) } else { settled.append(file) }
      } catch {
        unreadable.append(error)
      }
    }
  }

  private static func isMeant(_ name: String, by folder: WatchedFolder) -> Bool {
    if name.hasPrefix(".") || underWay.contains(where: name.lowercased().hasSuffix) { return false }
    return folder.files?.matches(name) ?? true
  }

  /// How programs end the names of files that they are still writing, or have kept as they were before.
  static let underWay = ["~", ".part", ".partial", ".filepart", ".crdownload", ".download", ".tmp", ".swp"]
}
