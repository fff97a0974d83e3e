import PipelineCore
import PipelineEngine
import Store
import Values
import ViewEngine

/// What a night brought: written at its end, and sent to who is to be found. It quotes nothing of the data.
struct NightlySummary {
  /// What is done one after the other. The raw values are those of the document.
  enum Step: String {
    case database
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
    .object([
      ("started_at", .string(startedAt)), ("seconds", .seconds(seconds)),
      ("runs", .array(runs.map { rivulet.json($0) })),
      (
        "waiting",
        .array(
          waiting.map {
            .object([
              ("pipeline", .string($0.pipeline)), ("file", .string($0.file)), ("reason", .string($0.reason)),
            ])
          })
      ), ("views", RefreshAnswer(refreshes: views).json), ("retention", retention),
      ("freshness", .array(freshness.map(json))),
      (
        "problems",
        .array(
          problems.map {
            .object([
              ("step", .string($0.step.rawValue)), ("code", .integer(Int($0.code))),
              ("message", .string($0.message)),
            ])
          })
      ), ("exit_code", .integer(Int(exitCode))),
    ])
  }

  private var retention: JSON {
    let dropped = revisions.filter { $0.leftBecause == nil }.map(\.removed)
    let all = [removedRuns, removedRejects] + dropped
    return .object([
      ("runs", .integer(removedRuns.count)), ("rejects", .integer(removedRejects.count)),
      ("revisions", .array(revisions.filter { $0.leftBecause == nil }.map(json))),
      ("left", .array(revisions.filter { $0.leftBecause != nil }.map(json))),
      ("rows", .integer(all.reduce(0) { $0 + $1.rows })),
      ("bytes", .integer(all.reduce(0) { $0 + $1.bytes })),
    ])
  }

  private func json(_ expired: ExpiredRevision) -> JSON {
    .object(
      [
        ("pipeline", .string(expired.pipeline)), ("release", .string(expired.release)),
        ("revision", .integer(expired.revision)),
      ]
        + (expired.leftBecause.map { [("reason", .string($0))] } ?? [
          ("rows", .integer(expired.removed.rows)), ("bytes", .integer(expired.removed.bytes)),
        ]))
  }

  private func json(_ dataset: Freshness) -> JSON {
    .object([
      ("dataset", .string(dataset.dataset)), ("release", JSON(dataset.release)),
      ("age_days", JSON(dataset.ageInDays)), ("limit_days", .integer(dataset.limitInDays)),
      ("ok", .bool(dataset.isMet)),
    ])
  }
}
