import SQLText

/// Reads the sections of a migration's file.
///
/// A section begins with a line `-- rivulet:up`, `-- rivulet:down`, `-- rivulet:require` or `--
/// rivulet:verify`, followed by its options; `down` may say `irreversible "reason"` instead of holding SQL.
/// A file of two halves has `-- rivulet:expand` in the place of `up`, and behind it `-- rivulet:contract` with
/// sections of its own.
/// Before the first one a line `-- rivulet:datasets cms-rvu, cms-zip5` says which datasets it is for.
struct MigrationParser {
  let text: String
  let file: String
  /// What placeholders stand for, in a section that has any.
  var values = PlaceholderValues()

  static let marker = "-- rivulet:"

  /// The migration of a file without halves.
  func migration(version: String, name: String) throws(MigrationError) -> Migration {
    try migration(version: version, name: name, try parts())
  }

  /// The migrations of a file: one, or one for each of its halves.
  func migrations(version: String, name: String) throws(MigrationError) -> [Migration] {
    let parts = try parts()
    let (expand, contract) = (
      parts.firstIndex { $0.name == "expand" }, parts.firstIndex { $0.name == "contract" }
    )
    guard expand != nil || contract != nil else {
      return [try migration(version: version, name: name, parts)]
    }
    guard let expand, let contract, expand < contract else {
      throw .unfit(
        file, line: parts[contract ?? expand ?? 0].line,
        "a section '\(contract == nil ? "expand" : "contract")' without the other half",
        "write '-- rivulet:expand' first and '-- rivulet:contract' behind it; what has no halves is '-- rivulet:up'"
      )
    }
    let first = try migration(version: version, name: name, parts[..<contract], half: .expand)
    let second = try migration(
      version: version + Migration.contractEnding, name: name, parts[contract...], half: .contract)
    return [first.followed(by: second), second]
  }

  /// The migration of a version whose text the history has, of a second half that half alone.
  func applied(_ kind: Migration.Kind, version: String, name: String) throws(MigrationError) -> Migration {
    if kind == .repeatable { return try repeatable(name: name) }
    let parts = try parts()
    guard parts.first?.name == Migration.Half.contract.rawValue else {
      return try migrations(version: version, name: name)[0]
    }
    return try migration(version: version, name: name, parts, half: .contract)
  }

  private typealias Part = (name: String, rest: Substring, line: Int, sql: String)

  private func parts() throws(MigrationError) -> ArraySlice<Part> {
    let text = sectioned
    if let line = text.earlyLine {
      throw .unfit(file, line: line, "SQL before the first section", MigrationParser.begin)
    }
    return text.sections.map { mark, line, sql in
      let name = mark.firstWord
      return (String(name), mark[name.endIndex...].trimmingBlanks, line, sql)
    }[...]
  }

  private static let begin = "begin the file with '-- rivulet:up'"

  /// The migration of some sections; of those of a half its name is that of the way forward.
  private func migration(
    _ kind: Migration.Kind = .versioned, version: String, name: String, _ parts: ArraySlice<Part>,
    half: Migration.Half? = nil
  ) throws(MigrationError) -> Migration {
    let way = half?.rawValue ?? "up"
    var sections: [(name: String, section: Migration.Section)] = []
    var irreversible: String?
    for (name, rest, line, sql) in parts {
      let isCondition = name == "require" || name == "verify"
      guard isCondition || name == way || name == "down" else {
        throw .unfit(
          file, line: line, "unknown section '\(name)'",
          "the sections are \(way), down, require and verify")
      }
      var section = Migration.Section(sql: sql, file: file, line: line + 1)
      if name == "down" && rest.hasPrefix("irreversible") {
        irreversible = try reason(rest.dropFirst("irreversible".count).trimmingBlanks, line)
      } else {
        section.options = try options(rest, line)
      }
      if section.options.hasOwnTransactions && isCondition {
        throw .unfit(
          file, line: line, "the section '\(name)' runs in its migration's transaction",
          "leave out transaction=own")
      }
      section.values = values
      if sections.contains(where: { $0.name == name }) {
        throw .unfit(file, line: line, "a second section '\(name)'", "put both into one")
      }
      try refuseTransactions(in: section)
      if isCondition {
        try section.refuseBatches()
        try section.refusePlacements()
      }
      sections.append((name, section))
    }
    let found = { (name: String) in sections.first { $0.name == name }?.section }
    guard let up = found(way) else {
      throw .unfit(file, line: 1, "there is no section 'up'", MigrationParser.begin)
    }
    let back = found("down").map { Migration.Down.sql($0) } ?? .missing
    if sections.contains(where: \.section.options.isRunAlways), kind == .versioned {
      throw .unfit(file, line: 1, "run=always is for a repeatable migration", "name the file R_\(name).sql")
    }
    return Migration(
      kind, version: version, name: name, half: half, datasets: try datasets(),
      require: found("require"), up: up, down: irreversible.map { .irreversible(reason: $0) } ?? back,
      verify: found("verify"))
  }

  /// A file `R_name.sql`: sections as ever, or nothing but SQL.
  func repeatable(name: String) throws(MigrationError) -> Migration {
    if sectioned.sections.isEmpty {
      let sql = SectionedText.lines(text).joined(separator: "\n")
      let migration = Migration(
        .repeatable, version: name, name: name, datasets: try datasets(),
        up: Migration.Section(sql: sql, file: file), down: .missing)
      try refuseTransactions(in: migration.up)
      return migration
    }
    let migration = try migration(.repeatable, version: name, name: name, try parts())
    if migration.down != .missing {
      throw .unfit(
        file, line: 1, "a repeatable migration has no way back",
        "take out the section 'down': the next content replaces it")
    }
    return migration
  }

  private var sectioned: SectionedText {
    SectionedText(text) { line in
      // Most lines are none, and a folder has many.
      guard line.utf8.first == UInt8(ascii: "-"), line.utf8.starts(with: MigrationParser.marker.utf8)
      else { return nil }
      let rest = line[line.utf8.index(line.startIndex, offsetBy: MigrationParser.marker.utf8.count)...]
      switch rest.firstWord {
      // `-- rivulet:allow` is a comment for the lint; the others are about the statement below them.
      case "allow", "batch", "place", MigrationParser.datasetMark: return nil
      default: return rest
      }
    }
  }

  private static let datasetMark: Substring = "datasets"
  /// How a line begins that names the datasets of a migration.
  static let datasetLine = marker + datasetMark

  /// The datasets that the file's head names.
  private func datasets() throws(MigrationError) -> [String] {
    let mark = MigrationParser.datasetLine
    guard text.hasBytes(of: mark) else { return [] }
    let lines = SectionedText.lines(text)
    var found: [String] = []
    for (index, line) in lines.enumerated() where line.hasPrefix(mark) {
      guard lines[..<index].allSatisfy({ $0.allSatisfy(\.isWhitespace) || $0.hasPrefix("--") }),
        !lines[..<index].contains(where: { $0.hasPrefix(MigrationParser.marker) })
      else {
        throw .unfit(
          file, line: index + 1, "this says too late which datasets the migration is for",
          "write one line '\(mark) NAME, NAME' before the first section")
      }
      found = line.dropFirst(mark.count).split { $0 == "," || $0.isWhitespace }.map(String.init)
      guard !found.isEmpty else {
        throw .unfit(
          file, line: index + 1, "no dataset is named", "write '\(mark) NAME, NAME', or leave the line out")
      }
    }
    return found
  }

  private func options(_ text: Substring, _ line: Int) throws(MigrationError) -> Migration.Options {
    var options = Migration.Options()
    for word in text.split(whereSeparator: \.isWhitespace) {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      switch (parts[0], parts.count == 2 ? parts[1] : "") {
      case ("transaction", "off"): options.transaction = false
      case ("transaction", "on"): options.transaction = true
      case ("transaction", "own"): options.hasOwnTransactions = true
      case ("placeholders", let value) where PlaceholderSyntax(rawValue: value) != nil:
        options.placeholders = PlaceholderSyntax(rawValue: value)
      case ("run", "always"): options.isRunAlways = true
      case ("schema", let value) where !value.isEmpty:
        options.schema = Migration.Options.decoded(value)
      case ("run_in", let value) where !value.isEmpty:
        options.runIn = Migration.Options.decoded(value)
      case ("lock_timeout", let value) where TimeSpan(value) != nil: options.lockTimeout = value
      case ("statement_timeout", let value) where TimeSpan(value) != nil: options.statementTimeout = value
      default:
        throw .unfit(
          file, line: line, "unknown option '\(word)'",
          "the options are transaction=off, transaction=own, placeholders=on, schema=app, "
            + "lock_timeout=2s, statement_timeout=10min, and 'down irreversible \"reason\"'"
        )
      }
    }
    return options
  }

  private func reason(_ text: Substring, _ line: Int) throws(MigrationError) -> String {
    let isQuoted = text.count > 2 && text.first == "\"" && text.last == "\""
    let reason = String(text.dropFirst().dropLast())
    guard isQuoted, !reason.allSatisfy(\.isWhitespace), !reason.contains("\"") else {
      throw .unfit(
        file, line: line, "'irreversible' gives no reason between one pair of double quotes",
        "write: down irreversible \"reason\"")
    }
    return reason
  }

  private func refuseTransactions(in section: Migration.Section) throws(MigrationError) {
    // Where statements begin and end is decided before values are known.
    if section.options.placeholders == nil, section.hasBatches || section.hasPlacements {
      let text = FilledText(section.sql)
      let script = try section.script(of: text)
      _ = try section.batches(of: script, in: text)
      _ = try section.placements(of: script, in: text)
    }
    if section.options.hasOwnTransactions {
      let statements = try section.script(of: FilledText(section.sql)).statements
      return _ = try ScriptPieces(statements, of: section)
    }
    if let statement = try section.firstStatement(where: \.controlsTransaction) {
      throw section.transactionControl(statement)
    }
  }
}

extension Migration.Section {
  /// That a statement begins or ends a transaction.
  func transactionControl(_ statement: SQLStatement) -> MigrationError {
    unfit(
      statement.place, "\(statement.words[0]) has no place in a migration",
      "leave it out: each migration is one transaction already; or write -- rivulet:up transaction=own, and each "
        + "of the script's own is committed by itself")
  }
}
