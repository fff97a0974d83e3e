import SQLText

/// Reads the sections of a migration's file.
///
/// A section begins with a line `-- rivulet:up`, `-- rivulet:down`, `-- rivulet:require` or `--
/// rivulet:verify`, followed by its options; `down` may say `irreversible "reason"` instead of holding SQL.
struct MigrationParser {
  let text: String
  let file: String

  static let marker = "-- rivulet:"

  /// `-- rivulet:allow` is a comment for the lint.
  private static func beginsSection(_ line: Substring) -> Bool {
    line.hasPrefix(marker) && line.dropFirst(marker.count).prefix { !$0.isWhitespace } != "allow"
  }

  /// A section with what its line says beyond its options.
  private struct Part {
    var header: SectionHeader
    var section: Migration.Section
  }

  func migration(version: String, name: String) throws(MigrationError) -> Migration {
    let parts = try parts()
    guard let up = parts["up"]?.section else {
      throw malformed(1, "there is no section 'up'", "begin the file with '-- rivulet:up'")
    }
    var migration = Migration(version: version, name: name, up: up, down: try down(parts["down"]))
    migration.require = parts["require"]?.section
    migration.verify = parts["verify"]?.section
    return migration
  }

  /// A file `R_name.sql`: sections as ever, or nothing but SQL.
  func repeatable(name: String) throws(MigrationError) -> Migration {
    let hasSections = splitLines().contains(where: MigrationParser.beginsSection)
    var migration: Migration
    if hasSections {
      migration = try self.migration(version: name, name: name)
      if case .missing = migration.down {
      } else {
        throw malformed(
          1, "a repeatable migration has no way back",
          "take out the section 'down': the next content replaces it")
      }
    } else {
      let sql = splitLines().joined(separator: "\n")
      let section = Migration.Section(sql: sql, file: file)
      try refuseTransactions(in: section)
      migration = Migration(version: name, name: name, up: section, down: .missing)
    }
    migration.kind = .repeatable
    return migration
  }

  private func parts() throws(MigrationError) -> [String: Part] {
    var parts: [String: Part] = [:]
    var current: (header: SectionHeader, line: Int)?
    var lines: [Substring] = []
    for (index, line) in splitLines().enumerated() {
      guard MigrationParser.beginsSection(line) else {
        if current == nil && !isIgnorable(line) {
          throw malformed(index + 1, "SQL before the first section", "begin the file with '-- rivulet:up'")
        }
        lines.append(line)
        continue
      }
      if let current { try close(current, lines, into: &parts) }
      current = (
        try SectionHeader(line.dropFirst(MigrationParser.marker.count), file: file, line: index + 1),
        index + 1
      )
      lines = []
    }
    if let current { try close(current, lines, into: &parts) }
    return parts
  }

  /// Lines without their ends; LF, CRLF and bare CR all end one.
  private func splitLines() -> [Substring] {
    // A byte order mark is no part of the first line.
    text.drop { $0 == "\u{feff}" }.split(omittingEmptySubsequences: false) {
      $0 == "\n" || $0 == "\r\n" || $0 == "\r"
    }
  }

  private func isIgnorable(_ line: Substring) -> Bool {
    let trimmed = line.drop { $0.isWhitespace || $0 == "\u{feff}" }
    return trimmed.isEmpty || trimmed.hasPrefix("--")
  }

  private func close(
    _ begun: (header: SectionHeader, line: Int), _ lines: [Substring], into parts: inout [String: Part]
  ) throws(MigrationError) {
    let (header, line) = begun
    guard parts[header.name] == nil else {
      throw malformed(line, "a second section '\(header.name)'", "put both into one")
    }
    let section = Migration.Section(
      sql: lines.joined(separator: "\n"), file: file, line: line + 1, options: header.options)
    try refuseTransactions(in: section)
    parts[header.name] = Part(header: header, section: section)
  }

  private func refuseTransactions(in section: Migration.Section) throws(MigrationError) {
    for statement in try section.script().statements where statement.controlsTransaction {
      throw .malformed(
        file: file, line: statement.place.line, column: statement.place.column,
        message: "\(statement.words[0]) has no place in a migration",
        hint: "leave it out: each migration is one transaction already")
    }
  }

  private func down(_ found: Part?) throws(MigrationError) -> Migration.Down {
    guard let found else { return .missing }
    return found.header.irreversible.map { .irreversible(reason: $0) } ?? .sql(found.section)
  }

  private func malformed(_ line: Int, _ message: String, _ hint: String) -> MigrationError {
    .malformed(file: file, line: line, column: nil, message: message, hint: hint)
  }
}
