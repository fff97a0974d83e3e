import Host

/// Reads `20260131120000_name.sql` with `-- migrate:up` and `-- migrate:down`.
struct DbmateFolder {
  let path: String

  func read() throws -> MigrationFolder {
    var migrations: [Migration] = []
    for name in try Files.list(path) where name.hasSuffix(".sql") && !name.hasPrefix(".") {
      let file = MigrationFile(name: name, path: Path.join(path, name))
      let version = String(name.prefix { $0.isASCII && $0.isNumber })
      guard !version.isEmpty else {
        throw MigrationError.unfit(
          file: file.path, message: "the name begins with no version, so dbmate would leave the file out",
          hint: "name it like 20260131120000_add_fees.sql")
      }
      let title = name.dropFirst(version.count).dropLast(".sql".count).drop { $0 == "_" }
      migrations.append(
        try DbmateFile(text: try file.text(), file: file.path).migration(
          version: version, name: String(title)))
    }
    try requireOneOrder(migrations)
    return try MigrationFolder(path: path, migrations: migrations)
  }

  /// dbmate goes by the letters of the names: 10 comes before 9 there.
  private func requireOneOrder(_ migrations: [Migration]) throws(MigrationError) {
    for (one, next) in zip(migrations, migrations.dropFirst())
    where VersionOrder.numeric.precedes(next.version, one.version) {
      throw .unfit(
        file: next.file,
        message:
          "dbmate, which goes by the letters of names, runs version \(next.version) after \(one.version)",
        hint: "write all versions with as many digits")
    }
  }
}
