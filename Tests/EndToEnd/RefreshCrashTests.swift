import Foundation
import PostgreSQL
import TestSupport
import Testing

/// Whatever ends a refresh, and whenever: each view is as it was or as it should be, and the next refresh is
/// exact.
@Suite("A refresh that is killed", .serialized)
struct RefreshCrashTests {
  @Test("at fifty random moments leaves each view old or new, and loses no change")
  func randomMoments() throws {
    let notes = try Notes(rows: 90_000)
    let template = notes.database
    let old = try Notes.content(of: template)
    let waiting = try Notes.pending(in: template)
    // Undisturbed once, to know what is new and how long it takes.
    let copy = try TestServer.shared.makeDatabase(from: template)
    let started = Date.now
    #expect(try notes.refresh(copy).status == 0)
    var moments = RandomMoments(within: Date.now.timeIntervalSince(started))
    let new = try Notes.content(of: copy)
    try copy.drop()
    for (view, rows) in new { #expect(rows != old[view], "\(view) does not change") }
    var (done, half) = (0, 0)
    for trial in 1...50 {
      let database = try TestServer.shared.makeDatabase(from: template)
      let victim = try notes.start(database, trial % 5 == 0 ? ["--full"] : [])
      let moment = moments.next()
      usleep(UInt32(moment * 1e6))
      victim.signal(SIGKILL)
      moments.note(isHit: try victim.wait().status == 128 + SIGKILL, at: moment)
      try Notes.awaitSilence(in: database)
      let what = "trial \(trial), killed after \(moment) s"
      let content = try Notes.content(of: database)
      let pending = try Notes.pending(in: database)
      var isNew: [String: Bool] = [:]
      for (view, rows) in content {
        isNew[view] = rows == new[view]
        #expect(rows == old[view] || rows == new[view], "\(what): \(view) is neither old nor new")
      }
      try expectOwed(pending, isNew, waiting, what)
      if isNew.values.allSatisfy(\.self) { done += 1 } else if isNew.values.contains(true) { half += 1 }
      let change =
        "UPDATE own.note SET amount = amount + 7 WHERE id = \(trial); DELETE FROM own.note WHERE id = \(trial + 500)"
      try database.connect().execute(change)
      let again = try notes.refresh(database)
      #expect(again.status == 0, "\(what): \(again.errors)")
      #expect(try Notes.wrong(in: database) == [], "\(what)")
      #expect(try Notes.pending(in: database).values.allSatisfy { $0 == 0 }, "\(what)")
      try database.drop()
    }
    #expect(
      moments.hits >= 30,
      "only \(moments.hits) kills hit; after \(done) all was new, after \(half) one view was")
    #expect(done < 50, "no kill came before the end")
  }

  /// What waits goes in the transaction that computes it, and what is computed waits for who reads it.
  private func expectOwed(
    _ pending: [String: Int], _ isNew: [String: Bool], _ waiting: [String: Int], _ what: String
  ) throws {
    let (read, reader) = (isNew["own.by_owner"] == true, isNew["own.by_share"] == true)
    #expect(read || !reader, "\(what): what reads is new before what it reads")
    #expect(pending["own.by_owner"] == (read ? 0 : waiting["own.by_owner"]), "\(what)")
    #expect((pending["own.by_share"] ?? 0 > 0) == (read && !reader), "\(what)")
  }

  @Test("by a crash of its server leaves each view old or new, and the next is exact")
  func serverCrashes() throws {
    let server = try CrashingServer()
    let notes = try Notes(rows: 60_000, in: try server.makeDatabase())
    let template = notes.database
    let old = try Notes.content(of: template)
    let waiting = try Notes.pending(in: template)
    let copy = try server.makeDatabase(from: template)
    let started = Date.now
    #expect(try notes.refresh(copy).status == 0)
    var moments = RandomMoments(within: Date.now.timeIntervalSince(started))
    let new = try Notes.content(of: copy)
    for trial in 1...8 {
      let database = try server.makeDatabase(from: template)
      let victim = try notes.start(database)
      let moment = moments.next()
      usleep(UInt32(moment * 1e6))
      try server.crash()
      let outcome = try victim.wait()
      moments.note(isHit: outcome.status != 0, at: moment)
      #expect(
        outcome.status == 0 || outcome.status == 1, "trial \(trial): \(outcome.status) \(outcome.errors)")
      try server.start()
      let content = try Notes.content(of: database)
      for (view, rows) in content {
        #expect(rows == old[view] || rows == new[view], "trial \(trial): \(view) is neither old nor new")
      }
      let isNew = content.mapValues { rows in new.values.contains(rows) }
      try expectOwed(Notes.pending(in: database), isNew, waiting, "trial \(trial)")
      let again = try notes.refresh(database)
      #expect(again.status == 0, "trial \(trial): \(again.errors)")
      #expect(try Notes.wrong(in: database) == [], "trial \(trial)")
      try database.drop()
    }
    #expect(moments.hits >= 3, "only \(moments.hits) crashes hit")
  }

  @Test(
    "by a signal in the middle of a view ends with 130 and leaves all as it was",
    arguments: [SIGINT, SIGTERM])
  func interrupted(signal: Int32) throws {
    let notes = try Notes(rows: 2000)
    let database = notes.database
    let old = try Notes.content(of: database)
    let waiting = try Notes.pending(in: database)
    let holder = try database.connect()
    try holder.execute("SELECT pg_advisory_lock(4711)")
    let victim = try notes.start(database)
    try #require(try database.findsWaiter(forLock: 4711))
    let asked = Date.now
    victim.signal(signal)
    let outcome = try victim.wait()
    #expect(Date.now.timeIntervalSince(asked) < 5)
    #expect(outcome.status == 130, "\(outcome.status) \(outcome.errors)")
    #expect(try Notes.content(of: database) == old)
    #expect(try Notes.pending(in: database) == waiting)
    try holder.execute("SELECT pg_advisory_unlock(4711)")
    #expect(try notes.refresh(database).status == 0)
    #expect(try Notes.wrong(in: database) == [])
  }

  @Test("in the middle of a view gives its lock up, so that the next need not wait")
  func killedInTheMiddle() throws {
    let notes = try Notes(rows: 2000)
    let database = notes.database
    let holder = try database.connect()
    try holder.execute("SELECT pg_advisory_lock(4711)")
    let victim = try notes.start(database)
    try #require(try database.findsWaiter(forLock: 4711))
    let second = try notes.refresh(database, ["own.by_owner"])
    #expect(second.status == 4, "\(second.status) \(second.errors)")
    victim.signal(SIGKILL)
    _ = try victim.wait()
    try Notes.awaitSilence(in: database, but: holder.backendID)
    try holder.execute("SELECT pg_advisory_unlock(4711)")
    let again = try notes.refresh(database)
    #expect(again.status == 0, "\(again.errors)")
    #expect(try Notes.wrong(in: database) == [])
  }
}
