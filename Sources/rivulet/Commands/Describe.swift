import Definitions
import Describing
import PipelineCore
import Values

let describeCommand = Command(
  name: "describe", summary: "Describes a dataset, a table, a view or a column; alone, lists them",
  discussion: """
    What each column is, which field of which publisher's file it is from, what its codes mean; what a view
    reads, and how it is computed; what is asked of the rows, and why. 'rivulet docs' writes the same as pages.
    """,
  arguments: [
    Argument("NAME", "a table or view such as cms.rvu, a column of one, or a dataset", .optional)
  ],
  examples: [
    "rivulet describe", "rivulet describe cms.rvu", "rivulet describe cms.rvu.status_code",
    "rivulet describe cms-rvu --format json",
  ],
  run: { try describe($0, $1) })

private func describe(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let pipelines = try session.pipelines()
  let dictionary = try DataDictionary.read(pipelines, on: session.connect())
  guard let name = invocation.arguments.first else {
    try session.answer(json: dictionary.listJSON, text: dictionary.list)
    return ExitCode.done
  }
  guard let subject = dictionary.subject(named: name) else {
    let near = dictionary.nearest(to: name).map { "'\($0)'" }.joined(separator: ", ")
    throw invocation.usage(
      "there is no dataset, table, view or column '\(name)'"
        + (near.isEmpty ? "" : "; the nearest are \(near)") + ": 'rivulet describe' lists them all")
  }
  try session.answer(json: dictionary.json(of: subject), text: dictionary.text(of: subject))
  return ExitCode.done
}
