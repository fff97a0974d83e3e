/// Sections of a query that are there only where a parameter is given, `{if near} ... {end}`, or where it is not,
/// `{if not near} ... {end}`: the server plans what is asked for, and nothing else.
extension SQLTemplate {
  /// The names that placeholders and sections have, each once.
  var mentioned: Set<String> {
    var found = Set(names)
    for case .section(let name, _, _) in pieces { found.insert(name) }
    return found
  }

  /// Reports each section that asks for what is no parameter: whether it is there is not known where sections
  /// are chosen.
  func reportSection(of name: String, in file: DefinitionFile) {
    for case .section(name, _, let mark) in pieces {
      file.report(
        "'\(name)' is not a parameter, and sections ask for parameters alone", at: mark,
        hint: "compare {\(name)} with NULL")
    }
  }

  /// The text without the sections that are not there, each line where it was.
  ///
  /// `given`: the parameters that are given.
  func choosing(_ given: Set<String>) -> SQLTemplate {
    var open: [Bool] = []
    var chosen: [Piece] = []
    for piece in pieces {
      let isThere = !open.contains(false)
      switch piece {
      case .section(let name, let isGiven, _): open.append(given.contains(name) == isGiven)
      case .end: open.removeLast()
      case .text(let text) where !isThere: chosen.append(.text(String(text.filter(\.isNewline))))
      case .text, .name, .placed: if isThere { chosen.append(piece) }
      }
    }
    return SQLTemplate(chosen, of: self)
  }
}

extension QueryDefinition {
  /// The query as it is asked where these parameters are given, and no others.
  public func choosing(_ given: [String]) -> QueryDefinition {
    var chosen = self
    chosen.template = template.choosing(Set(given))
    return chosen
  }
}
