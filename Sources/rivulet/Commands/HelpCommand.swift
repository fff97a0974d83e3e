import Definitions
import Host
import PipelineCore
import Values

let helpCommand = Command(
  name: "help", summary: "Says how a command is used, as --help does",
  arguments: [Argument("COMMAND", "a command, such as run or migrate up", .any)],
  examples: ["rivulet help", "rivulet help migrate up"], run: { try help($0, $1) })

let versionCommand = Command(
  name: "version", summary: "Says which version of the program this is, as --version does",
  examples: ["rivulet version"],
  run: { try version($0, $1) })

private func help(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  var (command, path) = (Rivulet.root, [Rivulet.root.name])
  for word in invocation.arguments {
    guard let next = command.subcommands.first(where: { $0.name == word }) else {
      let near = NearestName.to(word, among: command.subcommands.map(\.name))
      throw UsageError(
        message: "unknown command '\(word)'" + (near.map { "; did you mean '\($0)'?" } ?? ""), path: path)
    }
    (command, path) = (next, path + [word])
  }
  try Output.out(Help(command: command, path: path, globals: Rivulet.globals).text)
  return ExitCode.done
}

private func version(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  try session.answer(json: ["version": Rivulet.version], text: "rivulet \(Rivulet.version)\n")
  return ExitCode.done
}
