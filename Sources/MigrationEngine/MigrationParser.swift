import SQLText

/// Reads the sections of a migration's file.
///
/// A section begins with a line `-- rivulet:up`, `-- rivulet:down` or `-- rivulet:verify`; `down` may say
/// `irreversible "reason"` instead of holding SQL.
struct MigrationParser {
  let text: String
  let file: String

  private static let marker = "-- rivulet:"

  func migration(version: String, name: String) throws(MigrationError) -> Migration {
    var sections: [String: (section: Migration.Section, options: String)] = [:]
    var current: (name: String, options: String, line: Int)?
    var lines: [Substring] = []
    for (index, line) in splitLines().enumerated() {
      guard line.hasPrefix(MigrationParser.marker) else {
        if current == nil && !isIgnorable(line) {
          throw malformed(index + 1, "SQL before the first section", "begin the file with '-- rivulet:up'")
        }
        lines.append(line)
        continue
      }
      try close(current, lines, into: &sections)
      current = try header(line, number: index + 1)
      lines = []
    }
    try close(current, lines, into: &sections)
    guard let up = sections["up"]?.section else {
      throw malformed(1, "there is no section 'up'", "begin the file with '-- rivulet:up'")
    }
    return Migration(
      version: version, name: name, file: file, up: up, down: try down(sections["down"]),
      verify: sections["verify"]?.section)
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

  private func header(_ line: Substring, number: Int) throws(MigrationError) -> (String, String, Int) {
    let rest = line.dropFirst(MigrationParser.marker.count)
    let name = rest.prefix { !$0.isWhitespace }
    let options = rest.dropFirst(name.count).drop { $0.isWhitespace }
    guard ["up", "down", "verify"].contains(name) else {
      throw malformed(number, "unknown section '\(name)'", "the sections are up, down and verify")
    }
    guard options.allSatisfy(\.isWhitespace) || name == "down" && options.hasPrefix("irreversible") else {
      throw malformed(
        number, "unknown option '\(options)'", "only 'down irreversible \"reason\"' takes one")
    }
    return (String(name), String(options), number)
  }

  private func close(
    _ header: (name: String, options: String, line: Int)?, _ lines: [Substring],
    into sections: inout [String: (section: Migration.Section, options: String)]
  ) throws(MigrationError) {
    guard let header else { return }
    guard sections[header.name] == nil else {
      throw malformed(header.line, "a second section '\(header.name)'", "put both into one")
    }
    let section = Migration.Section(sql: lines.joined(separator: "\n"), line: header.line + 1)
    let words = SQLStatements.leadingWords(section.sql)
    if let word = words.first(where: {
      ["BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT", "PREPARE"].contains($0)
    }) {
      throw malformed(
        header.line, "section '\(header.name)' holds \(word)",
        "leave it out: each migration is one transaction already")
    }
    sections[header.name] = (section, header.options)
  }

  private func down(_ found: (section: Migration.Section, options: String)?) throws(MigrationError)
    -> Migration.Down
  {
    guard let found else { return .missing }
    guard found.options.hasPrefix("irreversible") else { return .sql(found.section) }
    let reason = found.options.dropFirst("irreversible".count).drop { $0.isWhitespace }
    let text = reason.drop { $0 == "\"" }.prefix { $0 != "\"" }
    guard !text.isEmpty else {
      throw malformed(
        found.section.line - 1, "'irreversible' gives no reason", "write: down irreversible \"reason\"")
    }
    return .irreversible(reason: String(text))
  }

  private func malformed(_ line: Int, _ message: String, _ hint: String) -> MigrationError {
    .malformed(file: file, line: line, message: message, hint: hint)
  }
}
