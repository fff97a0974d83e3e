import Definitions
import Host
import MigrationEngine
import PipelineCore
import Values

let migrateNewCommand = Command(
  name: "new", summary: "Writes the file of a new migration, to be filled in",
  discussion: "The version is the number after the last; the name in words becomes snake_case.",
  arguments: [Argument("NAME", "what it does, in words: 'add fee table'", .oneOrMore)],
  options: [
    Option("--repeatable", "a file R_name.sql, which runs again whenever its content changes"),
    Option(
      "--from", value: "FILE",
      "what it does is in this file: a dump by pg_dump, or Rails' structure.sql; it has no way back"),
    Option(
      "--dataset", value: "NAME", isRepeatable: true,
      "a dataset that it is for; may come several times, without it the migration is for every database"),
  ] + MigrationSession.folderOptions,
  examples: [
    "rivulet migrate new add fee table", "rivulet migrate new --repeatable grants",
    "rivulet migrate new add fee table --dataset cms-rvu",
    "rivulet migrate new structure --from db/structure.sql",
  ],
  run: { try migrateNew($0, $1) })

private func migrateNew(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  if invocation["--dir"] == nil { _ = try session.ownProject() }
  let migrations = try MigrationSession(invocation, session, mayBeEmpty: true)
  let datasets = invocation.all("--dataset")
  if let known = try migrations.project?.everyPipelineName,
    let name = datasets.first(where: { !known.contains($0) })
  {
    let hint = NearestName.hint(name, among: known, called: "there are").map { "; \($0)" } ?? ""
    throw invocation.usage("--dataset: there is no dataset '\(name)'\(hint)")
  }
  if invocation.has("--repeatable"), invocation.has("--from") {
    throw invocation.usage("--from is for a migration that runs once")
  }
  let words = invocation.arguments.joined(separator: " ")
  let path: String
  do {
    path = try migrations.folder.writeNew(
      words, isRepeatable: invocation.has("--repeatable"), datasets: datasets,
      text: try invocation["--from"].map { try MigrationFolder.text(ofDump: $0) })
  } catch MigrationError.unusableName {
    throw invocation.usage("NAME is made of letters and digits of ASCII, not '\(words)'")
  }
  try session.answer(json: ["file": path], text: path + "\n")
  return ExitCode.done
}
