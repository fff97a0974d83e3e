import Host

/// What one file of a folder of ours is.
enum FolderFile: Sendable {
  case hook(MigrationFolder.Event, Migration.Section)
  /// A name that is none of a migration, and so an error.
  case stray(MigrationError)
  /// One, or one for each of its halves.
  case migrations([Migration])
  case repeatable([Migration])

  /// Reads it.
  ///
  /// - Throws: `FileError`; what is wrong with its text is in the migration.
  init(_ file: MigrationFile, _ values: PlaceholderValues) throws(FileError) {
    let read = { (text: String) in MigrationParser(text: text, file: file.path, values: values) }
    if let event = MigrationFolder.Event(hook: file.name) {
      let hook = try Migration.read(file, version: "", name: file.name) { text throws(MigrationError) in
        try read(text).repeatable(name: file.name)
      }
      self = .hook(event, hook.up)
      return
    }
    guard let (version, title) = MigrationFolder.parts(of: file.name) else {
      self = .stray(.misnamed(file: file.path))
      return
    }
    let migrations = try Migration.readHalves(file, version: version ?? title, name: title) {
      text throws(MigrationError) in
      guard let version else { return [try read(text).repeatable(name: title)] }
      return try read(text).migrations(version: version, name: title)
    }
    // The history is compared with it: here, where there may be two at work.
    for migration in migrations { _ = migration.checksum }
    self = version == nil ? .repeatable(migrations) : .migrations(migrations)
  }
}
