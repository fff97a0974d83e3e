import Definitions
import Host
import MigrationEngine
import PipelineCore
import Values

let migrateNewCommand = Command(
  name: "new", summary: "Writes the file of a new migration, to be filled in",
  discussion: "The version is the number after the last; the name in words becomes snake_case.",
  arguments: [
    Argument("NAME", "what it does, in words: 'add fee table'; a drafted change of a column has one", .any)
  ],
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
      "--rename-column", value: "TABLE.COLUMN=NEW",
      "draft the two halves that give a column another name while programs go on"),
    Option(
      "--change-type", value: "TABLE.COLUMN=TYPE",
      "draft the two halves that give a column another type while programs go on"),
    Option(
      "--using", value: "SQL",
      "with --change-type: the new value, from the column; without it the server's assignment"),
    Option(
      "--back", value: "SQL", "with --change-type: the old value, from the column with its new type"),
    Option(
      "--here", "with --from-drift: make what the history makes in a shadow database in the same server"),
  ] + MigrationSession.folderOptions,
  examples: [
    "rivulet migrate new add fee table", "rivulet migrate new --repeatable grants",
    "rivulet migrate new add fee table --dataset cms-rvu",
    "rivulet migrate new structure --from db/structure.sql",
    "rivulet migrate new indexes made by hand --from-drift",
    "rivulet migrate new --rename-column app.visit.name=full_name",
    "rivulet migrate new --change-type app.visit.code=integer --using 'trim(code)::integer'",
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
  let change = try columnChange(invocation)
  if let origin = try origin(invocation), invocation.has("--repeatable") {
    throw invocation.usage("\(origin) is for a migration that runs once")
  }
  if invocation.has("--here") && !invocation.has("--from-drift") {
    throw invocation.usage("--here is for --from-drift")
  }
  let words = invocation.arguments.isEmpty ? change?.words ?? "" : invocation.arguments.joined(separator: " ")
  if words.isEmpty { throw invocation.usage("a NAME is needed: what the migration does, in words") }
  var text = try invocation["--from"].map { try MigrationFolder.text(ofDump: $0) }
  if invocation.has("--from-drift") {
    text = try draft(migrations, isHere: invocation.has("--here"))
    guard text != nil else {
      try session.answer(json: ["file": JSON.null], text: "no drift: nothing is written\n")
      return ExitCode.done
    }
  }
  if let change { text = try change.draft(on: try session.connect()) }
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

/// The option that says what the text is made from; nil where it is to be filled in.
private func origin(_ invocation: Invocation) throws -> String? {
  let given = ["--from", "--from-drift", "--rename-column", "--change-type"].filter(invocation.has)
  if given.count > 1 { throw invocation.usage("\(given[0]) and \(given[1]) exclude each other") }
  return given.first
}

private func columnChange(_ invocation: Invocation) throws -> ColumnChange? {
  func parts(_ option: String) throws -> (column: String, new: String)? {
    guard let text = invocation[option] else { return nil }
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { throw invocation.usage("\(option): write it as schema.table.column=NEW") }
    return (parts[0], parts[1])
  }
  if let (column, name) = try parts("--rename-column") {
    return try ColumnChange(column, .rename(to: name))
  }
  let (using, back) = (invocation["--using"], invocation["--back"])
  if let (column, type) = try parts("--change-type") {
    return try ColumnChange(column, .retype(to: type, using: using, back: back))
  }
  if using != nil || back != nil { throw invocation.usage("--using and --back are for --change-type") }
  return nil
}

private func draft(_ migrations: MigrationSession, isHere: Bool) throws -> String? {
  let session = migrations.session
  let connection = try session.connect()
  return try SchemaDrift.draft(
    on: connection, dependents: migrations.dependents, place: isHere ? .beside(connection) : .embedded,
    ignoring: migrations.project?.ignoredDrift ?? [], values: migrations.folder.values,
    tell: { session.tell($0) })
}
