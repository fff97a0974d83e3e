import Host

extension MigrationFolder {
  /// Reads a folder of whatever format it is, as it is.
  ///
  /// `placeholders` are the values of `${name}` in Flyway's files; other formats have none, and our own files
  /// say what they do without looking anywhere else.
  ///
  /// Throws ``MigrationError/unknownFormat(path:names:)`` where nothing shows the format; an empty folder is
  /// ours if it may be empty.
  public static func open(_ path: String, placeholders: [String: String] = [:], mayBeEmpty: Bool = false)
    throws
    -> MigrationFolder
  {
    guard let format = try MigrationFormat.of(path) else {
      let names = try Files.list(path).filter { !$0.hasPrefix(".") }
      if names.isEmpty && mayBeEmpty { return try MigrationFolder(path) }
      throw MigrationError.unknownFormat(path: path, names: names)
    }
    if let name = placeholders.keys.min(), format != .flyway {
      throw MigrationError.noPlaceholders(name: name, path: path, format: format)
    }
    var folder =
      switch format {
      case .rivulet: try MigrationFolder(path)
      case .flyway: try FlywayFolder(path: path, placeholders: placeholders).read()
      case .golangMigrate: try GolangMigrateFolder(path: path).read()
      case .dbmate: try DbmateFolder(path: path).read()
      case .sqitch: try SqitchFolder(path).read()
      }
    folder.format = format
    return folder
  }
}
