import Foundation
import Testing

/// Random moments at which to kill a command that is run again and again: they follow how long it takes just
/// then, on this machine and beside whatever else that does.
public struct RandomMoments: Sendable {
  /// The moments lie within this many seconds of the start.
  private var window: Double
  /// How often the command was still running.
  private var hits = 0
  private var numbers: RandomNumbers

  /// Moments within the time that the command takes undisturbed, which is run for that.
  public init(within command: () throws -> Void) rethrows {
    let started = Date.now
    try command()
    window = Date.now.timeIntervalSince(started)
    numbers = RandomNumbers(seed: Seed.announced("random moments within \(window) s"))
  }

  /// Starts the command so many times, each time in a database that is made for it and dropped at the end, and
  /// kills it, or crashes the server that is named, at a random moment. Looks at what is left by `check`, with
  /// words for a failure, which gives how much was lost; and that it was at work still at least so often.
  ///
  /// `place`: what the command is, for ``Reliability``.
  public mutating func kill(
    _ place: String, times: Int, hitting least: Int, crashing server: CrashingServer? = nil,
    in database: (_ trial: Int) throws -> TestDatabase,
    start: (_ trial: Int, TestDatabase) throws -> Program.Started,
    check: (_ trial: Int, TestDatabase, _ what: String) throws -> Int
  ) throws {
    var lost = 0
    for trial in 1...times {
      let database = try database(trial)
      let victim = try start(trial, database)
      let moment = window * Double(numbers.below(1 << 30)) / Double(1 << 30)
      usleep(UInt32(moment * 1e6))
      if let server {
        try server.crash()
        // Sometimes the command is over before the server is back, sometimes it gets on by itself.
        usleep(UInt32(numbers.below(300_000)))
        try server.start()
        let outcome = try victim.wait()
        note(isHit: outcome.status != 0 || outcome.noticesCrash, at: moment)
        #expect([0, 1].contains(outcome.status), "trial \(trial): \(outcome.errors)")
      } else {
        victim.signal(SIGKILL)
        note(isHit: try victim.wait().status == 128 + SIGKILL, at: moment)
      }
      lost += try check(trial, database, "trial \(trial), ended after \(moment) s")
      try database.drop()
    }
    Reliability.record(
      server == nil ? .kill : .crash, "\(place), at random moments", times: hits, lost: lost)
    #expect(hits >= least, "only \(hits) of \(times) hit")
  }

  private mutating func note(isHit: Bool, at moment: Double) {
    if isHit {
      hits += 1
      window *= 1.03
    } else {
      window = max(moment, window * 0.7)
    }
  }
}
