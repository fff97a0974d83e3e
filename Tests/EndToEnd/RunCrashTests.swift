import Glibc
import TestSupport
import Testing

/// Whatever is killed, and whenever: the same command, run once more, ends as if nothing had happened.
@Suite("A run of RVU25D that is killed")
struct RunCrashTests {
  /// The publisher's own file where it is there, else one of the same size of our own making.
  private static let words = Result {
    let release =
      SharedData.has(Loaded.latest)
      ? SharedData.path(Loaded.latest) : try Samples.make(rows: 19_000, release: "2025D")
    return ["run", "cms-rvu", release, "-q"]
  }

  /// A migrated database that nobody is connected to, as a template for others.
  private static let template = Result { try Loaded.migrated().0 }

  /// The same with the release published in it, moments within the time that this took, and what is there then.
  private static let loaded = Result {
    () throws -> (database: TestDatabase, moments: RandomMoments, content: [String]) in
    let database = try TestServer.shared.makeDatabase(from: template.get())
    let moments = try undisturbed(database)
    return (database, moments, try PublishedContent.digest(of: database))
  }

  private static func undisturbed(_ database: TestDatabase) throws -> RandomMoments {
    let moments = try RandomMoments { try Program(database: database.url).run(words.get()).succeeded() }
    try #require(try PublishedContent.leftovers(in: database) == [])
    return moments
  }

  /// Runs the same command once more and looks at what is there then; gives in how much it differs.
  private func expectRecovered(_ database: TestDatabase, _ what: String, options: [String] = []) throws -> Int
  {
    let again = try Program(database: database.url).run(Self.words.get() + options)
    #expect(again.status == 0, "\(what): \(again.errors)")
    let found = try PublishedContent.digest(of: database) + PublishedContent.leftovers(in: database)
    let lost = Set(found).symmetricDifference(try Self.loaded.get().content)
    #expect(lost == [], "\(what): \(lost.sorted()), \(again.errors)")
    return lost.count
  }

  @Test("at two hundred random moments is made good by the same command")
  func randomMoments() async throws { try await aside { try killed() } }

  private func killed() throws {
    let loaded = try Self.loaded.get()
    #expect(
      loaded.content.count > 8 && loaded.content.contains { $0.hasPrefix("cms.rvu 19") }, "\(loaded.content)")
    var moments = loaded.moments
    // Every fourth puts a revision in the place of one that is published.
    func options(_ trial: Int) -> [String] { trial % 4 == 0 ? ["--force"] : [] }
    try moments.kill("`run` of RVU25D", times: 200, hitting: 120) { trial in
      try TestServer.shared.makeDatabase(from: trial % 4 == 0 ? loaded.database : Self.template.get())
    } start: { trial, database in
      try Program(database: database.url).start(Self.words.get() + options(trial))
    } check: { trial, database, what in
      try expectRecovered(database, what, options: options(trial))
    }
  }

  @Test(
    "at the boundary of a stage, while it makes, fills or attaches its tables, and as it commits is made good by the same command",
    arguments: [
      "INSERT ON rivulet.run", "INSERT ON rivulet.source_file",
      "INSERT ON rivulet.run_stage WHEN (NEW.stage = 'stage')",
      "INSERT OR UPDATE ON rivulet.run_stage WHEN (NEW.stage = 'stage' AND NEW.seconds IS NOT NULL)",
      Barrier.check,
      "INSERT OR UPDATE ON rivulet.run_stage WHEN (NEW.stage = 'check' AND NEW.seconds IS NOT NULL)",
      "INSERT ON rivulet.gate_result", "INSERT ON rivulet.run_stage WHEN (NEW.stage = 'publish')",
      "INSERT ON rivulet.release", "INSERT ON rivulet.publication",
      "UPDATE ON rivulet.run WHEN (NEW.state = 'published')", "INSERT ON cms.code_list", "CREATE TABLE",
      "ALTER TABLE", "COMMENT", "COMMIT OF INSERT ON rivulet.publication",
    ])
  func boundary(_ place: String) throws {
    let database = try TestServer.shared.makeDatabase(from: Self.template.get())
    let barrier = try Barrier(in: database, at: place)
    let victim = try Program(database: database.url).start(Self.words.get())
    #expect(try barrier.isReached(), "\(place) was never reached")
    victim.signal(SIGKILL)
    #expect(try victim.wait().status == 128 + SIGKILL, "\(place)")
    try barrier.remove()
    let lost = try expectRecovered(database, place)
    Reliability.record(.kill, "`run` of RVU25D, in each stage and in its commit", lost: lost)
    try database.drop()
  }

  @Test("by a crash of its server at fifty random moments is made good by the same command")
  func serverCrashes() async throws { try await aside { try crashed() } }

  private func crashed() throws {
    let server = try CrashingServer()
    let template = try server.makeDatabase()
    try Program(database: template.url).run("migrate", "up", "-q").succeeded()
    var moments = try Self.undisturbed(server.makeDatabase(from: template))
    try moments.kill("`run` of RVU25D", times: 50, hitting: 30, crashing: server) { _ in
      try server.makeDatabase(from: template)
    } start: { _, database in
      try Program(database: database.url).start(Self.words.get())
    } check: { _, database, what in
      try expectRecovered(database, what)
    }
  }
}
