/// Reads `20260131120000_name.sql` with `-- migrate:up` and `-- migrate:down`.
struct DbmateFolder {
  let path: String

  func read() throws -> MigrationFolder {
    var migrations: [Migration] = []
    var strays: [MigrationError] = []
    for file in try MigrationFile.scripts(in: path) {
      let version = String(file.name.prefix { $0.isASCII && $0.isNumber })
      if version.isEmpty {
        strays.append(
          .unfit(
            file.path, "the name begins with no version, so dbmate would leave the file out",
            "name it like 20260131120000_add_fees.sql"))
        continue
      }
      let title = String(file.name.dropFirst(version.count).dropLast(".sql".count).drop { $0 == "_" })
      migrations.append(
        try Migration.read(file, version: version, name: title) { text throws(MigrationError) in
          try migration(text, file.path, version: version, name: title)
        })
    }
    // dbmate goes by the letters of the names: 10 comes before 9 there.
    for (one, next) in zip(migrations, migrations.dropFirst())
    where VersionOrder.numeric.precedes(next.version, one.version) {
      throw MigrationError.unfit(
        next.file,
        "dbmate, which goes by the letters of names, runs version \(next.version) after \(one.version)",
        "write all versions with as many digits")
    }
    var folder = try MigrationFolder(path: path, migrations: migrations)
    folder.strays = strays
    return folder
  }

  private func migration(_ text: String, _ path: String, version: String, name: String)
    throws(MigrationError) -> Migration
  {
    func unfit(_ line: Int, _ message: String, _ hint: String) -> MigrationError {
      .unfit(path, line: line, message, hint)
    }
    let text = SectionedText(text, mark: DbmateFolder.mark)
    var found: [(direction: Direction, line: Int, section: Migration.Section)] = []
    for (mark, line, sql) in text.sections {
      let words = mark.split(whereSeparator: \.isWhitespace)
      guard let direction = Direction(rawValue: String(words[0])) else {
        throw unfit(line, "unknown mark 'migrate:\(words[0])'", "the marks are migrate:up and migrate:down")
      }
      var section = Migration.Section(sql: sql, file: path, line: line + 1)
      for word in words.dropFirst() where word != "transaction:true" {
        guard word == "transaction:false" else {
          throw unfit(line, "unknown option '\(word)'", "the one that is known is transaction:false")
        }
        section.options.transaction = false
      }
      found.append((direction, line, section))
    }
    guard let up = found.first, up.direction == .up else {
      throw unfit(found.first?.line ?? 1, "there is no '-- migrate:up' first", "begin the file with it")
    }
    if let line = text.earlyLine {
      throw unfit(line, "SQL before '-- migrate:up'", "begin the file with '-- migrate:up'")
    }
    let forward = ScriptTransactions.adapted(up.section)
    guard found.count > 1 else { return Migration(version: version, name: name, up: forward, down: .missing) }
    guard found.count == 2, found[1].direction == .down else {
      let second = found[1].direction == .up ? found[1] : found[2]
      throw unfit(
        second.line, "a second '-- migrate:\(second.direction.rawValue)'", "make it a file of its own")
    }
    let back = ScriptTransactions.adapted(found[1].section)
    return Migration(version: version, name: name, up: forward, down: .sql(back))
  }

  /// What follows `-- migrate:`; nil where the line is no mark.
  static func mark(_ line: Substring) -> Substring? {
    guard line.hasPrefix("--") else { return nil }
    let rest = line.dropFirst(2).drop(while: \.isWhitespace)
    guard rest.hasPrefix("migrate:") else { return nil }
    let words = rest.dropFirst("migrate:".count)
    return words.allSatisfy(\.isWhitespace) ? nil : words
  }
}
