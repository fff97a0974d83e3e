/// Reads sqlx' `20260131120000_name.sql`: plain SQL without a way back. Its pairs of `.up.sql` and `.down.sql`
/// are those of golang-migrate.
struct SqlxFolder {
  let path: String

  func read() throws -> MigrationFolder {
    var migrations: [Migration] = []
    var strays: [MigrationError] = []
    for file in try MigrationFile.scripts(in: path) {
      let version = String(file.name.prefix { $0.isASCII && $0.isNumber })
      let rest = file.name.dropFirst(version.count).dropLast(".sql".count)
      guard !version.isEmpty, rest.first == "_" else {
        strays.append(
          .unfit(
            file.path, "not a name that sqlx takes, so it would leave the file out",
            "name it like 20260131120000_add_fees.sql"))
        continue
      }
      let up = ScriptTransactions.adapted(try Migration.Section(file).withSqlxOptions)
      migrations.append(
        Migration(version: version, name: String(rest.dropFirst()), up: up, down: .missing))
    }
    var folder = try MigrationFolder(path: path, migrations: migrations)
    folder.strays = strays
    return folder
  }
}

extension Migration.Section {
  /// The section with what the first line of a script of sqlx asks for.
  var withSqlxOptions: Migration.Section {
    var section = self
    if SectionedText.lines(sql).first?.hasPrefix("-- no-transaction") == true {
      section.options.transaction = false
    }
    return section
  }
}
