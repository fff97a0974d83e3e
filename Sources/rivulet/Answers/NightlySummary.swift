import PipelineCore
import PipelineEngine
import Store
import Values
import ViewEngine

/// What a night brought: written at its end, and sent to who is to be found. It quotes nothing of the data.
struct NightlySummary {
  /// What is done one after the other. The raw values are those of the document.
  enum Step: String, CaseIterable {
    case database
    case fetch
    case runs
    case views
    case retention
    case freshness
    case schema
  }

  /// Something that is not as it should be.
  struct Problem {
    let step: Step
    let code: Int32
    let message: String
  }

  /// A release that a publisher lists and that is newer than what is here.
  struct Fetched {
    /// What became of it.
    enum State: String {
      /// Its archive came.
      case fetched
      /// Its archive is what came another night.
      case unchanged
      /// Its archive is not there yet.
      case notPublished = "not_published"
    }

    let pipeline: String
    let release: String
    let state: State
    /// Where the archive was put.
    var file: String?
    var bytes: Int?
  }

  /// A file that was left for another time.
  struct Waiting {
    let pipeline: String
    let file: String
    let reason: String
  }

  /// A dataset that has a limit.
  struct Freshness {
    let dataset: String
    /// Its current release; nil where it has none.
    let release: String?
    let ageInDays: Int?
    let limitInDays: Int
    var isMet: Bool { ageInDays.map { $0 <= limitInDays } ?? false }
  }

  /// When it began, ISO 8601.
  var startedAt = ""
  /// Wall-clock.
  var seconds = 0.0
  var fetched: [Fetched] = []
  var runs: [RunReport] = []
  var waiting: [Waiting] = []
  var views: [ViewRefresh] = []
  var removedRuns = Removed()
  var removedRejects = Removed()
  var revisions: [ExpiredRevision] = []
  var freshness: [Freshness] = []
  var problems: [Problem] = []
  /// The program was asked to end before it was done.
  var isCutShort = false

  /// The codes that problems have, the most serious first: what failed, what is wrong with a definition, what
  /// was refused, what is not there, what others held, what is out of step.
  static let severity = [
    ExitCode.failed, ExitCode.usage, ExitCode.refused, ExitCode.missingSource, ExitCode.busy,
    ExitCode.outOfStep,
  ]

  /// That of the most serious problem, or 130.
  var exitCode: Int32 {
    if isCutShort { return ExitCode.interrupted }
    return NightlySummary.severity.first { code in problems.contains { $0.code == code } } ?? ExitCode.done
  }
}

extension NightlySummary {
  var json: JSON {
    [
      "started_at": startedAt, "seconds": JSON.seconds(seconds),
      "fetched": JSON.array(of: fetched) {
        [
          "pipeline": $0.pipeline, "release": $0.release, "state": $0.state.rawValue, "file": $0.file,
          "bytes": $0.bytes,
        ]
      },
      "runs": runs,
      "waiting": JSON.array(of: waiting) { ["pipeline": $0.pipeline, "file": $0.file, "reason": $0.reason] },
      "views": views, "retention": retention,
      "freshness": JSON.array(of: freshness) {
        [
          "dataset": $0.dataset, "release": $0.release, "age_days": $0.ageInDays,
          "limit_days": $0.limitInDays,
          "ok": $0.isMet,
        ]
      },
      "problems": JSON.array(of: problems) {
        ["step": $0.step.rawValue, "code": Int($0.code), "message": $0.message]
      },
      "exit_code": Int(exitCode),
    ]
  }

  private var retention: JSON {
    let dropped = revisions.filter { $0.leftBecause == nil }.map(\.removed)
    let all = [removedRuns, removedRejects] + dropped
    return [
      "runs": removedRuns.count, "rejects": removedRejects.count,
      "revisions": revisions.filter { $0.leftBecause == nil }.map(json),
      "left": revisions.filter { $0.leftBecause != nil }.map(json), "rows": all.reduce(0) { $0 + $1.rows },
      "bytes": all.reduce(0) { $0 + $1.bytes },
    ]
  }

  private func json(_ expired: ExpiredRevision) -> JSON {
    let revision: JSON = [
      "pipeline": expired.pipeline, "release": expired.release, "revision": expired.revision,
    ]
    if let reason = expired.leftBecause { return revision + ["reason": reason] }
    return revision + ["rows": expired.removed.rows, "bytes": expired.removed.bytes]
  }
}
