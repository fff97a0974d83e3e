import Host

/// A changelog of Liquibase that names other files, as YAML or XML.
struct LiquibaseChangelog {
  /// One thing that it says: `include`, `includeAll`, `property` or what is not known.
  struct Entry {
    var kind: String
    /// The line that it begins in, from 1.
    let line: Int
    var attributes: [String: String] = [:]
  }

  let file: MigrationFile
  let entries: [Entry]

  init(_ file: MigrationFile, _ text: String) {
    self.file = file
    entries = file.name.hasSuffix(".xml") ? LiquibaseChangelog.xml(text) : LiquibaseChangelog.yaml(text)
  }

  // MARK: YAML

  /// A list of things of one key each, with their attributes below it; any other line is a thing not known.
  private static func yaml(_ text: String) -> [Entry] {
    var entries: [Entry] = []
    for (index, whole) in SectionedText.lines(text).enumerated() {
      var line = whole.trimmingBlanks
      if line.isEmpty || line.hasPrefix("#") || line == "---" || line == "databaseChangeLog:" { continue }
      if line.hasPrefix("-") {
        entries.append(Entry(kind: "", line: index + 1))
        line = line.dropFirst().trimmingBlanks
        if line.isEmpty { continue }
      }
      let key = String(line.prefix { $0 != ":" }.trimmingBlanks)
      let value = line.dropFirst(key.count).drop { $0 != ":" }.dropFirst().trimmingBlanks
      guard let last = entries.indices.last else { return [Entry(kind: key, line: index + 1)] }
      if entries[last].kind.isEmpty {
        entries[last].kind = value.isEmpty ? key : String(line)
      } else {
        entries[last].attributes[key] = yamlValue(value)
      }
    }
    return entries
  }

  /// A value in quotes, or one that ends before a comment.
  private static func yamlValue(_ text: Substring) -> String {
    if let quote = text.first, "\"'".contains(quote) {
      return String(text.dropFirst().prefix { $0 != quote })
    }
    return (text.firstRange(of: " #").map { text[..<$0.lowerBound] } ?? text).trimmingBlanks.description
  }

  // MARK: XML

  /// Every element within the outermost.
  private static func xml(_ text: String) -> [Entry] {
    var entries: [Entry] = []
    var line = 1
    var rest = text[...]
    while let start = rest.firstIndex(of: "<") {
      line += newlines(rest[..<start])
      rest = rest[start...]
      let mark = rest.hasPrefix("<!--") ? "-->" : ">"
      guard let end = rest.firstRange(of: mark) else { break }
      let tag = rest[..<end.upperBound]
      if !["<!", "<?", "</"].contains(where: tag.hasPrefix) {
        let name = tag.dropFirst().prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }
        if name != "databaseChangeLog" {
          let attributes = xmlAttributes(tag.dropFirst(name.count + 1))
          entries.append(Entry(kind: String(name), line: line, attributes: attributes))
        }
      }
      line += newlines(tag)
      rest = rest[end.upperBound...]
    }
    return entries
  }

  private static func newlines(_ text: Substring) -> Int { text.utf8.count { $0 == 0x0a } }

  private static func xmlAttributes(_ text: Substring) -> [String: String] {
    var found: [String: String] = [:]
    var rest = text
    while let equals = rest.firstIndex(of: "=") {
      let name = String(rest[..<equals].trimmingBlanks)
      let value = rest[rest.index(after: equals)...].drop(while: \.isWhitespace)
      guard let quote = value.first else { break }
      let inside = value.dropFirst().prefix { $0 != quote }
      found[name] = String(inside)
      rest = value.dropFirst(inside.count + 2)
    }
    return found
  }
}
