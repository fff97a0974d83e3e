import PipelineCore
import PipelineEngine
import Reporting
import Values

let releasesDropCommand = Command(
  name: "drop", summary: "Removes a release, or one revision of it, for good",
  discussion: """
    Its tables are gone afterwards and their room is free. The current release is refused, and so is a single revision
    that is published. At a terminal it asks first. The ledger keeps the runs that loaded it and the files they read; 'rivulet run' loads it again.
    """,
  arguments: [Argument("PIPELINE", "the pipeline"), Argument("RELEASE", "the release, such as 2024D")],
  options: [
    Option("--revision", value: "N", "only this revision, which must not be published"),
    Confirmation.dryRun, Confirmation.yes, ReaderRefresh.option,
  ],
  examples: ["rivulet releases drop cms-rvu 2024D", "rivulet releases drop cms-rvu 2025D --revision 1"],
  run: { try drop($0, $1) })

private func drop(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let pipeline = invocation.arguments[0]
  let release = session.releaseName(invocation.arguments[1], of: pipeline)
  let revision = try invocation.integer("--revision", atLeast: 1)
  return try moveReleases(invocation, session) { releases in
    let due = try releases.dropDue(pipeline: pipeline, release: release, revision: revision)
    let what = "\(named(due, of: pipeline, release)) (\(size(due)))"
    guard try Confirmation.isGiven("Drop \(what) for good?", invocation, session) else {
      return (json(due, of: pipeline, release) + ["dry_run": true], "would drop \(what)\n", nil)
    }
    let dropped = try releases.drop(pipeline: pipeline, release: release, revision: revision)
    return (
      json(dropped, of: pipeline, release),
      "\(named(dropped, of: pipeline, release)) \(dropped.revisions.count == 1 ? "is" : "are") dropped: "
        + "\(size(dropped)) freed\n",
      "\(pipeline) \(release) is dropped"
    )
  }
}

private func json(_ dropped: DroppedRelease, of pipeline: String, _ release: String) -> JSON {
  [
    "pipeline": pipeline, "release": release, "revisions": dropped.revisions, "rows": dropped.rows,
    "bytes": dropped.bytes,
  ]
}

private func named(_ dropped: DroppedRelease, of pipeline: String, _ release: String) -> String {
  "\(pipeline) \(release) revision\(dropped.revisions.count == 1 ? "" : "s") "
    + dropped.revisions.map(String.init).joined(separator: ", ")
}

private func size(_ dropped: DroppedRelease) -> String {
  "\(dropped.rows.grouped) rows, \(dropped.bytes.grouped) bytes"
}
