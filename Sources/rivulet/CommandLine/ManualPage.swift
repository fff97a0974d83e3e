/// A page of the manual in the language of man(7), made from the declaration of a command.
struct ManualPage {
  /// The command that the page is of; its subcommands have a section each.
  let command: Command
  /// The names from `rivulet` down to it.
  let path: [String]
  let globals: [Option]
  let version: String

  /// The pages of a program: its own, and one of each command below it.
  static func all(of root: Command, globals: [Option], version: String) -> [ManualPage] {
    [ManualPage(command: root, path: [root.name], globals: globals, version: version)]
      + root.subcommands.filter { !$0.isHidden }.map {
        ManualPage(command: $0, path: [root.name, $0.name], globals: globals, version: version)
      }
  }

  /// The name of its file, such as `rivulet-run.1`.
  var fileName: String { path.joined(separator: "-") + ".1" }

  private var isRoot: Bool { path.count == 1 }

  /// The page.
  var text: String {
    var lines = [
      ".\\\" Made from the program's own declarations by 'rivulet manual'.",
      ".TH \(path.joined(separator: "-").uppercased()) 1 \"\" \"rivulet \(version)\" \"User Commands\"",
      ".SH NAME", "\(Self.plain(path.joined(separator: "-"))) \\- \(Self.plain(command.summary))",
      ".SH SYNOPSIS",
      Self.synopsis(command, path),
    ]
    if !command.discussion.isEmpty { lines += [".SH DESCRIPTION"] + Self.paragraph(command.discussion) }
    lines += isRoot ? commands : Self.words(command)
    for sub in command.subcommands where !isRoot && !sub.isHidden { lines += section(sub, path + [sub.name]) }
    if !isRoot {
      lines += Self.examples(command)
      lines += [".SH SEE ALSO", "\\fBrivulet\\fR(1) has the global options and the exit codes."]
    } else {
      lines += [".SH GLOBAL OPTIONS"] + globals.flatMap(Self.entry) + exitCodes + environment
      lines += Self.examples(command)
    }
    return lines.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
  }

  private var commands: [String] {
    [".SH COMMANDS"]
      + command.subcommands.filter { !$0.isHidden }.flatMap {
        [".TP", "\\fBrivulet\\-\($0.name)\\fR(1)", Self.plain($0.summary) + "."]
      }
  }

  /// A command below the one of the page.
  private func section(_ sub: Command, _ path: [String]) -> [String] {
    [".SH \"\(path.dropFirst().joined(separator: " ").uppercased())\"", Self.synopsis(sub, path), ".PP"]
      + Self.paragraph(sub.summary + ".")
      + (sub.discussion.isEmpty ? [] : [".PP"] + Self.paragraph(sub.discussion))
      + Self.words(sub, ".SS") + Self.examples(sub, ".SS")
      + sub.subcommands.filter { !$0.isHidden }.flatMap { section($0, path + [$0.name]) }
  }

  private static func synopsis(_ command: Command, _ path: [String]) -> String {
    let words = command.subcommands.isEmpty ? [] : [command.run == nil ? "COMMAND" : "[COMMAND]"]
    let rest =
      words + command.arguments.map(\.usage) + (command.takesParameters ? ["[--PARAMETER VALUE]..."] : [])
    return "\\fB\(plain(path.joined(separator: " ")))\\fR "
      + plain((rest + ["[options]"]).joined(separator: " "))
  }

  /// The arguments and the options.
  private static func words(_ command: Command, _ macro: String = ".SH") -> [String] {
    var lines: [String] = []
    if !command.arguments.isEmpty {
      lines.append("\(macro) ARGUMENTS")
      lines += command.arguments.flatMap { [".TP", "\\fI\(plain($0.name))\\fR", plain($0.summary)] }
    }
    if !command.options.isEmpty { lines += ["\(macro) OPTIONS"] + command.options.flatMap(entry) }
    return lines
  }

  private static func entry(_ option: Option) -> [String] {
    let names = [option.short, option.name].compactMap(\.self).map { "\\fB\(plain($0))\\fR" }.joined(
      separator: ", ")
    let value = option.choices.isEmpty ? option.value : option.choices.joined(separator: "|")
    return [".TP", names + (value.map { " \\fI\(plain($0))\\fR" } ?? ""), plain(option.summary)]
  }

  private static func examples(_ command: Command, _ macro: String = ".SH") -> [String] {
    guard !command.examples.isEmpty else { return [] }
    return ["\(macro) EXAMPLES", ".nf"] + command.examples.map(plain) + [".fi"]
  }

  private static func paragraph(_ text: String) -> [String] {
    [plain(text.split(whereSeparator: \.isWhitespace).joined(separator: " "))]
  }

  private var exitCodes: [String] {
    [".SH EXIT STATUS"] + ExitCode.meanings.flatMap { [".TP", "\\fB\($0.code)\\fR", Self.plain($0.meaning)] }
  }

  private var environment: [String] {
    [".SH ENVIRONMENT"]
      + Self.variables.flatMap { [".TP", "\\fB\(Self.plain($0.name))\\fR", Self.plain($0.meaning)] }
  }

  private static let variables = [
    (
      "RIVULET_DATABASE_URL, DATABASE_URL",
      "the database, where --database does not name one; so do libpq's own PGHOST and the like"
    ),
    ("XDG_STATE_HOME", "where the embedded PostgreSQL lies (default ~/.local/state)"),
    ("RIVULET_STATE_DIR", "the same, in place of it"),
    ("XDG_CACHE_HOME", "where downloads are kept (default ~/.cache)"),
    ("RIVULET_PG_BIN", "the programs of the PostgreSQL that the embedded one uses"),
    ("RIVULET_FETCH_BASE", "a copy of the publishers' sites, in place of them"),
    ("PAGER", "what shows an answer that is longer than the terminal"),
    ("NO_COLOR", "if set, no colours"),
  ].map { (name: $0, meaning: $1) }

  /// Text in which nothing is a request or an escape of roff, and a dash is one that can be copied.
  private static func plain(_ text: String) -> String {
    var escaped = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    if let first = escaped.first, first == "." || first == "'" { escaped = "\\&" + escaped }
    return escaped
  }
}
