import PipelineCore
import Progress
import Values

/// What a line of the log is about, for programs that read it.
struct LogSubject: Sendable {
  /// The pipeline; nil where it is about none, or about several.
  var pipeline: String?
  /// The run's number in the ledger; nil where it is about none.
  var run: Int?
  /// The stage that the run, or another task, was in.
  var stage: String?

  /// The members of a line, those that are known.
  var json: JSON {
    let members: [(String, (any JSONConvertible)?)] = [
      ("pipeline", pipeline), ("run", run), ("stage", stage),
    ]
    return .object(members.compactMap { name, value in value.map { (name, $0.json) } })
  }
}

extension LogSubject {
  /// A run that has ended.
  init(_ report: RunReport) {
    self.init(
      pipeline: report.pipeline, run: report.run, stage: report.state.isEnd ? nil : report.stages.last?.stage)
  }

  /// The run that an error has ended; nil where it is none of a run.
  init?(_ error: any Error) {
    guard let report = (error as? RunFailure)?.report else { return nil }
    self.init(pipeline: report.pipeline, run: report.run, stage: report.stages.last?.stage)
  }

  /// The task at work, of a pipeline; of several tasks at once none is meant.
  init(pipeline: String?, _ state: WorkState?) {
    let task = state.flatMap { $0.tasks.count == 1 ? $0.tasks.first : nil }
    self.init(pipeline: pipeline, run: task?.run, stage: task?.stages.last?.name)
  }
}

extension RunState {
  /// It has come to its end, and no stage is at work or was cut short.
  fileprivate var isEnd: Bool { ![.running, .refused, .failed, .interrupted].contains(self) }
}
