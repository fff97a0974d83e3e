import Host
import PostgreSQL
import Reporting
import Store

extension SetupCheck {
  /// Whether runs have ended without a word, and what they left.
  static let unfinishedRuns = SetupCheck(
    "unfinished-runs", .sessions,
    because:
      "what a run that was killed has staged takes room until the next run of the pipeline"
  ) { subject in
    try subject.readingLedger { connection in
      let runs = try Leftovers.runs(on: connection)
      let held = Set(try connection.holders(ofLocks: runs.map(\.lock)).filter { !$0.isWaiting }.map(\.lock))
      let (atWork, dead) = (runs.filter { held.contains($0.lock) }, runs.filter { !held.contains($0.lock) })
      let findings =
        atWork.filter(\.isRunning).map { Finding.note("run \($0.run) of \($0.pipeline) is at work") }
        + dead.map { run in
          let tables =
            run.tables == 0
            ? "" : " and left \(run.tables) staged tables (\(ProgressUnits.bytes(run.bytes)))"
          return .warning(
            "run \(run.run) of \(run.pipeline) ended\(run.isRunning ? " without a word" : "")\(tables)",
            fix: command(again: run))
        }
      return findings.isEmpty ? [.ok("every run has ended, and has left nothing")] : findings
    }
  }

  /// The next run of the pipeline removes what it finds: of the same source, as far as the ledger knows it.
  private static func command(again run: Leftovers.LeftRun) -> String {
    let folders = Set(run.files.map(Path.parent))
    // What came by standard input has no path.
    let file = run.files.count == 1 && run.files[0] != "standard input" ? run.files[0] : nil
    let source = file ?? (run.files.count > 1 && folders.count == 1 ? folders.first : nil)
    let release = run.release.map { " --release \($0.shellWord)" } ?? ""
    return "rivulet run \(run.pipeline) \(source?.shellWord ?? "SOURCE")\(release)"
  }
}
