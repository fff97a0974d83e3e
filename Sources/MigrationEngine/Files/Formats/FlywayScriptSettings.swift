import Host

/// What a file `V1__name.sql.conf` says of the script beside it.
struct FlywayScriptSettings {
  /// Whether it runs in a transaction; nil where the file does not say.
  var transaction: Bool?
  /// Whether `${name}` is replaced.
  var replacesPlaceholders = true

  /// What holds where there is no such file.
  init() {}

  /// Reads `name=value`, a line each; `#` begins a comment.
  init(_ file: MigrationFile) throws {
    let lines = try file.text().split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let line = line.trimmingBlanks
      if line.isEmpty || line.hasPrefix("#") { continue }
      let parts = line.split(separator: "=", maxSplits: 1).map { $0.trimmingBlanks }
      let name = parts[0].hasPrefix("flyway.") ? parts[0].dropFirst("flyway.".count) : parts[0]
      try take(String(name), parts.count == 2 ? parts[1].lowercased() : "", file.path, index + 1)
    }
  }

  private mutating func take(_ name: String, _ value: String, _ file: String, _ line: Int)
    throws(MigrationError)
  {
    switch (name, value) {
    case ("executeInTransaction", "true"): transaction = nil
    case ("executeInTransaction", "false"): transaction = false
    case ("placeholderReplacement", "true"): replacesPlaceholders = true
    case ("placeholderReplacement", "false"): replacesPlaceholders = false
    case ("encoding", "utf-8"), ("shouldExecute", "true"), ("outputQueryResults", _): break
    default:
      throw .malformed(
        file: file, line: line, column: nil, message: "rivulet does not know '\(name)=\(value)'",
        hint: "it knows executeInTransaction, placeholderReplacement and encoding=UTF-8")
    }
  }
}
