import Catalog
import Definitions
import Host
import PipelineCore
import PipelineEngine
import PostgreSQL
import Store
import ViewEngine

/// The night's work, step by step; what fails in one step is recorded, and the next one begins.
final class NightlyJob {
  let invocation: Invocation
  let session: Session
  let project: Project
  var summary = NightlySummary()
  /// The archives that publishers gave tonight, by pipeline.
  var fetchedFiles: [String: [String]] = [:]
  private var pipelines: [String: Pipeline] = [:]

  init(_ invocation: Invocation, _ session: Session) throws {
    self.invocation = invocation
    self.session = session
    project = try session.project()
  }

  /// Does it all. Throws ``NightlyLock/Busy`` where another is at work, and nothing else.
  func run() throws -> NightlySummary {
    let started = Machine.seconds
    summary.startedAt = Machine.time
    if let (target, lock) = try database() {
      readPipelines()
      for (step, body) in steps {
        if Interruption.shared.isRaised { summary.isCutShort = true }
        if summary.isCutShort { break }
        session.work(on: nil)
        attempt(step) {
          try lock.hold()
          try body(target)
        }
      }
    }
    summary.seconds = Machine.seconds - started
    return summary
  }

  private var steps: [(NightlySummary.Step, (ConnectionTarget) throws -> Void)] {
    [
      (.fetch, fetchReleases), (.runs, loadNewFiles), (.views, refreshViews), (.retention, removeOld),
      (.freshness, checkReleases),
      (.views, checkViews), (.schema, checkSchema),
    ]
  }

  /// Does something, and notes why it failed where it does.
  func attempt(_ step: NightlySummary.Step, _ body: () throws -> Void) {
    do { try body() } catch { note(error, in: step) }
  }

  /// Records that something failed; `subject` is put before what the summary says of it, and `code` is in the
  /// place of the error's own.
  func note(
    _ error: any Error, in step: NightlySummary.Step, about subject: String? = nil, code: Int32? = nil
  ) {
    guard !Interruption.shared.isRaised else {
      summary.isCutShort = true
      return
    }
    let failure = Failure(session.explaining(error))
    session.warn(
      "\(step.rawValue): \(failure.sentence)" + (failure.unsaidHint.map { "\n  \($0)" } ?? ""),
      about: failure.subject)
    let message = DiscreetReason.text(error) ?? failure.sentence
    let isNamed = subject.map(message.contains) ?? true
    report(step, code ?? failure.code, (isNamed ? "" : "\(subject ?? ""): ") + message)
  }

  /// Records that something is not as it should be.
  func report(_ step: NightlySummary.Step, _ code: Int32, _ message: String) {
    summary.problems.append(NightlySummary.Problem(step: step, code: code, message: message))
  }

  /// Where everything is done, with the schema of the program, and the lock; nil where that cannot be had.
  private func database() throws -> (ConnectionTarget, NightlyLock)? {
    do {
      let target = try session.target()
      let lock = try NightlyLock(on: target, session)
      try Catalog.prepare(try session.connect(to: target))
      return (target, lock)
    } catch let error as NightlyLock.Busy {
      throw error
    } catch {
      note(error, in: .database)
      return nil
    }
  }

  // MARK: Definitions

  /// The pipelines that can be read; what is wrong with the others concerns only them.
  private func readPipelines() {
    attempt(.runs) {
      let names = try project.pipelineNames
      defer { for name in names { pipelines[name] = try? project.pipeline(named: name) } }
      _ = try project.pipelines()
    }
  }

  /// A pipeline by its name, if its definition can be read.
  func pipeline(_ name: String) -> Pipeline? { pipelines[name] }

  /// The pipelines that can be read, by name.
  var readablePipelines: [Pipeline] { pipelines.sorted { $0.key < $1.key }.map(\.value) }
}
