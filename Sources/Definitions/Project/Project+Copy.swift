public import Host

extension Project {
  /// What a project consists of, from its folder: its file is last, so that a copy is no project before it is
  /// whole.
  private static let parts = ["Data", "Migrations", "Pipelines", fileName]

  /// Copies all definitions into a folder, which is made where it is not there.
  ///
  /// The folder has to be empty: of a copy that fails nothing is left in it.
  /// - Throws: ``FileError`` of the first file that could not be read or written.
  public func copy(to other: String) throws(FileError) {
    try Files.makeDirectory(other)
    do throws(FileError) {
      for part in Project.parts where Files.exists(Path.join(folder, part)) {
        try Files.copy(Path.join(folder, part), to: Path.join(other, part))
      }
    } catch {
      for part in Project.parts { try? Files.remove(Path.join(other, part)) }
      throw error
    }
  }
}
