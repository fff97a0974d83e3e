import Catalog
import Definitions
import Values
import ViewEngine

let viewsCheckCommand = Command(
  name: "check", summary: "Holds every view's definition against the database, and changes nothing",
  discussion: """
    Says what keeps a view from being made, with its place in the file, and ends with 2 then; and what would make it slow,
    such as an index that a source lacks.
    """,
  examples: ["rivulet views check", "rivulet views check --format json"], run: { try checkViews($1) })

private func checkViews(_ session: Session) throws -> Int32 {
  let definitions = try session.project().views()
  let connection = try session.connect()
  try Catalog.prepare(connection)
  let (problems, warnings) = try ViewEngine(definitions).check(on: connection)
  let count = "\(definitions.count) view\(definitions.count == 1 ? "" : "s") checked, "
  let failure = problems.first.map { problem in
    var failure = Failure(problem)
    failure.code = ExitCode.usage
    return failure
  }
  try session.answer(
    json: [
      "checked": definitions.map(\.name), "errors": problems.map(json), "warnings": warnings.map(json),
    ] + (failure?.json ?? [:]),
    text: problems.map { "\($0)\n" }.joined()
      + warnings.map { "\($0.file): notice: \($0.message)\n" }.joined()
      + count + (problems.isEmpty ? "no mistake found\n" : "\(problems.count) cannot be made as they are\n"))
  if let failure { throw ReportedFailure(failure: failure) }
  return ExitCode.done
}

private func json(_ problem: ViewProblem) -> JSON {
  [
    "view": problem.view, "file": problem.file, "line": problem.mark?.line, "column": problem.mark?.column,
    "message": problem.message, "hint": problem.hint, "sqlstate": problem.sqlState,
  ]
}
