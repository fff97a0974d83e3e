import Host

/// Reads files that have both ways of a migration, each behind a mark: those of dbmate, goose and
/// node-pg-migrate.
struct MarkedFolder {
  let path: String
  let tool: MarkedTool
  let values: PlaceholderValues

  func read() throws -> MigrationFolder {
    var migrations: [Migration] = []
    var strays: [MigrationError] = []
    for file in try MigrationFile.tree(path, isDeep: false) {
      if !file.name.hasSuffix(".sql") {
        if let stray = tool.stray(file) { strays.append(stray) }
        continue
      }
      let version = String(file.name.prefix { $0.isASCII && $0.isNumber })
      if version.isEmpty {
        strays.append(
          .unfit(
            file.path, "the name begins with no version, so \(tool.name) would leave the file out",
            "name it like 20260131120000_add_fees.sql"))
        continue
      }
      let title = file.name.dropFirst(version.count).dropLast(".sql".count).drop { "_-".contains($0) }
      migrations.append(
        try Migration.read(file, version: version, name: String(title)) { text throws(MigrationError) in
          try migration(text, file.path, version: version, name: String(title))
        })
    }
    if tool == .dbmate { try requireOrderOfLetters(migrations) }
    var folder = try MigrationFolder(path: path, migrations: migrations, values: values)
    folder.strays = strays
    return folder
  }

  /// dbmate goes by the letters of the names: 10 comes before 9 there.
  private func requireOrderOfLetters(_ migrations: [Migration]) throws(MigrationError) {
    for (one, next) in zip(migrations, migrations.dropFirst())
    where VersionOrder.numeric.precedes(next.version, one.version) {
      throw .unfit(
        next.file,
        "dbmate, which goes by the letters of names, runs version \(next.version) after \(one.version)",
        "write all versions with as many digits")
    }
  }

  private func migration(_ text: String, _ path: String, version: String, name: String)
    throws(MigrationError) -> Migration
  {
    func unfit(_ line: Int, _ message: String, _ hint: String) -> MigrationError {
      .unfit(path, line: line, message, hint)
    }
    let parts = SectionedText(text, mark: tool.mark)
    var found: [(direction: Direction, line: Int, section: Migration.Section)] = []
    for (mark, line, sql) in parts.sections {
      let words = mark.split(whereSeparator: \.isWhitespace)
      guard let direction = Direction(rawValue: words[0].lowercased()) else {
        throw unfit(
          line, "unknown mark '\(tool.marked(words[0]))'", "the marks are \(tool.up) and \(tool.down)")
      }
      var section = Migration.Section(sql: sql, file: path, line: line + 1)
      section.options.transaction = tool.isOutsideTransaction(text) ? false : nil
      for word in tool.options(words) where word != "transaction:true" {
        guard word == "transaction:false" else {
          throw unfit(line, "unknown option '\(word)'", "the one that is known is transaction:false")
        }
        section.options.transaction = false
      }
      if tool.replacesPlaceholders(text) {
        section.options.placeholders = .braces
        section.values = values
      }
      found.append((direction, line, section))
    }
    guard let up = found.first, up.direction == .up else {
      throw unfit(found.first?.line ?? 1, "there is no '\(tool.up)' first", "begin the file with it")
    }
    if let line = parts.earlyLine {
      throw unfit(line, "SQL before '\(tool.up)'", "begin the file with '\(tool.up)'")
    }
    for (one, next) in zip(found, found.dropFirst())
    where next.direction == one.direction || (next.direction == .up && tool != .dbmate) {
      throw unfit(
        next.line, "a second '\(next.direction == .up ? tool.up : tool.down)'",
        "make it a file of its own")
    }
    let sections = { (direction: Direction) in found.filter { $0.direction == direction }.map(\.section) }
    return Migration(
      version: version, name: name, up: joined(sections(.up)) ?? up.section,
      down: joined(sections(.down)).map { .sql($0) } ?? .missing)
  }

  /// The sections of one direction, which dbmate runs one after the other, each on its own lines; outside of a
  /// transaction where one of them asks for that.
  private func joined(_ sections: [Migration.Section]) -> Migration.Section? {
    let filled = sections.filter { !$0.sql.allSatisfy(\.isWhitespace) }
    guard var whole = filled.first ?? sections.first else { return nil }
    for section in filled.dropFirst() {
      let lines = section.line - whole.line - whole.sql.utf8.count { $0 == 0x0a }
      // The last statement of a section needs no semicolon.
      whole.sql += "\n;" + String(repeating: "\n", count: lines - 1) + section.sql
      whole.options.transaction = whole.options.transaction ?? section.options.transaction
    }
    return ScriptTransactions.adapted(whole)
  }
}

/// A tool whose files have marks in them.
enum MarkedTool: String, CaseIterable {
  case dbmate
  case goose
  case nodePgMigrate = "node-pg-migrate"

  var name: String { rawValue }

  /// The mark of the way forward.
  var up: String { mark(.up) }

  /// The mark of the way back.
  var down: String { mark(.down) }

  private func mark(_ direction: Direction) -> String {
    let word = direction == .up ? "Up" : "Down"
    return switch self {
    case .dbmate: "-- migrate:\(direction.rawValue)"
    case .goose: "-- +goose \(word)"
    case .nodePgMigrate: "-- \(word) Migration"
    }
  }

  /// A mark as people write it behind the dashes.
  func marked(_ word: Substring) -> String {
    switch self {
    case .dbmate: "migrate:\(word)"
    case .goose: "+goose \(word)"
    case .nodePgMigrate: "\(word) Migration"
    }
  }

  /// What a mark says, the direction first; nil where the line is no mark of a section.
  func mark(_ line: Substring) -> Substring? {
    guard line.hasPrefix("--") else { return nil }
    let rest = line.dropFirst(2).drop(while: \.isWhitespace)
    switch self {
    case .dbmate:
      guard rest.hasPrefix("migrate:") else { return nil }
      let words = rest.dropFirst("migrate:".count)
      return words.allSatisfy(\.isWhitespace) ? nil : words
    case .goose:
      guard rest.lowercased().hasPrefix("+goose") else { return nil }
      let words = rest.dropFirst("+goose".count).drop(while: \.isWhitespace)
      let isNote = ["statementbegin", "statementend", "no transaction", "envsub"].contains {
        words.lowercased().hasPrefix($0)
      }
      return isNote || words.isEmpty ? nil : words
    case .nodePgMigrate:
      let words = rest.lowercased().split(whereSeparator: \.isWhitespace)
      return ["up", "down"].contains(words.first) && words.dropFirst().first == "migration" ? rest : nil
    }
  }

  /// What behind the direction asks for something.
  func options(_ words: [Substring]) -> ArraySlice<Substring> { self == .dbmate ? words.dropFirst() : [] }

  /// Whether the file says that no transaction is to be around it.
  func isOutsideTransaction(_ text: String) -> Bool {
    self == .goose && notes(text).contains("no transaction")
  }

  /// Whether the file asks for values of the environment in the place of `${name}`.
  func replacesPlaceholders(_ text: String) -> Bool { self == .goose && notes(text).contains("envsub on") }

  private func notes(_ text: String) -> [String] {
    SectionedText.lines(text).compactMap { line in
      guard line.hasPrefix("--") else { return nil }
      let words = line.dropFirst(2).lowercased().split(whereSeparator: \.isWhitespace)
      return words.first == "+goose" ? words.dropFirst().joined(separator: " ") : nil
    }
  }

  /// A migration that is a program; nil for what is none of the tool's.
  func stray(_ file: MigrationFile) -> MigrationError? {
    let endings: [String] =
      switch self {
      case .dbmate: []
      case .goose: [".go"]
      case .nodePgMigrate: [".js", ".cjs", ".mjs", ".ts"]
      }
    guard let ending = endings.first(where: file.name.hasSuffix), file.name.first?.isNumber == true else {
      return nil
    }
    return .unfit(
      file.path, "this migration is a program (\(ending)), and rivulet runs SQL",
      "write what it does as SQL, or let \(name) run this folder")
  }
}
