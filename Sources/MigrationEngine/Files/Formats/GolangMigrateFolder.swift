import Host

/// Reads `1_name.up.sql` and `1_name.down.sql`, as golang-migrate has them, and sqlx where there is a way back.
struct GolangMigrateFolder {
  let path: String

  func read() throws -> MigrationFolder {
    var scripts: [(PairedScript, Direction)] = []
    var strays: [MigrationError] = []
    for file in try MigrationFile.tree(path, isDeep: false) {
      if let script = GolangMigrateFolder.script(file) {
        scripts.append(script)
      } else if file.name.hasSuffix(".sql") {
        strays.append(
          .unfit(
            file.path, "not a name that golang-migrate takes, so it would leave the file out",
            "name it like 2_add_fees.up.sql or 2_add_fees.down.sql"))
      }
    }
    var folder = try MigrationFolder(
      path: path, ups: scripts.filter { $0.1 == .up }.map(\.0),
      downs: scripts.filter { $0.1 == .down }.map(\.0), upName: { "\($0.version)_\($0.name).up.sql" },
      section: { ScriptTransactions.adapted(try Migration.Section($0).withSqlxOptions) })
    folder.strays += strays
    return folder
  }

  /// `1_name.up.sql` taken apart; nil where the name is not of that form. golang-migrate takes any ending, such
  /// as `.pgsql` or `.pg.sql`.
  static func script(_ file: MigrationFile) -> (PairedScript, Direction)? {
    // Folders of all formats are asked, and may have thousands of names.
    guard file.name.utf8.first.map({ (0x30...0x39).contains($0) }) == true,
      file.name.utf8.lazy.filter({ $0 == 0x2e }).prefix(2).count == 2
    else { return nil }
    let parts = file.name.split(separator: ".", omittingEmptySubsequences: false)
    guard let place = parts.dropLast().lastIndex(where: { Direction(rawValue: String($0)) != nil }),
      let direction = Direction(rawValue: String(parts[place]))
    else { return nil }
    let stem = parts[..<place].joined(separator: ".")
    let version = stem.prefix { $0.isASCII && $0.isNumber }
    guard !version.isEmpty, stem.dropFirst(version.count).first == "_" else { return nil }
    let name = stem.dropFirst(version.count + 1)
    return (PairedScript(version: String(version), name: String(name), file: file), direction)
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
  /// A way back alone is among the ``complaints``.
  ///
  /// - Throws: `MigrationError.sameVersion`, and what `section` throws.
  init(
    path: String, ups: [PairedScript], downs: [PairedScript], upName: (PairedScript) -> String,
    values: PlaceholderValues = PlaceholderValues(), section: (MigrationFile) throws -> Migration.Section
  ) throws {
    let waysBack = Dictionary(grouping: downs) { VersionOrder.numeric.key($0.version) }
    let migrations = try ups.map { up in
      let ways = waysBack[VersionOrder.numeric.key(up.version)] ?? []
      if ways.count > 1 {
        throw MigrationError.sameVersion(version: up.version, files: ways.map(\.file.path))
      }
      let down = try ways.first.map { Migration.Down.sql(try section($0.file)) } ?? .missing
      return Migration(version: up.version, name: up.name, up: try section(up.file), down: down)
    }
    try self.init(path: path, migrations: migrations, values: values)
    strays = downs.filter { migration($0.version) == nil }.map { orphan in
      .unfit(
        orphan.file.path, "there is no way forward of version \(orphan.version)",
        "add \(upName(orphan)), or take this file away")
    }
  }
}

extension Migration.Section {
  /// All of a file; one that is no UTF-8 has a fault.
  init(_ file: MigrationFile) throws(FileError) {
    let (text, fault) = try file.textOrFault()
    self.init(sql: text, file: file.path)
    self.fault = fault
  }
}
