import Host

/// Reads `1_name.up.sql` and `1_name.down.sql`.
struct GolangMigrateFolder {
  let path: String

  func read() throws -> MigrationFolder {
    var ups: [(GolangMigrateName, MigrationFile)] = []
    var downs: [(GolangMigrateName, MigrationFile)] = []
    for name in try Files.list(path) where name.hasSuffix(".sql") && !name.hasPrefix(".") {
      let file = MigrationFile(name: name, path: Path.join(path, name))
      guard let parsed = GolangMigrateName(name) else {
        throw MigrationError.unfit(
          file: file.path, message: "not a name that golang-migrate takes, so it would leave the file out",
          hint: "name it like 2_add_fees.up.sql or 2_add_fees.down.sql")
      }
      if parsed.direction == .up { ups.append((parsed, file)) } else { downs.append((parsed, file)) }
    }
    var migrations: [Migration] = []
    for (name, file) in ups {
      let ways = downs.filter { VersionOrder.numeric.isSame($0.0.version, name.version) }
      if ways.count > 1 {
        throw MigrationError.sameVersion(version: name.version, files: ways.map(\.1.path))
      }
      let down = try ways.first.map { Migration.Down.sql(try $0.1.section()) } ?? .missing
      migrations.append(
        Migration(version: name.version, name: name.name, up: try file.section(), down: down))
    }
    let folder = try MigrationFolder(path: path, migrations: migrations)
    if let orphan = downs.first(where: { folder.migration($0.0.version) == nil }) {
      throw MigrationError.unfit(
        file: orphan.1.path, message: "there is no way forward of version \(orphan.0.version)",
        hint: "add \(orphan.0.version)_\(orphan.0.name).up.sql, or take this file away")
    }
    return folder
  }
}

/// `1_name.up.sql` taken apart.
struct GolangMigrateName {
  let version: String
  let name: String
  let direction: Direction

  /// Nil where the name is not of that form.
  init?(_ file: String) {
    if file.hasSuffix(".up.sql") {
      direction = .up
    } else if file.hasSuffix(".down.sql") {
      direction = .down
    } else {
      return nil
    }
    let stem = file.dropLast(direction == .up ? ".up.sql".count : ".down.sql".count)
    version = String(stem.prefix { $0.isASCII && $0.isNumber })
    name = String(stem.dropFirst(version.count + 1))
    guard !version.isEmpty, stem.dropFirst(version.count).first == "_" else { return nil }
  }
}
