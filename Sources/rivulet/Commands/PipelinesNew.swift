import Definitions
import Drafting
import Host
import MigrationEngine
import PipelineCore
import Reporting
import Values

let pipelinesNewCommand = Command(
  name: "new", summary: "Drafts a pipeline from a sample file, by the look of its values",
  discussion: """
    The sample is a .csv, .xlsx, .json, .ndjson, .jsonl or .xml with a header, or with properties, and some records. Written are \
    Pipelines/NAME/pipeline.yaml, its layout, and a migration that makes the table. With --into only a layout is \
    written, by which a pipeline that is there loads lists such as the sample into its own tables: columns are \
    recognised by their headers and the look of their values. At a terminal you are asked what these do not tell for \
    certain; it is in comments of the layout, too. What is drafted loads the sample; read it, and correct what one file \
    could not tell.
    """,
  arguments: [Argument("NAME", "the pipeline's name (default: made of the file's)", .optional)],
  options: [
    Option("--from", value: "FILE", "the sample"),
    Option("--name", value: "NAME", "the pipeline's name, the same as the argument"),
    Option("--into", value: "PIPELINE", "draft a layout for a pipeline that is there, called NAME"),
    Option(
      "--column", value: "HEADER=MEANING", isRepeatable: true,
      "with --into: what a column is, as 'Nm=last name'; 'none' leaves it out"),
    Option(
      "--records", value: "OF", choices: RecordSubject.allCases.map(\.rawValue),
      "with --into: whose the records are"),
    Option("--no-fold", "with --into: records of one NPI are a row each"),
    Option("--yes", short: "-y", "ask nothing at a terminal"),
    Option("--sheet", value: "SHEET", "the sheet of a workbook (default: the first that has a header)"),
  ],
  examples: [
    "rivulet pipelines new --from mercy-on-call-2025-11-20.csv",
    "rivulet pipelines new st-marys --from on-call.xlsx",
    "rivulet pipelines new --into directory-csv --from mercy-on-call-2025-11-20.csv",
    "rivulet pipelines new --into directory-csv --from a.csv --column 'Nm=provider name'",
  ],
  run: { try newPipeline($0, $1) })

private func newPipeline(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  guard let sample = invocation["--from"] else {
    throw invocation.usage("--from FILE is missing: a sample of the files that the pipeline is for")
  }
  let given = invocation.arguments.first
  if let given, let option = invocation["--name"], given != option {
    throw invocation.usage("the pipeline cannot be called both '\(given)' and '\(option)'")
  }
  let name = given ?? invocation["--name"]
  let project = try session.ownProject()
  if let pipeline = invocation["--into"] {
    let draft = try DraftQuestions(invocation, session).settled { answers in
      try LayoutDraft(
        from: sample, into: project.pipeline(named: pipeline), name: name, sheet: invocation["--sheet"],
        answers: answers)
    }
    try write(draft, in: project)
    try session.answer(json: draft.json(in: project), text: draft.text(in: project, sample: sample))
    return ExitCode.done
  }
  let draft = try PipelineDraft(from: sample, name: name, sheet: invocation["--sheet"])
  let folder = Path.join(project.folder, "Pipelines/\(draft.name)")
  guard !Files.exists(folder) else { throw DraftError.nameTaken(draft.name) }
  // Tables of a dataset are no tenant's.
  guard let source = project.migrationSources.first(where: { $0.schemas == nil }),
    source.folders.allSatisfy(Files.isDirectory)
  else {
    throw invocation.usage("the project has no folder 'Migrations' for the draft's table: make it")
  }
  // Before anything is written: a folder of migrations that cannot be read leaves no half of a draft.
  let migrationFolder = try MigrationFolder(of: source, in: project)
  try Files.makeDirectory(Path.join(folder, "layouts"))
  var written = try draft.files.map { file in
    let path = Path.join(project.folder, file.path)
    try Files.write(file.text, to: path)
    return path
  }
  written.append(
    try migrationFolder.writeNew(
      "\(draft.name) list", datasets: [draft.name], text: draft.migrationText))
  // What was written is held against the rules for definitions as any other is.
  var again = try Project.load(project.folder)
  again.datasets = nil
  _ = try again.pipeline(named: draft.name)
  if project.datasets != nil {
    session.warn(
      "add '\(draft.name)' to the 'datasets' of \(Project.fileName), which names those that are used")
  }
  try session.answer(json: draft.json(files: written), text: draft.text(files: written, sample: sample))
  return ExitCode.done
}

/// Writes a layout, and takes it away again where the pipeline could not be read with it.
private func write(_ draft: LayoutDraft, in project: Project) throws {
  let path = Path.join(project.folder, draft.file.path)
  guard !Files.exists(path) else { throw DraftError.layoutTaken(path) }
  try Files.makeDirectory(Path.parent(path))
  try Files.write(draft.file.text, to: path)
  do {
    _ = try Project.load(project.folder).pipeline(named: draft.pipeline)
  } catch {
    try Files.remove(path)
    throw error
  }
}

extension LayoutDraft {
  fileprivate func json(in project: Project) -> JSON {
    [
      "pipeline": pipeline, "layout": name, "files": [Path.join(project.folder, file.path)],
      "records": records,
      "columns": JSON.array(of: columns) { column in ["source": column.header, "stored": column.stored] },
      "doubts": JSON.array(of: doubts) { .string($0.remark) },
      "notes": notes,
    ]
  }

  fileprivate func text(in project: Project, sample: String) -> ConsoleText {
    let table = TextTable(
      ["in the file", "stored as"],
      columns.map { [$0.header, $0.stored.isEmpty ? "not loaded" : $0.storedText] })
    let release = needsRelease ? " --release \(name)-YYYY-MM-DD" : ""
    return "\(records) records looked at\n\n" + table.text + "\n"
      + doubts.map { "not certain: \($0.remark)\n" }.joined() + notes.map { "note: \($0)\n" }.joined()
      + "wrote \(Path.join(project.folder, file.path))\n"
      + "next: 'rivulet run \(pipeline) \(sample)\(release)'\n"
  }
}

extension PipelineDraft {
  fileprivate func json(files: [String]) -> JSON {
    [
      "pipeline": name, "files": files, "target": target, "format": format, "encoding": encoding,
      "delimiter": delimiter.map { String(UnicodeScalar($0)) }, "records": records, "key": key,
      "columns": JSON.array(of: columns) { column in
        [
          "name": column.name, "source": column.source, "type": "\(column.type)",
          "required": column.isRequired, "remark": column.remark,
        ]
      },
      "notes": notes,
    ]
  }

  fileprivate func text(files: [String], sample: String) -> ConsoleText {
    let table = TextTable(
      ["column", "in the file", "type", "", ""],
      columns.map {
        let mark = key.contains($0.name) ? "key" : $0.isRequired ? "required" : nil
        return [$0.name, $0.source, "\($0.type)", mark, $0.remark]
      })
    let form = [format, encoding, delimiter.map { Self.called($0) }].compactMap(\.self).joined(
      separator: ", ")
    let release = isDated ? "" : " --release \(name)-YYYY-MM-DD"
    return "\(records) records looked at (\(form))\n\n" + table.text + "\n"
      + notes.map { "note: \($0)\n" }.joined()
      + files.map { "wrote \($0)\n" }.joined()
      + "next: 'rivulet migrate up', then 'rivulet run \(name) \(sample)\(release)'\n"
  }

  private static func called(_ delimiter: UInt8) -> String {
    switch delimiter {
    case 0x09: "tabs"
    case UInt8(ascii: ","): "commas"
    case UInt8(ascii: ";"): "semicolons"
    default: "'\(UnicodeScalar(delimiter))' between fields"
    }
  }
}
