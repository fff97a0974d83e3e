import Foundation
import Glibc
import PostgreSQL
import TestSupport
import Testing

/// Whatever is killed, and whenever: it is done as a whole or not at all, or the same command goes on with it.
@Suite("A command that is killed")
struct CommandCrashTests {
  /// What a command changes: what is there before it and after it.
  private typealias Change = (before: [String], after: [String])

  private func undisturbed(_ command: KilledCommand, in database: TestDatabase) throws -> Change {
    let before = try command.content(of: database)
    try command.start(in: database).wait().succeeded()
    try Notes.awaitSilence(in: database)
    let after = try command.content(of: database)
    try #require(try before != after && command.leftovers(in: database) == [], "\(command.kind): \(after)")
    return (before, after)
  }

  /// Looks at what a command has left, gives it again, and looks at what is there then; gives in how much it
  /// differs from what an undisturbed one leaves.
  ///
  /// `isDone`: the command has said so.
  private func expectExact(
    _ command: KilledCommand, _ database: TestDatabase, _ change: Change, isDone: Bool = false, _ what: String
  ) throws -> Int {
    try Notes.awaitSilence(in: database)
    var found = try command.content(of: database)
    if isDone { #expect(found == change.after, "\(what): ended with 0") }
    if command.isOneTransaction && found != change.after {
      #expect(found == change.before, "\(what): it is half done")
    }
    if !command.isOneTransaction || found != change.after {
      let again = try command.start(in: database).wait()
      #expect(again.status == 0, "\(what): \(again.errors)\(again.output)")
      found = try command.content(of: database)
    }
    found += try command.leftovers(in: database)
    let lost = Set(found).symmetricDifference(change.after)
    #expect(lost == [], "\(what): \(lost.sorted())")
    return lost.count
  }

  @Test(
    "at ten random moments, or where it writes, loses nothing and is made good by the same command",
    arguments: KilledCommand.Kind.allCases)
  func killed(_ kind: KilledCommand.Kind) throws {
    let command = try KilledCommand(kind, in: TestServer.shared.makeDatabase())
    func copy() throws -> TestDatabase { try TestServer.shared.makeDatabase(from: command.database) }
    let reference = try copy()
    let change = try undisturbed(command, in: reference)
    try reference.drop()
    let timed = try copy()
    var moments = try RandomMoments { try command.start(in: timed).wait().succeeded() }
    try timed.drop()
    try moments.kill(kind.rawValue, times: 10, hitting: 3) { _ in
      try copy()
    } start: { _, database in
      try command.start(in: database)
    } check: { _, database, what in
      try expectExact(command, database, change, what)
    }
    for place in command.places {
      let database = try copy()
      try kill(command, in: database, at: place)
      let lost = try expectExact(command, database, change, place)
      Reliability.record(.kill, "\(kind.rawValue), where it writes", lost: lost)
      try database.drop()
    }
  }

  /// Kills a command at a place; nothing of what stopped it there is left.
  private func kill(_ command: KilledCommand, in database: TestDatabase, at place: String) throws {
    let barrier = try Barrier(in: database, at: place)
    let victim = try command.start(in: database)
    #expect(try barrier.isReached(), "\(command.kind): \(place) was never reached")
    victim.signal(SIGKILL)
    #expect(try victim.wait().status == 128 + SIGKILL)
    try barrier.remove()
  }

  @Test(
    "by ten stops of their server at random moments, all at once, loses nothing and goes on by itself or is made good"
  )
  func serverStops() throws {
    // What has ended with 0 is there where the server waits for its log, as it does unless it is set not to.
    let server = try CrashingServer(settings: ["synchronous_commit": "on"])
    let commands = try KilledCommand.Kind.allCases.map {
      try KilledCommand($0, in: server.makeDatabase())
    }
    func copies() throws -> [(KilledCommand, TestDatabase)] {
      try commands.map { ($0, try server.makeDatabase(from: $0.database)) }
    }
    let began = Date.now
    let changes = try copies().map { command, database in
      let change = try undisturbed(command, in: database)
      try database.drop()
      return change
    }
    // They take less at once than one after the other; it follows how many are still at work then.
    var window = Date.now.timeIntervalSince(began) / 6
    var numbers = RandomNumbers(seed: Seed.announced("stops of the server within \(window) s"))
    var (hits, lost): ([KilledCommand.Kind: Int], [KilledCommand.Kind: Int]) = ([:], [:])
    for trial in 1...10 {
      let databases = try copies()
      // What is copied of a sequence that was asked before is not in the log until the next checkpoint.
      try databases[0].1.connect().execute("CHECKPOINT")
      let started = try databases.map { command, database in try command.start(in: database) }
      usleep(UInt32(window * 1e6 * Double(numbers.below(1_000)) / 1_000))
      try server.crash()
      usleep(UInt32(numbers.below(300_000)))
      try server.start()
      var found = 0
      for (index, victim) in started.enumerated() {
        let ((command, database), outcome) = (databases[index], try victim.wait())
        let kind = command.kind
        #expect([0, 1].contains(outcome.status), "\(kind): \(outcome.errors)")
        let isNoticed = outcome.errors.contains("lost") || outcome.errors.contains("trying again")
        if outcome.status != 0 || isNoticed {
          hits[kind, default: 0] += 1
          found += 1
        }
        lost[kind, default: 0] += try expectExact(
          command, database, changes[index], isDone: outcome.status == 0, "trial \(trial), \(kind)")
        try database.drop()
      }
      window *= found < 3 ? 0.6 : 1.1
    }
    #expect(hits.values.reduce(0, +) >= 15, "only \(hits) hit")
    for kind in KilledCommand.Kind.allCases {
      Reliability.record(
        .crash, "\(kind.rawValue), at random moments", times: hits[kind] ?? 0, lost: lost[kind] ?? 0)
    }
  }
}
