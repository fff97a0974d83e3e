import Host
import MigrationEngine
import PipelineCore
import Values

let migrateNewCommand = Command(
  name: "new", summary: "Writes the file of a new migration, to be filled in",
  discussion: "The version is the number after the last; the name in words becomes snake_case.",
  arguments: [Argument("NAME", "what it does, in words: 'add fee table'", .oneOrMore)],
  options: [Option("--repeatable", "a file R_name.sql, which runs again whenever its content changes")]
    + MigrationSession.folderOptions,
  examples: ["rivulet migrate new add fee table", "rivulet migrate new --repeatable grants"],
  run: { try migrateNew($0, $1) })

private func migrateNew(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let folder = try MigrationSession(invocation, session, mayBeEmpty: true).folder
  let words = invocation.arguments.joined(separator: " ")
  let path: String
  do {
    path = try folder.writeNew(words, isRepeatable: invocation.has("--repeatable"))
  } catch MigrationError.unusableName {
    throw invocation.usage("NAME is made of letters and digits of ASCII, not '\(words)'")
  }
  try session.answer(json: ["file": path], text: path + "\n")
  return ExitCode.done
}
