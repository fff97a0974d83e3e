import Host
import MigrationEngine
import PipelineCore
import Values

let migrateVerifyCommand = Command(
  name: "verify",
  summary: "Proves on a shadow database that every migration can be reverted and applied again",
  discussion: """
    Each migration is applied, reverted and applied again, and the whole schema is compared after each step. Needs no
    database: a throw-away server is made for it and removed afterwards.
    """,
  options: [
    Option("--to", value: "VERSION", "stop after this version"),
    Option("--here", "use a shadow database beside the named one instead, in the same server"),
  ] + MigrationSession.folderOptions,
  examples: ["rivulet migrate verify", "rivulet migrate verify --here --format json"],
  run: { try migrateVerify($0, $1) })

private func migrateVerify(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let migrations = try MigrationSession(invocation, session)
  let place: ShadowPlace = invocation.has("--here") ? .beside(try session.connect()) : .embedded
  var verifier = MigrationVerifier(folder: migrations.folder, place: place)
  verifier.tell = { session.tell($0) }
  var done: [VerifiedMigration] = []
  let isPassed = try verifier.run(to: invocation["--to"]) { verified in
    done.append(verified)
    // A line as each is done: there may be hundreds.
    if !session.isJSON { try Output.out(text(verified)) }
  }
  try session.answer(json: json(done, isPassed), text: summary(done, isPassed))
  return isPassed ? ExitCode.done : ExitCode.failed
}

private func json(_ done: [VerifiedMigration], _ isPassed: Bool) -> JSON {
  ["migrations": done.map(json), "passed": isPassed]
}

private func json(_ verified: VerifiedMigration) -> JSON {
  [
    "version": verified.migration.version, "name": verified.migration.name,
    "kind": verified.migration.kind.rawValue, "result": verified.result.rawValue,
    "differences": verified.differences, "seconds": JSON.seconds(verified.seconds),
  ]
}

private func text(_ verified: VerifiedMigration) -> String {
  let word =
    switch verified.result {
    case .ok: verified.migration.kind == .versioned ? "up, down, up: ok" : "twice: ok"
    case .irreversible: "up: ok; it says that it cannot be reverted"
    case .differs: "differs"
    case .failed: "failed"
    }
  let lines = verified.differences.map { "  " + $0.split(separator: "\n").joined(separator: "\n  ") + "\n" }
  return "\(verified.label): \(word)\n" + lines.joined()
}

private func summary(_ done: [VerifiedMigration], _ isPassed: Bool) -> String {
  let wrong = done.count { !$0.isPassed }
  let count = "\(done.count) migration\(done.count == 1 ? "" : "s")"
  return isPassed ? "\(count) verified\n" : "\(wrong) of \(count) not as they should be\n"
}
