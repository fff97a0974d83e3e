/// The line that begins a section, behind `-- rivulet:`.
struct SectionHeader {
  let name: String
  var options = Migration.Options()
  /// Why there is no way back, where `down` says so.
  var irreversible: String?

  private let file: String
  private let line: Int

  init(_ text: Substring, file: String, line: Int) throws(MigrationError) {
    self.file = file
    self.line = line
    name = String(text.prefix { !$0.isWhitespace })
    guard ["up", "down", "require", "verify"].contains(name) else {
      throw malformed("unknown section '\(name)'", "the sections are up, down, require and verify")
    }
    let rest = text.dropFirst(name.count).trimmingBlanks
    if name == "down" && rest.hasPrefix("irreversible") {
      irreversible = try reason(rest.dropFirst("irreversible".count).trimmingBlanks)
    } else {
      for word in rest.split(whereSeparator: \.isWhitespace) { try take(word) }
    }
  }

  private mutating func take(_ word: Substring) throws(MigrationError) {
    let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
    switch (parts[0], parts.count == 2 ? parts[1] : "") {
    case ("transaction", "off"): options.transaction = false
    case ("transaction", "on"): options.transaction = true
    case ("lock_timeout", let value) where TimeSpan(value) != nil: options.lockTimeout = value
    case ("statement_timeout", let value) where TimeSpan(value) != nil: options.statementTimeout = value
    default:
      throw malformed(
        "unknown option '\(word)'",
        "the options are transaction=off, lock_timeout=2s, statement_timeout=10min, and 'down irreversible \"reason\"'"
      )
    }
  }

  private func reason(_ text: Substring) throws(MigrationError) -> String {
    let isQuoted = text.count > 2 && text.first == "\"" && text.last == "\""
    let reason = String(text.dropFirst().dropLast())
    guard isQuoted, !reason.allSatisfy(\.isWhitespace), !reason.contains("\"") else {
      throw malformed(
        "'irreversible' gives no reason between one pair of double quotes",
        "write: down irreversible \"reason\"")
    }
    return reason
  }

  private func malformed(_ message: String, _ hint: String) -> MigrationError {
    .malformed(file: file, line: line, column: nil, message: message, hint: hint)
  }
}
