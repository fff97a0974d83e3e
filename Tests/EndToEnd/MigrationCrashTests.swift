import Foundation
import PostgreSQL
import TestSupport
import Testing

/// Killed at any moment, or run twice at once, migrations end in the same schema.
@Suite("Migrations that are killed or meet each other")
struct MigrationCrashTests {
  @Test("end in the same schema when they are killed at random moments and run again, a hundred times")
  func killed() throws {
    let folder = try MigrationFolders.tables(200)
    let reference = try TestServer.shared.makeDatabase()
    let started = Date.now
    #expect(try up(reference, folder).status == 0)
    var moments = RandomMoments(within: Date.now.timeIntervalSince(started))
    let expected = try #require(try reference.value(MigrationFolders.outcome))
    for trial in 1...100 {
      let database = try TestServer.shared.makeDatabase()
      let victim = try Program(database: database.url).start(["migrate", "up", "--dir", folder.path])
      let moment = moments.next()
      usleep(UInt32(moment * 1e6))
      victim.signal(SIGKILL)
      moments.note(isHit: try victim.wait().status == 128 + SIGKILL, at: moment)
      // The server may need a moment to see that its client is gone.
      let outcome = try up(database, folder)
      #expect(outcome.status == 0, "trial \(trial): \(outcome.errors)")
      #expect(try database.value(MigrationFolders.outcome) == expected, "trial \(trial)")
      try database.drop()
    }
    #expect(moments.hits >= 50, "only \(moments.hits) kills hit")
  }

  @Test("both end well when two run at once, and each migration runs once, fifty times")
  func race() throws {
    let folder = try Scratch()
    for number in 1...10 {
      try folder.write(
        "\(number)_step.sql",
        "-- rivulet:up\nCREATE TABLE public.t\(number) (n int);\n-- rivulet:down\nDROP TABLE public.t\(number);"
      )
    }
    for trial in 1...50 {
      let database = try TestServer.shared.makeDatabase()
      let program = Program(database: database.url)
      let words = ["migrate", "up", "--dir", folder.path, "--format", "json"]
      let both = [try program.start(words), try program.start(words)]
      var applied: [String] = []
      for started in both {
        let outcome = try started.wait()
        #expect(outcome.status == 0, "trial \(trial): \(outcome.errors)")
        let steps = try outcome.object()["steps"] as? [[String: Any]] ?? []
        applied += steps.compactMap { $0["version"] as? String }
      }
      #expect(applied.sorted() == (1...10).map(String.init).sorted(), "trial \(trial)")
      try database.drop()
    }
  }

  private func up(_ database: TestDatabase, _ folder: Scratch) throws -> Program.Outcome {
    try Program(database: database.url).run("migrate", "up", "--dir", folder.path, "-q")
  }
}
