import Foundation
import PostgreSQL
import Synchronization
import TestSupport
import Testing

/// Whatever is killed, and whenever: the same command, run once more, ends as if nothing had happened.
@Suite("A merge that is killed")
struct MergeCrashTests {
  /// What merging leaves, of rows, history and ledger, without times and numbers of files.
  private static func content(_ own: MergedDataset, in database: TestDatabase) throws -> [String] {
    try PublishedContent.digest(of: database, schemas: ["dir"])
      + database.rows(
        """
        SELECT concat_ws(' ', target, period_to, inserted, updated, deleted, unchanged)
        FROM rivulet.merge ORDER BY 1
        """)
  }

  private let own: MergedDataset
  private let words: [String]

  /// A release of some thousand people, and changes of a tenth of them.
  init() throws {
    own = try MergedDataset()
    let full = (0..<4000).map { "p\($0),Name \($0),,sings,swims," }
    try own.write("full/people_full_20250601.csv", full.joined(separator: "\n"))
    try own.write("full/places_full.csv", (0..<4000).map { "p\($0),1,Ayr" }.joined(separator: "\n"))
    try own.run("people", "full").succeeded()
    try own.write(
      "week/people_20250602-20250608.csv",
      (0..<400).map { $0 % 3 == 0 ? "p\($0 * 10),,2025-06-03,,," : "p\($0 * 10),Other,,sings,rows,runs" }
        .joined(separator: "\n"), "q,Quin,,runs,,")
    try own.write(
      "week/places_20250602-20250608.csv", (0..<200).map { "p\($0 * 10),2,Bath" }.joined(separator: "\n"))
    words = own.command("people", ["week"]) + ["-q"]
  }

  /// What an undisturbed run leaves in a database, and moments within the time that it takes.
  private func undisturbed(_ database: TestDatabase) throws -> ([String], RandomMoments) {
    let moments = try RandomMoments { try Program(database: database.url).run(words).succeeded() }
    let content = try Self.content(own, in: database)
    try #require(content.contains("dir.person 2025-06-08 1 400 0 0"), "\(content)")
    try database.drop()
    return (content, moments)
  }

  private func copy() throws -> TestDatabase { try TestServer.shared.makeDatabase(from: own.database) }

  private func start(_ database: TestDatabase) throws -> Program.Started {
    try Program(database: database.url).start(words)
  }

  /// Runs the same command once more and looks at what is there then; gives in how much it differs.
  private func expectRecovered(_ database: TestDatabase, _ expected: [String], _ what: String) throws -> Int {
    let again = try Program(database: database.url).run(words).succeeded()
    let found = try Self.content(own, in: database) + PublishedContent.leftovers(in: database)
    let lost = Set(found).symmetricDifference(expected)
    #expect(lost == [], "\(what): \(lost.sorted()), \(again.errors)")
    return lost.count
  }

  @Test("at thirty random moments is made good by the same command")
  func randomMoments() throws {
    var (expected, moments) = try undisturbed(copy())
    try moments.kill("merge of a period", times: 30, hitting: 15) { _ in
      try copy()
    } start: { _, database in
      try start(database)
    } check: { _, database, what in
      try expectRecovered(database, expected, what)
    }
  }

  @Test("in the midst of what it writes is made good by the same command")
  func boundaries() throws {
    let (expected, _) = try undisturbed(copy())
    for place in [
      "DELETE ON dir.skill", "INSERT ON dir.person_history", "UPDATE ON dir.person", "INSERT ON dir.place",
      "INSERT ON rivulet.merge", "UPDATE ON rivulet.release_table",
      "UPDATE ON rivulet.run WHEN (NEW.state = 'merged')",
    ] {
      let database = try copy()
      let barrier = try Barrier(in: database, at: place)
      let victim = try start(database)
      #expect(try barrier.isReached(), "\(place) was never reached")
      victim.signal(SIGKILL)
      #expect(try victim.wait().status == 128 + SIGKILL)
      try barrier.remove()
      let lost = try expectRecovered(database, expected, place)
      Reliability.record(.kill, "merge of a period, in each of its writes", lost: lost)
      try database.drop()
    }
  }

  @Test("by a crash of its server at thirty random moments is made good by the same command")
  func serverCrashes() throws {
    let server = try CrashingServer()
    let template = try server.makeDatabase()
    let program = Program(database: template.url)
    for words in [["migrate", "up", "--project", own.scratch.path], own.command("people", ["full"])] {
      try program.run(words).succeeded()
    }
    var (expected, moments) = try undisturbed(server.makeDatabase(from: template))
    try moments.kill("merge of a period", times: 30, hitting: 15, crashing: server) { _ in
      let database = try server.makeDatabase(from: template)
      // What is copied of a sequence that was asked before is not in the log until the next checkpoint.
      try database.connect().execute("CHECKPOINT")
      return database
    } start: { _, database in
      try start(database)
    } check: { _, database, what in
      try expectRecovered(database, expected, what)
    }
  }

  @Test("of whose COMMIT the answer is lost, or that never came, is done once", arguments: [true, false])
  func commit(isDone: Bool) throws {
    let database = try TestServer.shared.makeDatabase(from: own.database)
    let left = Atomic<Int>(1)
    let proxy = try ServerProxy(to: database) { talk in
      guard talk.before.contains("INSERT INTO rivulet.merge"), talk.text.contains(";COMMIT"),
        left.subtract(1, ordering: .relaxed).oldValue > 0
      else { return .pass }
      return isDone ? .loseAnswer : .cut
    }
    let run = try Program(database: proxy.url).run(words.filter { $0 != "-q" } + ["--format", "json"])
    #expect(run.status == 0 && run.errors.contains("(1 of 3)"), "\(run.errors)")
    let report = try run.object()
    #expect(report["state"] as? String == "merged" && (report["merges"] as? [Any])?.count == 3)
    #expect(try database.value("SELECT count(DISTINCT run) FROM rivulet.merge") == "1")
    let people = try database.value("SELECT rows FROM rivulet.release_table WHERE target = 'dir.person'")
    let leftovers = try PublishedContent.leftovers(in: database)
    #expect(people == "4001" && leftovers == [])
    Reliability.record(.commit, "merge of a period", lost: leftovers.count + (people == "4001" ? 0 : 1))
  }
}
