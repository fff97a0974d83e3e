import Host

/// A file whose name has a version in it, taken apart: `V` `1.2` `__add_fees.sql`.
struct NumberedFile {
  let path: String
  /// What comes before the version.
  let head: String
  /// The version as it is written.
  let version: String
  /// What comes behind it.
  let tail: String
  /// The name of the migration, as the history has it.
  let name: String
  /// Whether it is the way forward, of which a migration has one.
  let isForward: Bool

  /// Its path with another version, whose numbers are written with what this one has between them.
  func path(as version: String) -> String {
    let isUnderscored = self.version.contains("_") && !self.version.contains(".")
    let version = isUnderscored ? version.replacing(".", with: "_") : version
    return Path.join(Path.parent(path), head + version + tail)
  }

  /// All of a folder.
  ///
  /// - Throws: `MigrationError.malformed` where the format's versions are in no names of files, and `FileError`.
  static func all(in folder: String, _ format: MigrationFormat) throws -> [NumberedFile] {
    switch format {
    case .sqitch, .liquibase:
      throw MigrationError.unfit(
        folder, "the versions of \(format.rawValue) are no numbers in names of files",
        "change them with that tool, or in its files")
    case .flyway: try MigrationFile.tree(folder).compactMap(flyway)
    case .golangMigrate: try MigrationFile.tree(folder, isDeep: false).compactMap(golangMigrate)
    case .rivulet, .dbmate, .goose, .nodePgMigrate, .sqlx:
      try MigrationFile.scripts(in: folder).compactMap { plain($0, isOwn: format == .rivulet) }
    }
  }

  private static func flyway(_ file: MigrationFile) -> NumberedFile? {
    let isSettings = file.name.hasSuffix(".sql.conf")
    guard file.name.hasSuffix(".sql") || isSettings,
      let script = FlywayScript(stem: file.name.dropLast(isSettings ? ".sql.conf".count : ".sql".count)),
      [.versioned, .undo, .baseline].contains(script.role)
    else { return nil }
    return NumberedFile(
      file, head: String(file.name.prefix(1)), version: file.name.dropFirst().prefix(script.version.count),
      name: script.description, isForward: script.role != .undo && !isSettings)
  }

  private static func golangMigrate(_ file: MigrationFile) -> NumberedFile? {
    guard let (script, direction) = GolangMigrateFolder.script(file) else { return nil }
    return NumberedFile(
      file, version: script.version[...], name: script.name, isForward: direction == .up)
  }

  private static func plain(_ file: MigrationFile, isOwn: Bool) -> NumberedFile? {
    if isOwn {
      guard case (let version?, let name)? = MigrationFolder.parts(of: file.name) else { return nil }
      return NumberedFile(file, version: version[...], name: name)
    }
    let version = file.name.prefix { $0.isASCII && $0.isNumber }
    let name = file.name.dropFirst(version.count).dropLast(".sql".count).drop { "_-".contains($0) }
    return version.isEmpty ? nil : NumberedFile(file, version: version, name: String(name))
  }

  private init(
    _ file: MigrationFile, head: String = "", version: Substring, name: String, isForward: Bool = true
  ) {
    path = file.path
    (self.head, self.version, self.name, self.isForward) = (head, String(version), name, isForward)
    tail = String(file.name.dropFirst(head.count + version.count))
  }
}

/// A migration as its files are named, one of them or several.
struct NumberedMigration {
  let files: [NumberedFile]
  var version: String { files[0].version }
  var name: String { files[0].name }
  var key: VersionKey { VersionOrder.numeric.key(version) }
  var label: String { Migration.Kind.versioned.label(version, name) }

  /// The migrations that files are of; a way back whose way forward is not there is left out.
  ///
  /// - Throws: `MigrationError.malformed` where a way back may be that of several.
  static func all(_ files: [NumberedFile]) throws(MigrationError) -> [NumberedMigration] {
    let order = VersionOrder.numeric
    var all = files.filter(\.isForward).map { [$0] }
    for file in files where !file.isForward {
      let ofVersion = all.indices.filter { order.isSame(all[$0][0].version, file.version) }
      let ofName = ofVersion.filter { all[$0][0].name == file.name }
      guard let place = ofName.first ?? ofVersion.first else { continue }
      if ofName.isEmpty && ofVersion.count > 1 {
        throw .unfit(
          file.path, "this may be the way back of any of the files of version \(file.version)",
          "give it the name of the one that it reverts")
      }
      all[place].append(file)
    }
    return all.map(NumberedMigration.init).sorted { ($0.key, $0.name) < ($1.key, $1.name) }
  }
}
