import Catalog
import Definitions
import Host
import PipelineCore
import PipelineEngine
import PostgreSQL
import Reporting
import Values

let releasesDiffCommand = Command(
  name: "diff", summary: "Compares two published releases",
  discussion: """
    Counts the rows added, removed and changed from FROM to TO in every table of the pipeline, and the changed
    columns; then asks what the pipeline's own queries make of it. Either may be the older one: the signs follow
    the direction.
    """,
  arguments: [
    Argument("PIPELINE", "the pipeline"), Argument("FROM", "a published release, such as 2025A"),
    Argument("TO", "the one it is compared with, such as 2025D"),
  ],
  options: [Option("--rows", "tell each row that differs, with its old and new values")],
  examples: [
    "rivulet releases diff cms-rvu 2025A 2025D",
    "rivulet releases diff cms-rvu 2025A 2025D --rows --format json",
  ],
  run: { try diffReleases($0, $1) })

private func diffReleases(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let pipeline = try session.project().pipeline(named: invocation.arguments[0])
  let (from, to) = (
    pipeline.release.spelled(invocation.arguments[1]), pipeline.release.spelled(invocation.arguments[2])
  )
  guard from != to else {
    throw invocation.usage("FROM and TO are both \(from): name two releases to compare")
  }
  let connection = try session.connect()
  try Catalog.prepare(connection)
  do {
    try ReleaseDiff.compare(pipeline, from: from, to: to, on: connection) { diff in
      let figures = try figures(of: diff)
      let output = try OutputFile(nil, pager: session.pager)
      if session.isJSON {
        try DiffDocument(pipeline: pipeline.name, diff: diff, figures: figures, output: output)
          .write(withRows: invocation.has("--rows"))
      } else {
        try DiffText(
          pipeline: pipeline.name, diff: diff, figures: figures, output: output, style: session.style
        ).write(withRows: invocation.has("--rows"))
      }
      try output.close()
    }
  } catch let error as ReleaseOperationError {
    guard case .unknown = error else { throw error }
    throw invocation.usage(error.description)
  }
  return ExitCode.done
}

/// All of them, before anything is written: a query that fails is an error like any other.
private func figures(of diff: ReleaseDiff) throws -> [DiffFigures] {
  var all: [DiffFigures] = []
  try diff.figures { query, result in
    if all.last?.query.name != query.name {
      let kinds = result.columnTypes.map(ColumnKind.init(typeNumber:))
      all.append(DiffFigures(query: query, columns: Array(zip(result.columns, kinds))))
    }
    let columns = result.columns.indices
    all[all.count - 1].rows += result.rows.map { row in columns.map { row[$0] } }
  }
  return all
}
