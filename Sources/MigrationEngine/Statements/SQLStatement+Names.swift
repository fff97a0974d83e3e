import SQLText

extension SQLStatement {
  /// The text of one token as written.
  func written(_ place: Int) -> String {
    guard tokens[place].kind == .word else { return words[place] }
    let from = tokens[place].range.lowerBound - range.lowerBound
    let bytes = text.utf8.dropFirst(from).prefix(tokens[place].range.count)
    return String(decoding: Array(bytes), as: UTF8.self)
  }

  /// A name of one or more parts that begins at a token, as written: `cms."Rvu"`; `place` is moved behind it.
  func qualifiedName(at place: inout Int) -> String? {
    guard let first = namePart(place) else { return nil }
    var name = first
    place += 1
    while place + 1 < words.count, words[place] == ".", let part = namePart(place + 1) {
      name += "." + part
      place += 2
    }
    return name
  }

  /// A name of one part as the catalog has it.
  func name(at place: Int) -> String? {
    guard let part = namePart(place) else { return nil }
    guard part.hasPrefix("\"") else { return part.lowercased() }
    return String(part.dropFirst().dropLast()).replacing("\"\"", with: "\"")
  }

  private func namePart(_ place: Int) -> String? {
    guard place < tokens.count else { return nil }
    let isName = tokens[place].kind == .word || words[place].hasPrefix("\"")
    return isName ? written(place) : nil
  }
}
