/// Reads `1_name.up.sql` and `1_name.down.sql`.
struct GolangMigrateFolder {
  let path: String

  func read() throws -> MigrationFolder {
    let scripts = try MigrationFile.scripts(in: path).map { file in
      guard let (script, direction) = GolangMigrateFolder.script(file) else {
        throw MigrationError.unfit(
          file.path, "not a name that golang-migrate takes, so it would leave the file out",
          "name it like 2_add_fees.up.sql or 2_add_fees.down.sql")
      }
      return (script, direction)
    }
    return try MigrationFolder(
      path: path, ups: scripts.filter { $0.1 == .up }.map(\.0),
      downs: scripts.filter { $0.1 == .down }.map(\.0), upName: { "\($0.version)_\($0.name).up.sql" },
      section: { file in
        try OuterTransaction.removed(from: Migration.Section(sql: try file.text(), file: file.path))
      })
  }

  /// `1_name.up.sql` taken apart; nil where the name is not of that form.
  static func script(_ file: MigrationFile) -> (PairedScript, Direction)? {
    for direction in [Direction.up, .down] where file.name.hasSuffix(".\(direction.rawValue).sql") {
      let stem = file.name.dropLast(".\(direction.rawValue).sql".count)
      let version = stem.prefix { $0.isASCII && $0.isNumber }
      guard !version.isEmpty, stem.dropFirst(version.count).first == "_" else { return nil }
      let name = stem.dropFirst(version.count + 1)
      return (PairedScript(version: String(version), name: String(name), file: file), direction)
    }
    return nil
  }
}

/// One way of a migration, in a file of its own.
struct PairedScript {
  let version: String
  let name: String
  let file: MigrationFile
}

extension MigrationFolder {
  /// Scripts with those that revert them, found by the number of their version.
  ///
  /// `upName` is what the file of the way forward is called.
  ///
  /// - Throws: `MigrationError.sameVersion`, and `.malformed` where there is a way back alone.
  init(
    path: String, ups: [PairedScript], downs: [PairedScript], upName: (PairedScript) -> String,
    section: (MigrationFile) throws -> Migration.Section
  ) throws {
    let migrations = try ups.map { up in
      let ways = downs.filter { VersionOrder.numeric.isSame($0.version, up.version) }
      if ways.count > 1 {
        throw MigrationError.sameVersion(version: up.version, files: ways.map(\.file.path))
      }
      let down = try ways.first.map { Migration.Down.sql(try section($0.file)) } ?? .missing
      return Migration(version: up.version, name: up.name, up: try section(up.file), down: down)
    }
    try self.init(path: path, migrations: migrations)
    guard let orphan = downs.first(where: { migration($0.version) == nil }) else { return }
    throw MigrationError.unfit(
      orphan.file.path, "there is no way forward of version \(orphan.version)",
      "add \(upName(orphan)), or take this file away")
  }
}
