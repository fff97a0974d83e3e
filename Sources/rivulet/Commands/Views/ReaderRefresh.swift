import Definitions
import Host
import PipelineCore
import PipelineEngine
import PostgreSQL
import Reporting
import Values
import ViewEngine

/// What follows a change of what is published: the stored views that read it are refreshed.
///
/// The change stays whatever becomes of them.
struct ReaderRefresh {
  static let option = Option(
    "--no-refresh", "leave the views that read it behind, for 'rivulet refresh' to bring up to date")

  /// What became of the views; nothing where none waited for it.
  private(set) var answer = RefreshAnswer()
  /// What the change was, as the start of a sentence: `cms-rvu 2025D is published`.
  private let change: String

  /// - Parameters:
  ///   - pipeline: whose releases have moved; nil where none have.
  ///   - change: what has happened, as the start of a sentence.
  ///   - connection: one to the same database, which may have been lost meanwhile.
  ///   - invocation: what was asked for, with ``option`` or without.
  ///   - session: the program's.
  init(
    of pipeline: Pipeline?, after change: String, on connection: Connection, _ invocation: Invocation,
    _ session: Session
  ) {
    self.change = change
    guard let pipeline else { return }
    do {
      let tables = pipeline.targets + [pipeline.listTable, "rivulet.release"].compactMap(\.self)
      let connection = connection.isLost ? try connection.another() : connection
      let waiting = try ViewEngine.waiting(for: tables, on: connection)
      if waiting.isEmpty { return }
      if invocation.has("--no-refresh") || Interruption.shared.isRaised {
        let names = waiting.joined(separator: ", ")
        session.tell("left behind: \(names). 'rivulet refresh' brings up to date what reads \(pipeline.name)")
        if Interruption.shared.isRaised { answer.end = Interrupted() }
        return
      }
      let request = RefreshRequest(.readers(of: tables), lockWait: try session.refreshWait())
      answer = RefreshAnswer(
        refreshing: request, by: ViewEngine(try session.project().views()), on: connection, session
      )
    } catch {
      answer.end = error
    }
  }

  /// Nil where the views are as they should be.
  var failure: Failure? {
    guard var failure = answer.failure else { return nil }
    if failure.code != ExitCode.interrupted { failure.code = ExitCode.failed }
    failure.message = "\(change), and stays so; but \(failure.message)"
    return failure
  }

  /// What it adds to the stages of a run; nothing where no view waited.
  var stages: [StageReport] {
    answer.refreshes.isEmpty && answer.end == nil
      ? [] : [StageReport(stage: "refresh", seconds: answer.seconds, records: nil)]
  }

  /// The lines below a text that reports the change; empty where no view waited.
  var text: ConsoleText {
    answer.refreshes.isEmpty ? "" : "\nrefresh, \(JSON.seconds(answer.seconds).text) s\n\n" + answer.text
  }

  /// Answers with what was done and what became of the views; throws where one could not be refreshed.
  func tell(_ document: JSON, text: ConsoleText, _ session: Session) throws {
    if let failure { try session.fail(failure, json: document, text: text + self.text) }
    try session.answer(json: document, text: text + self.text)
  }
}
