import Definitions
import Host
import MigrationEngine
import PipelineCore
import Values

let migrateVerifyCommand = Command(
  name: "verify",
  summary: "Proves on a shadow database that every migration can be reverted and applied again",
  discussion: """
    Each migration is applied, reverted and applied again, and the whole schema is compared after each step. Then the
    migrations of each dataset, with those of the datasets that it needs, are applied and reverted alone. Needs no
    database: a throw-away server is made for it and removed afterwards. A folder that is run in several schemas is
    tried in one; of several folders each after those before it.
    """,
  options: [
    Option("--to", value: "VERSION", "stop after this version"),
    Option("--here", "use a shadow database beside the named one instead, in the same server"),
  ] + MigrationSession.schemaOptions + MigrationSession.folderOptions,
  examples: ["rivulet migrate verify", "rivulet migrate verify --here --format json"],
  run: { try migrateVerify($0, $1) })

private func migrateVerify(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let all = try MigrationSession.all(invocation, session)
  _ = try MigrationSession.goal(invocation, of: all)
  let place: ShadowPlace = invocation.has("--here") ? .beside(try session.connect()) : .embedded
  var documents: [JSON] = []
  var isPassed = true
  for migrations in all {
    if let label = migrations.label, !session.isJSON { try Output.out("\(label):\n") }
    let verification = try verify(migrations, place, invocation, session)
    documents.append(verification.json)
    isPassed = isPassed && verification.isPassed
    if !session.isJSON { try Output.out(verification.summary) }
  }
  if session.isJSON {
    let folders: JSON = ["folders": JSON.array(documents), "passed": isPassed]
    try session.answer(json: all.count == 1 ? documents[0] : folders, text: "")
  }
  return isPassed ? ExitCode.done : ExitCode.failed
}

/// What trying one folder has brought.
private struct Verification {
  let json: JSON
  let summary: String
  let isPassed: Bool
}

private func verify(
  _ migrations: MigrationSession, _ place: ShadowPlace, _ invocation: Invocation, _ session: Session
) throws -> Verification {
  let folder = migrations.inShadow.first?.folder ?? migrations.folder
  var verifier = MigrationVerifier(folder: folder.using(nil), place: place)
  verifier.tell = { session.tell($0) }
  verifier.datasets = try migrations.datasets
  verifier.earlier = try migrations.earlier.flatMap(\.inShadow).map { $0.folder.using(nil) }
  var done: [VerifiedMigration] = []
  var alone: [VerifiedDataset] = []
  let isPassed = try verifier.run(
    to: invocation["--to"],
    reportDataset: { verified in
      alone.append(verified)
      if !session.isJSON { try Output.out(text(verified)) }
    },
    { verified in
      done.append(verified)
      // A line as each is done: there may be hundreds.
      if !session.isJSON { try Output.out(text(verified)) }
    })
  let history: JSON = migrations.label == nil ? [:] : ["history": migrations.folder.history]
  return Verification(
    json: history + json(done, alone, isPassed), summary: summary(done, alone, isPassed), isPassed: isPassed)
}

extension MigrationSession {
  /// What is tried alone: the datasets of a project of which some migrations are for some datasets only.
  fileprivate var datasets: [VerifiedDataset] {
    get throws {
      guard let project, folder.hasDatasets else { return [] }
      return try project.datasetsWithNeeds().map { VerifiedDataset(name: $0.name, using: $0.used) }
    }
  }
}

private func json(_ done: [VerifiedMigration], _ alone: [VerifiedDataset], _ isPassed: Bool) -> JSON {
  ["migrations": done.map(json), "datasets": alone.map(json), "passed": isPassed]
}

private func json(_ verified: VerifiedDataset) -> JSON {
  [
    "dataset": verified.name, "used": JSON.array(of: verified.used) { .string($0) },
    "migrations": verified.count, "failure": verified.failure.map { JSON.string($0) } ?? .null,
    "seconds": JSON.seconds(verified.seconds),
  ]
}

private func text(_ verified: VerifiedDataset) -> String {
  let needs = verified.used.filter { $0 != verified.name }
  let label =
    "dataset \(verified.name)" + (needs.isEmpty ? " alone" : " with \(needs.joined(separator: ", "))")
  guard let failure = verified.failure else { return "\(label), \(verified.count) migrations: ok\n" }
  return "\(label): failed\n  " + failure.split(separator: "\n").joined(separator: "\n  ") + "\n"
}

private func json(_ verified: VerifiedMigration) -> JSON {
  [
    "version": verified.migration.version, "name": verified.migration.name,
    "kind": verified.migration.kind.rawValue, "result": verified.result.rawValue,
    "differences": verified.differences, "warnings": verified.warnings,
    "seconds": JSON.seconds(verified.seconds),
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
  let warnings = verified.warnings.map { "  warning: \($0)\n" }
  return "\(verified.label): \(word)\n" + (lines + warnings).joined()
}

private func summary(_ done: [VerifiedMigration], _ alone: [VerifiedDataset], _ isPassed: Bool) -> String {
  let failed = alone.filter { !$0.isPassed }.map(\.name)
  if !failed.isEmpty { return "these do not do without other datasets: \(failed.joined(separator: ", "))\n" }
  let wrong = done.count { !$0.isPassed }
  let count = "\(done.count) migration\(done.count == 1 ? "" : "s")"
  let losing = done.count { !$0.warnings.isEmpty }
  let warned = losing == 0 ? "" : ", \(losing) of them with a way back that does not bring rows back"
  return isPassed ? "\(count) verified\(warned)\n" : "\(wrong) of \(count) not as they should be\n"
}
