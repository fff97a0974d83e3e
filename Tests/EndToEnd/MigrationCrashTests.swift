import TestSupport
import Testing

/// Killed at any moment, or run twice at once, migrations end in the same schema.
@Suite("Migrations that are killed or meet each other")
struct MigrationCrashTests {
  @Test("end in the same schema when they are killed at random moments and run again, a hundred times")
  func killed() async throws { try await aside { try kill() } }

  private func kill() throws {
    let folder = try MigrationFolders.tables(200)
    func up(_ database: TestDatabase) throws -> Program.Started {
      try Program(database: database.url).start(["migrate", "up", "--dir", folder.path, "-q"])
    }
    let reference = try TestServer.shared.makeDatabase()
    var moments = try RandomMoments { try up(reference).wait().succeeded() }
    let expected = try #require(try reference.value(MigrationFolders.outcome))
    try moments.kill("`migrate up` of 200 migrations", times: 100, hitting: 50) { _ in
      try TestServer.shared.makeDatabase()
    } start: { _, database in
      try up(database)
    } check: { _, database, what in
      // The server may need a moment to see that its client is gone.
      let outcome = try up(database).wait()
      #expect(outcome.status == 0, "\(what): \(outcome.errors)")
      let isExact = try database.value(MigrationFolders.outcome) == expected
      #expect(isExact, "\(what)")
      return isExact ? 0 : 1
    }
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
}
