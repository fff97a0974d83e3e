import Host
import MigrationEngine

/// Where the values of placeholders come from: the command line, files, the environment, and the settings of
/// Flyway in the folder that the program is called in. What comes first counts.
enum PlaceholderOptions {
  static let options = [
    Option(
      "--set", value: "NAME=VALUE", isRepeatable: true,
      "the value of ${NAME} in Flyway's files and sections with placeholders=on, of :NAME in sqitch's; may come "
        + "several times"),
    Option(
      "--set-file", value: "FILE", isRepeatable: true,
      "values in lines NAME=VALUE, or a flyway.conf or flyway.toml"),
  ]

  static func values(_ invocation: Invocation) throws -> PlaceholderValues {
    var values: [String: String] = [:]
    for text in invocation.all("--set") {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      // It may be a value, so it is not repeated.
      guard parts.count == 2, !parts[0].isEmpty else { throw invocation.usage("--set takes NAME=VALUE") }
      try add(parts[0], parts[1], to: &values, invocation)
    }
    for path in invocation.all("--set-file") {
      for (name, value) in try PlaceholderFile(path, invocation).values where values[name] == nil {
        try add(name, value, to: &values, invocation)
      }
    }
    let prefixes = ["RIVULET_SET_", "FLYWAY_PLACEHOLDERS_"]
    var others = prefixes.map { Machine.environment(prefix: $0) }
    for path in ["flyway.toml", "flyway.conf"] where invocation.has("--dir") && Files.exists(path) {
      others.append(try PlaceholderFile(path, invocation).values)
    }
    let ignoringCase = others.joined().map { ($0.key.lowercased(), $0.value) }
    return PlaceholderValues(
      values, ignoringCase: Dictionary(ignoringCase, uniquingKeysWith: { first, _ in first }))
  }

  private static func add(
    _ name: String, _ value: String, to values: inout [String: String], _ invocation: Invocation
  ) throws {
    // A line more would move the places of all errors after it.
    guard !value.contains(where: \.isNewline) else {
      throw invocation.usage("--set \(name): a value is one line")
    }
    values[name] = value
  }
}

/// A file of values: lines `NAME=VALUE`, or the settings of Flyway, of which nothing but placeholders is taken.
struct PlaceholderFile {
  private(set) var values: [String: String] = [:]

  /// Reads a file; `#` begins a comment.
  ///
  /// - Throws: `FileError`, and `UsageError` for a line that holds no value, which is not repeated.
  init(_ path: String, _ invocation: Invocation) throws {
    let text = String(decoding: try Files.read(path, takesPipes: true), as: UTF8.self)
    let isFlyways = text.contains("flyway.")
    var prefix = ""
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let line = PlaceholderFile.trimmed(line)
      if line.isEmpty || line.hasPrefix("#") { continue }
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if isFlyways, line.hasPrefix("["), line.hasSuffix("]") {
        prefix = line.filter { !"[] ".contains($0) } + "."
      } else if parts.count == 2 {
        let name = prefix + PlaceholderFile.unquoted(parts[0])
        if isFlyways, let other = PlaceholderFile.unknown.first(where: { name.hasSuffix("flyway." + $0) }) {
          throw invocation.usage(
            "\(path):\(index + 1): rivulet does not know \(other), and reads ${name} in every file")
        }
        add(name, PlaceholderFile.unquoted(parts[1]), isFlyways)
      } else if !isFlyways {
        throw invocation.usage("\(path):\(index + 1): a line is NAME=VALUE, or begins with #")
      }
    }
  }

  /// Settings of Flyway's that change what a placeholder is.
  private static let unknown = [
    "placeholderPrefix", "placeholderSuffix", "placeholderSeparator", "placeholderReplacement",
  ]

  /// Of Flyway's settings only the placeholders are values.
  private mutating func add(_ name: String, _ value: String, _ isFlyways: Bool) {
    guard isFlyways else { return values[name] = value }
    guard let own = name.firstRange(of: "flyway.placeholders.") else { return }
    values[String(name[own.upperBound...])] = value
  }

  private static func trimmed(_ text: Substring) -> String {
    let start = text.drop(while: \.isWhitespace)
    return String(start.reversed().drop(while: \.isWhitespace).reversed())
  }

  /// Without blanks, and without quotes around it.
  private static func unquoted(_ text: Substring) -> String {
    let text = trimmed(text)
    guard text.count > 1, let mark = text.first, mark == text.last, mark == "\"" || mark == "'" else {
      return text
    }
    return String(text.dropFirst().dropLast())
  }
}
