import Catalog
import Definitions
public import PipelineCore
import PipelineEngine
import PostgreSQL
import Reporting
public import Values

let releasesCommand = Command(
  name: "releases", summary: "Shows releases and publishes, hides and drops them",
  examples: ["rivulet releases list", "rivulet releases rollback cms-rvu"],
  subcommands: [
    Command(
      name: "list", summary: "Lists releases with their revisions and states",
      arguments: [Argument("PIPELINE", "only this pipeline's", .optional)],
      examples: ["rivulet releases list", "rivulet releases list cms-rvu --format json"],
      run: { try listReleases($0, $1) }),
    releasesDiffCommand,
    Command(
      name: "publish", summary: "Publishes a release that is staged or was rolled back",
      discussion: """
        Of several revisions that are hidden it is the one that was rolled back or staged last.
        """,
      arguments: [Argument("PIPELINE", "the pipeline"), Argument("RELEASE", "the release, such as 2025D")],
      options: [
        Option("--revision", value: "N", "this revision, whatever became of it"), ReaderRefresh.option,
      ],
      examples: [
        "rivulet releases publish cms-rvu 2025D", "rivulet releases publish cms-rvu 2025D --revision 1",
      ],
      run: { try publish($0, $1) }),
    Command(
      name: "rollback", summary: "Rolls the newest publication back, of a pipeline or of one release",
      discussion: """
        The revision that it replaced is published again; where it was a release's first, the release is hidden.
        Nothing is deleted: 'releases publish' undoes it. A pin on a release that is hidden is taken off,
        and has to be set again. At a terminal it asks first.
        """,
      arguments: [
        Argument("PIPELINE", "the pipeline"),
        Argument("RELEASE", "the release, such as 2025D; left out, the one published last", .optional),
      ],
      options: [Confirmation.dryRun, Confirmation.yes, ReaderRefresh.option],
      examples: ["rivulet releases rollback cms-rvu", "rivulet releases rollback cms-rvu 2025D --dry-run"],
      run: { try rollback($0, $1) }),
    Command(
      name: "pin", summary: "Makes a published release the current one until further notice",
      arguments: [
        Argument("PIPELINE", "the pipeline"),
        Argument("RELEASE", "the release; left out with --clear", .optional),
      ],
      options: [Option("--clear", "let the calendar decide again"), ReaderRefresh.option],
      examples: ["rivulet releases pin cms-rvu 2025A", "rivulet releases pin cms-rvu --clear"],
      run: { try pin($0, $1) }),
    releasesDropCommand,
  ])

func openReleases(_ invocation: Invocation, _ session: Session) throws -> Releases {
  if let name = invocation.arguments.first { _ = try session.project().pipeline(named: name) }
  return try openReleases(on: try session.connect(), session)
}

private func openReleases(on connection: Connection, _ session: Session) throws -> Releases {
  try Catalog.prepare(connection)
  var releases = Releases(connection: connection, onRetry: { [log = session.log] in log.warn($0) })
  releases.lockWait = try session.lockWait()
  return releases
}

/// Changes which releases are published, or current; refreshes the stored views that read them; answers.
///
/// `change`: gives the answer as JSON and text, and what has happened as the start of a sentence; nil where
/// nothing has.
func moveReleases(
  _ invocation: Invocation, _ session: Session,
  _ change: (Releases) throws -> (json: JSON, text: String, sentence: String?)
) throws -> Int32 {
  let pipeline = try session.project().pipeline(named: invocation.arguments[0])
  let connection = try session.connect()
  let done = try change(try openReleases(on: connection, session))
  guard let sentence = done.sentence else {
    try session.answer(json: done.json, text: done.text)
    return ExitCode.done
  }
  let views = ReaderRefresh(of: pipeline, after: sentence, on: connection, invocation, session)
  try views.tell(done.json + ["views": views.answer.refreshes], text: ConsoleText(done.text), session)
  return ExitCode.done
}

private func listReleases(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let rows = try openReleases(invocation, session).list(pipeline: invocation.arguments.first)
  try session.answer(json: ["releases": rows], text: text(rows))
  return ExitCode.done
}

private func publish(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let pipeline = invocation.arguments[0]
  let release = session.releaseName(invocation.arguments[1], of: pipeline)
  let wanted = try invocation.integer("--revision", atLeast: 1)
  return try moveReleases(invocation, session) { releases in
    let (revision, isNew) = try releases.publish(pipeline: pipeline, release: release, revision: wanted)
    return (
      ["pipeline": pipeline, "release": release, "revision": revision, "state": "published"],
      "\(pipeline) \(release) revision \(revision) is published\(isNew ? "" : " already")\n",
      "\(pipeline) \(release) is published"
    )
  }
}

private func rollback(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let pipeline = invocation.arguments[0]
  let release = invocation.arguments.dropFirst().first.map { session.releaseName($0, of: pipeline) }
  return try moveReleases(invocation, session) { releases in
    let due = try releases.rollbackDue(pipeline: pipeline, release: release)
    let way =
      "\(pipeline) \(due.release) from revision \(due.withdrawn) "
      + (due.restored.map { "to revision \($0)" } ?? "to none, so that it is not published")
    guard try Confirmation.isGiven("Roll back \(way)?", invocation, session) else {
      return (json(due, of: pipeline) + ["dry_run": true], "would roll back \(way)\n", nil)
    }
    session.tell("rolling back \(way)")
    let done = try releases.rollBack(due, pipeline: pipeline)
    return (
      json(done, of: pipeline), text(done, of: pipeline), "\(pipeline) \(done.release) is rolled back"
    )
  }
}

private func json(_ change: RolledBack, of pipeline: String) -> JSON {
  [
    "pipeline": pipeline, "release": change.release, "withdrawn": change.withdrawn,
    "restored": change.restored, "unpinned": change.isUnpinned, "merged_to": change.mergedTo,
  ]
}

private func text(_ done: RolledBack, of pipeline: String) -> String {
  "\(pipeline) \(done.release) revision \(done.withdrawn) is withdrawn; "
    + (done.restored.map { "revision \($0) is back\n" } ?? "the release is not published\n")
    + (done.mergedTo.map { "what was merged into it until \($0) stays with it\n" } ?? "")
    + (done.isUnpinned
      ? "\(done.release) is not pinned any more: when it is published again, pin it with "
        + "'rivulet releases pin \(pipeline) \(done.release)'\n" : "")
}

private func pin(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let pipeline = invocation.arguments[0]
  let release = invocation.arguments.dropFirst().first.map { session.releaseName($0, of: pipeline) }
  guard (release == nil) == invocation.has("--clear") else {
    throw invocation.usage("name a release, or --clear, and not both")
  }
  return try moveReleases(invocation, session) { releases in
    try releases.pin(pipeline: pipeline, release: release)
    return (
      ["pipeline": pipeline, "pinned": release],
      release.map { "\(pipeline): \($0) is current until further notice\n" }
        ?? "\(pipeline): the calendar decides which release is current\n",
      release.map { "\(pipeline) \($0) is pinned" } ?? "the pin of \(pipeline) is taken off"
    )
  }
}

extension ReleaseRow: JSONConvertible {
  /// A revision of a release.
  public var json: JSON {
    [
      "pipeline": pipeline, "release": release, "revision": revision, "state": state, "current": isCurrent,
      "pinned": isPinned, "effective_from": effectiveFrom, "effective_to": effectiveTo,
      "published_at": publishedAt, "run": run, "rows": rows, "merges": merges, "merged_to": mergedTo,
      "synthetic": isSynthetic, "partial": !missing.isEmpty, "missing": missing,
    ]
  }
}

private func text(_ rows: [ReleaseRow]) -> ConsoleText {
  TextTable(
    [
      "pipeline", "release", .right("revision"), .state("state"), "current", "effective", .right("rows"),
      .right("run"), "merged to", "marks",
    ],
    rows.map { row in
      [
        row.pipeline, row.release, "\(row.revision)", row.state,
        row.isPinned ? "pinned" : row.isCurrent ? "yes" : "",
        [row.effectiveFrom, row.effectiveTo].compactMap(\.self).joined(separator: " to "), row.rows.grouped,
        "\(row.run)", row.mergedTo,
        [row.isSynthetic ? "synthetic" : nil, row.missing.isEmpty ? nil : "partial"].compactMap(\.self)
          .joined(separator: ", "),
      ]
    }
  ).text(orIfEmpty: "no release is loaded; load one with 'rivulet run PIPELINE SOURCE'\n")
}
