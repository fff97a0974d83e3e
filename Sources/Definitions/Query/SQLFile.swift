/// A file of SQL that begins with a comment whose text is YAML.
///
///     /* rivulet query
///     description: what it says
///     */
///     SELECT ...
struct SQLFile {
  /// The YAML of the comment.
  var header: YAMLNode
  /// The file's text up to the end of the comment.
  var headerText: String
  /// The statement after it.
  var body: SQLTemplate

  /// Takes a file apart; nil, with a mistake reported, when it does not begin as it should.
  init?(_ bytes: [UInt8], kind: String, in file: DefinitionFile) {
    let opening = "/* rivulet \(kind)"
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    let first = String(decoding: lines.first ?? [], as: UTF8.self)
    guard lines.count == 2, HeaderText.normalised(first) == HeaderText.normalised(opening) else {
      file.report("the file must begin with the line '\(opening)'", at: Mark(line: 1, column: 1))
      return nil
    }
    let rest = lines[1]
    guard let end = rest.indices.first(where: { rest[$0...].starts(with: "*/".utf8) }) else {
      file.report("the comment that begins here does not end", at: Mark(line: 1, column: 1))
      return nil
    }
    guard let header = file.tree(Array(rest[..<end]), firstLine: 2) else { return nil }
    self.header = header
    headerText = first + "\n" + String(decoding: rest[..<end], as: UTF8.self)
    // The body keeps the place of its first letter: what the comment held counts as lines above it.
    var place = end + 2
    var line = 2 + rest[..<place].count { $0 == UInt8(ascii: "\n") }
    if let next = rest[place...].firstIndex(of: UInt8(ascii: "\n")),
      rest[place..<next].allSatisfy({ $0 == 32 || (9...13).contains($0) })
    {
      place = next + 1
      line += 1
    }
    body = SQLTemplate(
      String(decoding: rest[place...], as: UTF8.self), firstLine: line, hasSections: kind == "query", in: file
    )
    reportNoSelect(in: file)
  }

  private func reportNoSelect(in file: DefinitionFile) {
    if !["select", "with"].contains(body.firstWord) {
      let found = body.firstWord.isEmpty ? "something else" : "'\(body.firstWord)'"
      file.report("a SELECT must follow the comment, found \(found)", at: Mark(line: body.line, column: 1))
    }
  }
}
