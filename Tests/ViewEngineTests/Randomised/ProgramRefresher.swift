import Foundation
import Host
import TestSupport
import Testing

/// One who calls the program every second to refresh the views of a project, while others write.
struct ProgramRefresher: Sendable {
  /// What became of its calls.
  struct Tally: Sendable {
    /// Calls that ended by themselves.
    var calls = 0
    /// Of these, such that left a view as it was since another session stood in the way.
    var conflicts = 0
    /// Calls that were killed at work.
    var kills = 0
    /// Views that were refreshed by what had changed, in all calls.
    var incremental = 0
    /// Views that were computed as a whole, in all calls.
    var full = 0
  }

  let database: TestDatabase
  /// The folder of the project.
  let project: String
  /// A call is killed every five seconds.
  let isKilled: Bool

  /// Calls it until a moment of `Machine.seconds`.
  func start(until end: Double, seed: UInt64, counting tally: Shared<Tally>) -> Background {
    Background {
      var random = RandomNumbers(seed: seed)
      // So long the last one took that was not killed, in seconds.
      var length = 0.3
      var number = 0
      let beginning = Machine.seconds
      var kill = beginning
      while Machine.seconds < end {
        let started = Machine.seconds
        let call = try Program(database: database.url).start(
          ["refresh", "--lock-wait", "600", "--format", "json", "--project", project])
        if isKilled && started >= kill {
          kill = started + 5
          Machine.sleep(seconds: length * Double(random.below(1_000)) / 1_000)
          call.signal(SIGKILL)
          let outcome = try call.wait()
          if outcome.status == 128 + SIGKILL { tally.change { $0.kills += 1 } }
        } else {
          let outcome = try call.wait()
          length = Machine.seconds - started
          try tally.change { try $0.count(outcome) }
        }
        number += 1
        Machine.sleep(seconds: max(0, beginning + Double(number) - Machine.seconds))
      }
    }
  }
}

extension ProgramRefresher.Tally {
  fileprivate mutating func count(_ outcome: Program.Outcome) throws {
    let views = try #require(try outcome.object()["views"] as? [[String: Any]], "\(outcome.errors)")
    calls += 1
    if outcome.status != 0 { conflicts += 1 }
    for view in views {
      if view["outcome"] as? String == "failed" {
        let error = try #require(view["error"] as? [String: Any])
        let state = error["sqlstate"] as? String ?? ""
        try #require(error["code"] as? Int == 4 || RandomSession.isConflict(state), "\(outcome.errors)")
      }
      if view["kind"] as? String == "incremental" { incremental += 1 }
      if view["kind"] as? String == "full" { full += 1 }
    }
  }
}
