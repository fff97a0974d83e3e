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
    Option("--timestamp", "the time as its version, so that branches seldom take the same"),
    Option("--repeatable", "a file R_name.sql, which runs again whenever its content changes"),
    Option(
      "--from", value: "FILE",
      "what it does is in this file: a dump by pg_dump, or Rails' structure.sql; it has no way back"),
    Option(
      "--dataset", value: "NAME", isRepeatable: true,
      "a dataset that it is for; may come several times, without it the migration is for every database"),
    Option(
      "--from-drift",
      "draft it from what was changed by hand, so that the folder makes what is in the database"),
    Option(
      "--here", "with --from-drift: make what the history makes in a shadow database in the same server"),
  ] + MigrationSession.folderOptions,
  examples: [
    "rivulet migrate new add fee table", "rivulet migrate new --repeatable grants",
    "rivulet migrate new add fee table --dataset cms-rvu",
    "rivulet migrate new structure --from db/structure.sql",
    "rivulet migrate new indexes made by hand --from-drift",
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
  if invocation.has("--from"), invocation.has("--from-drift") {
    throw invocation.usage("--from and --from-drift exclude each other")
  }
  if invocation.has("--here") && !invocation.has("--from-drift") {
    throw invocation.usage("--here is for --from-drift")
  }
  var text = try invocation["--from"].map { try MigrationFolder.text(ofDump: $0) }
  if invocation.has("--from-drift") {
    if invocation.has("--repeatable") { throw invocation.usage("--from-drift drafts no repeatable one") }
    text = try draft(migrations, isHere: invocation.has("--here"))
    guard text != nil else {
      try session.answer(json: ["file": JSON.null], text: "no drift: nothing is written\n")
      return ExitCode.done
    }
  }
  let words = invocation.arguments.joined(separator: " ")
  let path: String
  do {
    path = try migrations.folder.writeNew(
      words, isRepeatable: invocation.has("--repeatable"), datasets: datasets, text: text,
      hasTimestamp: invocation.has("--timestamp"))
  } catch MigrationError.unusableName {
    throw invocation.usage("NAME is made of letters and digits of ASCII, not '\(words)'")
  }
  try session.answer(json: ["file": path], text: path + "\n")
  return ExitCode.done
}

private func draft(_ migrations: MigrationSession, isHere: Bool) throws -> String? {
  let session = migrations.session
  let connection = try session.connect()
  return try SchemaDrift.draft(
    on: connection, dependents: migrations.dependents, place: isHere ? .beside(connection) : .embedded,
    ignoring: migrations.project?.ignoredDrift ?? [], values: migrations.folder.values,
    tell: { session.tell($0) })
}
