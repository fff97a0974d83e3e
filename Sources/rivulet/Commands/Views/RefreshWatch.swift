import Catalog
import Host
import PostgreSQL
import Reporting
import Values
import ViewEngine

/// `refresh --watch`: keeps views up to date as what they read changes, until the program is asked to end.
///
/// A lost connection is made again, however long that takes. What is wrong at the start ends it, so that a
/// mistake is found.
final class RefreshWatch {
  static let options = [
    Option("--watch", "go on until ended: keep the views up to date as what they read changes"),
    Option("--pause", value: "SECONDS", "with --watch: so long changes are gathered (default 0.25)"),
  ]

  /// What is written meanwhile is computed together, in seconds.
  private static let usualPause = 0.25
  /// A line about what was done comes once in so many seconds at most.
  private static let summaryPause = 60.0

  private let session: Session
  private let watch: ViewWatch
  private let lockWait: Double
  private let started = Machine.seconds
  private var total = WatchSummary()
  /// Since the last line about what was done.
  private var recent = WatchSummary()
  private var lastSummary = Machine.seconds
  /// When it began on the connection at work, or on the last; nil until it has begun once.
  private var begunAt: Double?
  /// Why the connection is not there, as it was said last; nil while it is.
  private var problem: String?
  private var losses = 0

  /// Whether it is asked for; throws where other options say otherwise.
  static func isWanted(_ invocation: Invocation) throws -> Bool {
    guard invocation.has("--watch") else {
      if invocation.has("--pause") { throw invocation.usage("--pause belongs to --watch") }
      return false
    }
    let others = ["--full", "--stale", "--check", "--on", "--openlineage"]
    if let other = others.first(where: invocation.has) {
      throw invocation.usage("--watch and \(other) exclude each other")
    }
    return true
  }

  /// `reading`: reads the definitions that are asked for.
  init(_ invocation: Invocation, _ session: Session, reading: @escaping () throws -> ViewEngine) throws {
    self.session = session
    lockWait = try session.lockWait()
    let pause = try invocation.seconds("--pause", in: 0.05...60) ?? Self.usualPause
    watch = try ViewWatch(invocation.arguments, pause: pause, reading: reading)
  }

  /// Watches, and answers with what was done once the program is asked to end, which is no failure.
  func run() throws -> Int32 {
    let target = try session.target()
    let program = "rivulet refresh --watch, process \(Machine.process) on \(Machine.hostName)"
    var pauses = RetryPolicy.lasting.pauses()
    while !Interruption.shared.isRaised {
      let before = begunAt
      do {
        try watch.run(on: try session.connect(to: target), as: program, lockWait: lockWait, report: hear)
      } catch {
        if Interruption.shared.isRaised { break }
        guard let begunAt, Self.mayPass(error) else { throw error }
        // What fails at once again and again has longer and longer pauses.
        if begunAt != before {
          losses += 1
          if Machine.seconds - begunAt > Self.summaryPause { pauses = RetryPolicy.lasting.pauses() }
        }
        tell(error)
        try? Interruption.shared.sleep(seconds: pauses.next() ?? Self.summaryPause)
      }
    }
    let seconds = Machine.seconds - started
    try session.answer(
      json: total.json + ["connections_lost": losses, "seconds": JSON.seconds(seconds)],
      text: "ended after \(JSON.seconds(seconds).text) s: \(total.text)\n")
    return ExitCode.done
  }

  /// Whether the same may go well later, without anybody doing something to the program.
  private static func mayPass(_ error: any Error) -> Bool {
    !(error is Catalog.Problem) && !(error is RefreshError)
  }

  /// Says once why there is no connection.
  private func tell(_ error: any Error) {
    let reason = Failure(error).message
    if reason != problem { session.warn("\(reason); trying again until it is ended") }
    problem = reason
  }

  // MARK: Events

  private func hear(_ event: WatchEvent) {
    switch event {
    case .began(let views):
      let count = "\(views.grouped) view\(views == 1 ? "" : "s")"
      session.tell(begunAt == nil ? "watching \(count)" : "connected again: watching \(count)")
      (begunAt, problem) = (Machine.seconds, nil)
    case .refreshed(let refresh, let seconds):
      session.record.keep(refresh)
      session.detail(RefreshAnswer.line(refresh))
      total.add(refresh, seconds: seconds)
      recent.add(refresh, seconds: seconds)
    case .failed(let view, let error):
      let failure = Failure(error)
      session.warn(
        "\(view): failed; it is as it was: \(failure.message)" + (failure.unsaidHint.map { "; \($0)" } ?? ""))
    case .recovered(let view): session.tell("\(view): refreshed again")
    case .rested: tellSummary()
    }
  }

  private func tellSummary() {
    guard recent.refreshes > 0, Machine.seconds - lastSummary >= Self.summaryPause else { return }
    session.tell(recent.text)
    session.writeMetrics(exitCode: ExitCode.done)
    recent = WatchSummary()
    lastSummary = Machine.seconds
  }
}
