/// A line of a script from a backslash on.
struct PsqlCommand {
  let name: String
  /// What follows the name: words, and texts in single quotes without these.
  let words: [String]
  let place: SQLPlace
  let file: String

  init(_ line: String, at place: SQLPlace, in file: String) {
    let name = line.prefix { !$0.isWhitespace && $0 != ";" }
    self.name = String(name)
    self.place = place
    self.file = file
    words = PsqlCommand.words(line.dropFirst(name.count))
  }

  func problem(_ message: String, _ hint: String) -> PsqlScript.Problem {
    PsqlScript.Problem(file: file, error: SQLScriptError(place: place, message: message, hint: hint))
  }

  private static func words(_ text: Substring) -> [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    var characters = text.makeIterator()
    while let character = characters.next() {
      if isQuoted {
        if character == "'" { isQuoted = false } else { word = (word ?? "") + String(character) }
      } else if character == "'" {
        // Behind a colon the quotes are the variable's.
        isQuoted = true
        word = word ?? ""
      } else if character.isWhitespace {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return words + [word].compactMap(\.self)
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
