/// A file of dbmate, taken apart at its two marks.
struct DbmateFile {
  let text: String
  let file: String

  /// A line `-- migrate:up option:value`.
  private struct Mark {
    let direction: Direction
    let line: Int
    let options: Migration.Options
  }

  func migration(version: String, name: String) throws -> Migration {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let marks = try marks(lines)
    guard let up = marks.first, up.direction == .up else {
      throw malformed(marks.first?.line ?? 1, "there is no '-- migrate:up' first", "begin the file with it")
    }
    if let early = lines.prefix(up.line - 1).firstIndex(where: { !DbmateFile.isIgnorable($0) }) {
      throw malformed(early + 1, "SQL before '-- migrate:up'", "begin the file with '-- migrate:up'")
    }
    let end = marks.count > 1 ? marks[1].line - 1 : lines.count
    let forward = try section(lines[up.line..<end], up)
    guard marks.count > 1 else { return Migration(version: version, name: name, up: forward, down: .missing) }
    guard marks.count == 2, marks[1].direction == .down else {
      let second = marks[1].direction == .up ? marks[1] : marks[2]
      throw malformed(
        second.line, "a second '-- migrate:\(second.direction.rawValue)'", "make it a file of its own")
    }
    let back = try section(lines[marks[1].line...], marks[1])
    return Migration(version: version, name: name, up: forward, down: .sql(back))
  }

  private func section(_ lines: ArraySlice<Substring>, _ mark: Mark) throws(MigrationError)
    -> Migration.Section
  {
    try OuterTransaction.removed(
      from: Migration.Section(
        sql: lines.joined(separator: "\n"), file: file, line: mark.line + 1, options: mark.options))
  }

  private func marks(_ lines: [Substring]) throws(MigrationError) -> [Mark] {
    var marks: [Mark] = []
    for (index, line) in lines.enumerated() {
      guard let words = DbmateFile.words(of: line) else { continue }
      guard let direction = Direction(rawValue: words[0]) else {
        throw malformed(
          index + 1, "unknown mark 'migrate:\(words[0])'", "the marks are migrate:up and migrate:down")
      }
      var options = Migration.Options()
      for word in words.dropFirst() {
        switch word {
        case "transaction:false": options.transaction = false
        case "transaction:true": break
        default:
          throw malformed(index + 1, "unknown option '\(word)'", "the one that is known is transaction:false")
        }
      }
      marks.append(Mark(direction: direction, line: index + 1, options: options))
    }
    return marks
  }

  /// What follows `-- migrate:`; nil where the line is no mark.
  static func words(of line: Substring) -> [String]? {
    guard line.hasPrefix("--") else { return nil }
    let rest = line.dropFirst(2).drop(while: \.isWhitespace)
    guard rest.hasPrefix("migrate:") else { return nil }
    let words = rest.dropFirst("migrate:".count).split(whereSeparator: \.isWhitespace).map(String.init)
    return words.isEmpty ? nil : words
  }

  private static func isIgnorable(_ line: Substring) -> Bool {
    let trimmed = line.drop(while: \.isWhitespace)
    return trimmed.isEmpty || trimmed.hasPrefix("--")
  }

  private func malformed(_ line: Int, _ message: String, _ hint: String) -> MigrationError {
    .malformed(file: file, line: line, column: nil, message: message, hint: hint)
  }
}
