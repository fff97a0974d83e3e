/// Help for a command, made from its declaration.
struct Help {
  let command: Command
  let path: [String]
  let globals: [Option]

  var text: String {
    var parts = [command.summary + "."]
    if !command.discussion.isEmpty { parts.append(wrapped(command.discussion, indent: "")) }
    parts.append("Usage:\n  " + usage)
    if !command.subcommands.isEmpty {
      parts.append(
        section("Commands", command.subcommands.filter { !$0.isHidden }.map { ($0.name, $0.summary) }))
    }
    if !command.arguments.isEmpty {
      parts.append(section("Arguments", command.arguments.map { ($0.name, $0.summary) }))
    }
    if !command.options.isEmpty {
      parts.append(section("Options", command.options.map(Help.row)))
    }
    let own = Set(command.options.map(\.name))
    parts.append(section("Global options", globals.filter { !own.contains($0.name) }.map(Help.row)))
    if !command.examples.isEmpty {
      parts.append(
        (command.examples.count == 1 ? "Example:" : "Examples:")
          + command.examples.map { "\n  " + $0 }.joined())
    }
    return parts.joined(separator: "\n\n") + "\n"
  }

  private var usage: String {
    var words = path
    if !command.subcommands.isEmpty { words.append(command.run == nil ? "<command>" : "[<command>]") }
    words += command.arguments.map(\.usage)
    if command.takesParameters { words.append("[--PARAMETER VALUE]...") }
    words.append("[options]")
    return words.joined(separator: " ")
  }

  private static func row(_ option: Option) -> (String, String) {
    let names = [option.short, option.name].compactMap { $0 }.joined(separator: ", ")
    let placeholder = option.choices.isEmpty ? option.value : option.choices.joined(separator: "|")
    return (placeholder.map { names + " " + $0 } ?? names, option.summary)
  }

  private func section(_ title: String, _ rows: [(String, String)]) -> String {
    let width = min(30, rows.map(\.0.count).max() ?? 0)
    let indent = String(repeating: " ", count: width + 4)
    let lines = rows.map { name, summary in
      let head =
        name.count > width
        ? "  " + name + "\n" + indent
        : "  " + name + String(repeating: " ", count: width + 2 - name.count)
      return head + wrapped(summary, indent: indent)
    }
    return ([title + ":"] + lines).joined(separator: "\n")
  }

  private func wrapped(_ text: String, indent: String) -> String {
    var lines: [String] = []
    var line = ""
    for word in text.split(whereSeparator: \.isWhitespace) {
      if !line.isEmpty && indent.count + line.count + word.count >= 100 {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " " + word
    }
    return (lines + [line]).joined(separator: "\n" + indent)
  }
}
