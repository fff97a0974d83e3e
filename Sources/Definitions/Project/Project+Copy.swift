public import Host

extension Project {
  /// What a project consists of, from its folder: its file is last, so that a copy is no project before it is
  /// whole.
  private var parts: [String] {
    let folders = Set(migrationSources.flatMap(\.folders).compactMap(within)).subtracting(Project.usual)
    return Project.usual + folders.sorted() + [Project.fileName]
  }

  private static let usual = ["Data", migrationsFolder, "Pipelines"]

  /// The folder right in the project's that a path leads into; nil where it leads out of the project.
  private func within(_ path: String) -> String? {
    guard path.hasPrefix(folder + "/") else { return nil }
    let names = path.dropFirst(folder.count + 1).split(separator: "/")
    return names.contains("..") ? nil : names.first { $0 != "." }.map(String.init)
  }

  /// Copies all definitions into a folder, which is made where it is not there.
  ///
  /// The folder has to be empty: of a copy that fails nothing is left in it.
  /// - Throws: ``FileError`` of the first file that could not be read or written.
  public func copy(to other: String) throws(FileError) {
    try Files.makeDirectory(other)
    do throws(FileError) {
      for part in parts where Files.exists(Path.join(folder, part)) {
        try Files.copy(Path.join(folder, part), to: Path.join(other, part))
      }
    } catch {
      for part in parts { try? Files.remove(Path.join(other, part)) }
      throw error
    }
  }
}
