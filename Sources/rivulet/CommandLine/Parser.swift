import Definitions

/// Turns words into an ``Invocation``. Options may be anywhere, `--name value` or `--name=value`; `--`
/// ends them.
struct Parser {
  let root: Command
  let globals: [Option]

  func parse(_ words: [String]) throws(UsageError) -> Invocation {
    var invocation = Invocation(command: root, path: [root.name])
    var rest = words[...]
    var optionsEnded = false
    while let word = rest.popFirst() {
      if !optionsEnded && word == "--" {
        optionsEnded = true
      } else if !optionsEnded && word.hasPrefix("-") && word.count > 1 {
        try takeOption(word, &rest, &invocation)
      } else if !optionsEnded && invocation.arguments.isEmpty && !invocation.command.subcommands.isEmpty {
        invocation = try descend(invocation, to: word)
      } else {
        invocation.arguments.append(word)
      }
    }
    if invocation.values["--help"] == nil && invocation.values["--version"] == nil {
      invocation.incomplete = try checkArguments(invocation)
    }
    return invocation
  }

  private func descend(_ invocation: Invocation, to word: String) throws(UsageError) -> Invocation {
    guard let next = invocation.command.subcommands.first(where: { $0.name == word }) else {
      let names = invocation.command.subcommands.map(\.name)
      throw UsageError(
        message: "unknown command '\(word)'" + suggestion(word, names), path: invocation.path)
    }
    var deeper = Invocation(command: next, path: invocation.path + [word])
    deeper.values = invocation.values
    return deeper
  }

  private func takeOption(
    _ word: String, _ rest: inout ArraySlice<String>, _ invocation: inout Invocation
  ) throws(UsageError) {
    let name = String(word.prefix { $0 != "=" })
    let attached = name.count < word.count ? String(word.dropFirst(name.count + 1)) : nil
    // A command's own option takes the place of a global one of its name.
    let known = invocation.command.options + globals
    guard let option = known.first(where: { $0.name == name || $0.short == name }) else {
      if invocation.command.takesParameters && name.hasPrefix("--") {
        guard let value = attached ?? rest.popFirst() else {
          throw UsageError(message: "\(name) needs a value", path: invocation.path)
        }
        invocation.parameters.append((String(name.dropFirst(2)), value))
        return
      }
      throw UsageError(
        message: "unknown option '\(name)'" + suggestion(name, known.map(\.name)), path: invocation.path)
    }
    guard let placeholder = option.value else {
      if attached != nil {
        throw UsageError(message: "\(option.name) takes no value", path: invocation.path)
      }
      invocation.values[option.name] = ""
      return
    }
    guard let value = attached ?? rest.popFirst() else {
      throw UsageError(message: "\(option.name) needs a value: \(placeholder)", path: invocation.path)
    }
    // An empty value is a variable that got lost on the way, and never what is meant.
    guard !value.isEmpty else {
      throw UsageError(message: "\(option.name) has an empty value: \(placeholder)", path: invocation.path)
    }
    guard option.choices.isEmpty || option.choices.contains(value) else {
      throw UsageError(
        message: "\(option.name) is one of \(option.choices.joined(separator: ", ")), not '\(value)'",
        path: invocation.path)
    }
    invocation.values[option.name] = value
    if option.isRepeatable { invocation.lists[option.name, default: []].append(value) }
  }

  /// Refuses arguments that are too many; gives what is to be said of too few, which the command may know
  /// better.
  private func checkArguments(_ invocation: Invocation) throws(UsageError) -> UsageError? {
    let declared = invocation.command.arguments
    let given = invocation.arguments.count
    let required = declared.filter { $0.arity == .one || $0.arity == .oneOrMore }
    let endless = declared.contains { $0.arity == .oneOrMore || $0.arity == .any }
    if given < required.count {
      let missing = required[given]
      return UsageError(message: "\(missing.name) is missing: \(missing.summary)", path: invocation.path)
    }
    if given > declared.count && !endless {
      throw UsageError(
        message: "unexpected argument '\(invocation.arguments[declared.count])'", path: invocation.path)
    }
    return nil
  }

  private func suggestion(_ word: String, _ names: [String]) -> String {
    guard let near = NearestName.to(word, among: names) else { return "" }
    return "; did you mean '\(near)'?"
  }
}
