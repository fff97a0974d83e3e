import Diagnosis

/// What can be written at the end of a command line, by the declarations of the commands.
struct Completer {
  /// What a word may be, by the placeholder of its argument or option.
  enum Wanted: Equatable {
    /// One of these, each with what it is.
    case words([Candidate])
    /// A file or a folder.
    case path
    /// What only the project or its database knows: `PIPELINE`, `RELEASE` and the like, of the command so far.
    case content(String)
    /// A parameter of the query that the command names.
    case parameter(ofQuery: String)
    /// Nobody knows.
    case nothing
  }

  /// A word, and what it is.
  struct Candidate: Equatable {
    let word: String
    let summary: String
  }

  let root: Command
  let globals: [Option]

  /// What was written so far.
  struct Line {
    var command: Command
    /// The words that are no options, after those of the command.
    var arguments: [String] = []
    /// The values of options, by name.
    var values: [String: String] = [:]
    /// What the last word may be; it is not finished, and may be empty.
    var wanted: [Wanted] = []
    /// The part of the last word that is completed, behind `--name=`.
    var partial = ""
    /// What is before that part.
    var prefix = ""
  }

  /// Reads the words after `rivulet`, of which the last one is being written.
  func line(_ words: [String]) -> Line {
    var line = Line(command: root)
    var awaited: Option?
    var optionsEnded = false
    for word in words.dropLast() {
      if let option = awaited {
        line.values[option.name] = word
        awaited = nil
      } else if word == "--" {
        optionsEnded = true
      } else if !optionsEnded, word.hasPrefix("-"), word.count > 1 {
        let name = String(word.prefix { $0 != "=" })
        let option = option(name, of: line.command)
        guard name.count == word.count else {
          line.values[option?.name ?? name] = String(word.dropFirst(name.count + 1))
          continue
        }
        if option?.value != nil { awaited = option }
        if option == nil, line.command.takesParameters { awaited = Option(name, value: "VALUE", "") }
      } else if line.arguments.isEmpty, let next = line.command.subcommands.first(where: { $0.name == word })
      {
        line.command = next
      } else {
        line.arguments.append(word)
      }
    }
    finish(&line, words.last ?? "", awaited, optionsEnded: optionsEnded)
    return line
  }

  private func option(_ name: String, of command: Command) -> Option? {
    (command.options + globals).first { $0.name == name || $0.short == name }
  }

  private func finish(_ line: inout Line, _ last: String, _ awaited: Option?, optionsEnded: Bool) {
    line.partial = last
    if let awaited {
      line.wanted = [wanted(of: awaited)]
      return
    }
    if !optionsEnded, last.hasPrefix("-") {
      if let equals = last.firstIndex(of: "="), let option = option(String(last[..<equals]), of: line.command)
      {
        line.prefix = String(last[...equals])
        line.partial = String(last[last.index(after: equals)...])
        line.wanted = [wanted(of: option)]
        return
      }
      let own = Set(line.command.options.map(\.name))
      let options = line.command.options + globals.filter { !own.contains($0.name) }
      line.wanted = [.words(options.map { Candidate(word: $0.name, summary: $0.summary) })]
      if line.command.takesParameters, let query = line.arguments.first {
        line.wanted.append(.parameter(ofQuery: query))
      }
      return
    }
    if line.arguments.isEmpty, !line.command.subcommands.isEmpty {
      line.wanted = [
        .words(
          line.command.subcommands.filter { !$0.isHidden }.map {
            Candidate(word: $0.name, summary: $0.summary)
          })
      ]
      return
    }
    let declared = line.command.arguments
    let place = line.arguments.count
    guard let argument = place < declared.count ? declared[place] : declared.last else { return }
    guard place < declared.count || argument.arity == .oneOrMore || argument.arity == .any else { return }
    line.wanted = [wanted(argument.name, line.command)]
    if argument.name == "COMMAND" { line.wanted = [commands(below: line.arguments)] }
  }

  private func commands(below words: [String]) -> Wanted {
    var command = root
    for word in words {
      command = command.subcommands.first { $0.name == word } ?? Command(name: word, summary: "")
    }
    return .words(
      command.subcommands.filter { !$0.isHidden }.map { Candidate(word: $0.name, summary: $0.summary) })
  }

  private func wanted(of option: Option) -> Wanted {
    guard option.choices.isEmpty else {
      return .words(option.choices.map { Candidate(word: $0, summary: "") })
    }
    return wanted(option.value ?? "", nil)
  }

  private func wanted(_ placeholder: String, _ command: Command?) -> Wanted {
    switch placeholder {
    case "FILE", "FILE|URL", "DIR", "SOURCE": .path
    case "PIPELINE", "RELEASE", "FROM", "TO", "VERSION", "VIEW", "RUN", "DATASET", "ID": .content(placeholder)
    case "NAME" where command?.takesParameters == true: .content("QUERY")
    case "CHECK":
      .words(SetupCheck.all.map { Candidate(word: $0.name, summary: $0.reason) })
    case "URL|embedded": .words([Candidate(word: "embedded", summary: "the program's own PostgreSQL")])
    default: .nothing
    }
  }
}
