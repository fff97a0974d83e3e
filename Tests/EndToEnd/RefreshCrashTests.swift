import Foundation
import PostgreSQL
import TestSupport
import Testing

/// Whatever ends a refresh, and whenever: each view is as it was or as it should be, and the next refresh is
/// exact.
@Suite("A refresh that is killed")
struct RefreshCrashTests {
  /// Kills refreshes, or crashes the server; looks at what each leaves, and refreshes once more after a change.
  private func kill(_ notes: Notes, times: Int, hitting least: Int, on server: CrashingServer? = nil) throws {
    func copy() throws -> TestDatabase {
      try server?.makeDatabase(from: notes.database) ?? TestServer.shared.makeDatabase(from: notes.database)
    }
    let old = try Notes.content(of: notes.database)
    let waiting = try Notes.pending(in: notes.database)
    // Undisturbed once, to know what is new and how long it takes.
    let reference = try copy()
    var moments = try RandomMoments { try notes.refresh(reference).succeeded() }
    let new = try Notes.content(of: reference)
    try reference.drop()
    for (view, rows) in new { #expect(rows != old[view], "\(view) does not change") }
    var done = 0
    try moments.kill("`refresh` of two views", times: times, hitting: least, crashing: server) { _ in
      try copy()
    } start: { trial, database in
      try notes.start(database, trial % 5 == 0 ? ["--full"] : [])
    } check: { trial, database, what in
      try Notes.awaitSilence(in: database)
      let content = try Notes.content(of: database)
      let torn = content.filter { view, rows in rows != old[view] && rows != new[view] }
      #expect(torn.isEmpty, "\(what): \(torn.keys) are neither old nor new")
      // What waits goes in the transaction that computes it, and what is computed waits for who reads it.
      let (read, reader) = (content["own.by_owner"] == new["own.by_owner"], content == new)
      #expect(read || content == old, "\(what): what reads is new before what it reads")
      let pending = try Notes.pending(in: database)
      #expect(pending["own.by_owner"] == (read ? 0 : waiting["own.by_owner"]), "\(what)")
      #expect((pending["own.by_share"] ?? 0 > 0) == (read && !reader), "\(what)")
      if reader { done += 1 }
      try database.connect().execute(
        "UPDATE own.note SET amount = amount + 7 WHERE id = \(trial); DELETE FROM own.note WHERE id = \(trial + 500)"
      )
      let again = try notes.refresh(database)
      #expect(again.status == 0, "\(what): \(again.errors)")
      let wrong = try Notes.wrong(in: database)
      #expect(wrong == [], "\(what)")
      #expect(try Notes.pending(in: database).values.allSatisfy { $0 == 0 }, "\(what)")
      return torn.count + wrong.count
    }
    #expect(server != nil || done < times, "none came before the end")
  }

  @Test("at fifty random moments leaves each view old or new, and loses no change")
  func randomMoments() throws { try kill(Notes(rows: 90_000), times: 50, hitting: 30) }

  @Test("by a crash of its server leaves each view old or new, and the next is exact")
  func serverCrashes() throws {
    let server = try CrashingServer()
    try kill(Notes(rows: 60_000, in: server.makeDatabase()), times: 8, hitting: 3, on: server)
  }

  @Test(
    "by a signal in the middle of a view ends at once, leaves all as it was, and gives its lock up to the next",
    arguments: [SIGINT, SIGTERM, SIGKILL])
  func interrupted(signal: Int32) throws {
    let notes = try Notes(rows: 2000)
    let database = notes.database
    let old = try Notes.content(of: database)
    let waiting = try Notes.pending(in: database)
    let holder = try database.connect()
    try holder.execute("SELECT pg_advisory_lock(4711)")
    let victim = try notes.start(database)
    try #require(try database.findsWaiter(forLock: 4711))
    try notes.refresh(database, ["own.by_owner"]).failed(4)
    let asked = Date.now
    victim.signal(signal)
    try victim.wait().failed(signal == SIGKILL ? 128 + SIGKILL : 130)
    #expect(Date.now.timeIntervalSince(asked) < 40)
    try Notes.awaitSilence(in: database, but: holder.backendID)
    #expect(try Notes.content(of: database) == old)
    #expect(try Notes.pending(in: database) == waiting)
    try holder.execute("SELECT pg_advisory_unlock(4711)")
    try notes.refresh(database).succeeded()
    #expect(try Notes.wrong(in: database) == [])
  }
}
