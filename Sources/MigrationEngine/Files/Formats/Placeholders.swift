/// The values of `${name}` in Flyway's files.
struct Placeholders {
  /// Values by name.
  let values: [String: String]

  /// The text with a value in the place of each `${name}`, wherever it is: also in strings, in the bodies of
  /// functions and in comments.
  ///
  /// Throws ``MigrationError/malformed(file:line:column:message:hint:)`` at the first that has no value.
  func replaced(in text: String, file: MigrationFile) throws(MigrationError) -> String {
    var result = ""
    var rest = text[...]
    while let mark = rest.utf8.firstRange(of: "${".utf8),
      let end = rest[mark.upperBound...].firstIndex(of: "}")
    {
      let name = String(rest[mark.upperBound..<end])
      result += rest[..<mark.lowerBound]
      guard let value = value(of: name, in: file) else {
        let before = text[..<mark.lowerBound]
        throw .malformed(
          file: file.path, line: 1 + before.count { $0 == "\n" },
          column: 1 + (before.lastIndex(of: "\n").map { before[$0...].dropFirst().count } ?? before.count),
          message: "the placeholder ${\(name)} has no value", hint: hint(name))
      }
      result += value
      rest = rest[end...].dropFirst()
    }
    return result + rest
  }

  private func value(of name: String, in file: MigrationFile) -> String? {
    if let value = values[name] { return value }
    switch name {
    case "flyway:filename": return file.name
    case "flyway:table": return "flyway_schema_history"
    default: return nil
    }
  }

  private func hint(_ name: String) -> String {
    switch name {
    case "flyway:timestamp":
      "a text that is another at each run would count as edited: say now() or current_timestamp in SQL"
    case let known where known.hasPrefix("flyway:"):
      "rivulet reads files before it connects, so say what it is: --set \(name)=VALUE"
    default:
      "give it with --set \(name)=VALUE; if it is meant literally, write placeholderReplacement=false into "
        + "a file of the script's name and .conf"
    }
  }
}
