/// A line of a script from a backslash on.
struct PsqlCommand {
  /// A piece of an argument.
  enum Part: Equatable {
    case text(String)
    /// A variable, quoted as a string or a name where it has a quote.
    case variable(String, quote: Character?)
  }

  let name: String
  /// What follows the name, by psql's rules for quotes; pieces without blanks between them are one argument.
  let arguments: [[Part]]
  let place: SQLPlace
  let file: String

  /// Takes a line apart.
  ///
  /// - Throws: ``PsqlScript/Problem`` where a shell would be asked.
  init(_ line: String, at place: SQLPlace, in file: String) throws(PsqlScript.Problem) {
    let name = line.prefix { !$0.isWhitespace && $0 != ";" }
    self.name = String(name)
    self.place = place
    self.file = file
    var reader = PsqlArguments(line.dropFirst(name.count))
    arguments = reader.read()
    if reader.asksShell {
      throw problem(
        "text in backquotes is what a command of the shell writes",
        "write the text itself, or give it with --set")
    }
  }

  /// The arguments as they are written, without quotes around a whole text.
  var words: [String] {
    arguments.map { parts in
      parts.map { part in
        switch part {
        case .text(let text): text
        case .variable(let name, nil): ":" + name
        case .variable(let name, let quote?): ":\(quote)\(name)\(quote)"
        }
      }.joined()
    }
  }

  func problem(_ message: String, _ hint: String) -> PsqlScript.Problem {
    PsqlScript.Problem(file: file, error: SQLScriptError(place: place, message: message, hint: hint))
  }
}

/// Takes the arguments of a command apart as psql does.
private struct PsqlArguments {
  private var rest: Substring
  private var found: [[PsqlCommand.Part]] = []
  private(set) var asksShell = false

  init(_ text: Substring) { rest = text }

  mutating func read() -> [[PsqlCommand.Part]] {
    while true {
      rest = rest.drop(while: \.isWhitespace)
      if rest.isEmpty { return found }
      var parts: [PsqlCommand.Part] = []
      while let character = rest.first, !character.isWhitespace { parts.append(part(character)) }
      found.append(parts)
    }
  }

  private mutating func part(_ first: Character) -> PsqlCommand.Part {
    switch first {
    case "'": return .text(quoted())
    case "`":
      asksShell = true
      rest = rest.dropFirst()
      return .text("")
    case ":":
      rest = rest.dropFirst()
      if let quote = rest.first, quote == "'" || quote == "\"" {
        let name = rest.dropFirst().prefix { $0 != quote }
        rest = rest.dropFirst(name.count + 2)
        return .variable(String(name), quote: quote)
      }
      let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      rest = rest.dropFirst(name.count)
      return name.isEmpty ? .text(":") : .variable(String(name), quote: nil)
    case "\"":
      // Kept with its quotes.
      let text = rest.dropFirst().prefix { $0 != "\"" }
      rest = rest.dropFirst(text.count + 2)
      return .text("\"\(text)\"")
    default:
      let text = rest.prefix { !$0.isWhitespace && !"'\"`:".contains($0) }
      rest = rest.dropFirst(text.count)
      return .text(String(text))
    }
  }

  /// A text in single quotes, two of which are one, with the escapes of C.
  private mutating func quoted() -> String {
    var text = ""
    rest = rest.dropFirst()
    while let character = rest.popFirst() {
      switch character {
      case "'" where rest.first == "'":
        rest = rest.dropFirst()
        text += "'"
      case "'": return text
      case "\\": text += escaped()
      default: text.append(character)
      }
    }
    return text
  }

  private mutating func escaped() -> String {
    guard let character = rest.popFirst() else { return "" }
    switch character {
    case "n": return "\n"
    case "t": return "\t"
    case "r": return "\r"
    case "b": return "\u{8}"
    case "f": return "\u{c}"
    default: return String(character)
    }
  }
}

/// The `\if` that are open, and whether what is read now counts.
struct PsqlConditions {
  private struct Level {
    let command: PsqlCommand
    var isActive: Bool
    /// One of its branches was taken, or none may be.
    var isDecided: Bool
    var hasElse = false
  }

  private var levels: [Level] = []

  var isActive: Bool { levels.last?.isActive ?? true }

  /// The innermost that is open.
  var open: PsqlCommand? { levels.last?.command }

  /// Takes a command; false where it is none of these.
  mutating func take(_ command: PsqlCommand, value: (String) -> String?) throws(PsqlScript.Problem) -> Bool {
    switch command.name {
    case "if":
      let isTrue = isActive ? try PsqlConditions.isTrue(command, value) : false
      levels.append(Level(command: command, isActive: isTrue, isDecided: isTrue || !isActive))
    case "elif", "else":
      guard var level = levels.popLast(), !level.hasElse else {
        throw command.problem("\\\(command.name) has no \\if before it", "take it out")
      }
      level.hasElse = command.name == "else"
      level.isActive =
        level.isDecided ? false : level.hasElse ? true : try PsqlConditions.isTrue(command, value)
      level.isDecided = level.isDecided || level.isActive
      levels.append(level)
    case "endif":
      guard levels.popLast() != nil else {
        throw command.problem("\\endif has no \\if before it", "take it out")
      }
    default: return false
    }
    return true
  }

  private static func isTrue(
    _ command: PsqlCommand, _ value: (String) -> String?
  ) throws(PsqlScript.Problem) -> Bool {
    let word = command.words.first ?? ""
    if word.hasPrefix(":{?"), word.hasSuffix("}") {
      return value(String(word.dropFirst(3).dropLast())) != nil
    }
    let text = word.hasPrefix(":") ? value(String(word.dropFirst())) : word
    switch text?.lowercased() {
    case "true", "on", "yes", "1", "t", "y": return true
    case "false", "off", "no", "0", "f", "n": return false
    default:
      throw command.problem(
        "\\\(command.name) '\(word)' is neither true nor false",
        word.hasPrefix(":")
          ? "give it with --set \(word.dropFirst())=true" : "write true, false or a variable")
    }
  }
}
