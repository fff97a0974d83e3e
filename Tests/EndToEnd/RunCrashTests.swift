import Foundation
import PostgreSQL
import TestSupport
import Testing

/// Whatever is killed, and whenever: the same command, run once more, ends as if nothing had happened.
@Suite("A run of RVU25D that is killed")
struct RunCrashTests {
  /// The publisher's own file where it is there, else one of the same size of our own making.
  private static let release: Result<String, any Error> = Result {
    SharedData.has(Loaded.latest)
      ? SharedData.path(Loaded.latest) : try Samples.make(rows: 19_000, release: "2025D")
  }

  /// A migrated database that nobody is connected to, as a template for others.
  private static let template: Result<TestDatabase, any Error> = Result { try Loaded.migrated().0 }

  /// The same with the release published in it, and moments within the time that this took.
  private static let loaded: Result<(database: TestDatabase, moments: RandomMoments), any Error> = Result {
    let database = try TestServer.shared.makeDatabase(from: template.get())
    return (database, try undisturbed(database))
  }

  private static func undisturbed(_ database: TestDatabase) throws -> RandomMoments {
    let started = Date.now
    let run = try Program(database: database.url).run("run", "cms-rvu", try release.get(), "-q")
    let moments = RandomMoments(within: Date.now.timeIntervalSince(started))
    try #require(run.status == 0, "\(run.errors)")
    try #require(try PublishedContent.leftovers(in: database) == [])
    return moments
  }

  /// What an undisturbed run leaves.
  private static let expected: Result<[String], any Error> = Result {
    try PublishedContent.digest(of: loaded.get().database)
  }

  /// Runs the same command once more and looks at what is there then.
  private func expectRecovered(_ database: TestDatabase, _ what: String, options: [String] = []) throws {
    let again = try Program(database: database.url).run(command(options))
    #expect(again.status == 0, "\(what): \(again.errors)")
    let (found, expected) = (try PublishedContent.digest(of: database), try Self.expected.get())
    #expect(
      found == expected, "\(what): \(Set(found).symmetricDifference(expected).sorted()), \(again.errors)")
    #expect(try PublishedContent.leftovers(in: database) == [], "\(what)")
  }

  private func command(_ options: [String] = []) throws -> [String] {
    ["run", "cms-rvu", try Self.release.get(), "-q"] + options
  }

  @Test("at two hundred random moments is made good by the same command")
  func randomMoments() throws {
    let expected = try Self.expected.get()
    #expect(expected.count > 8 && expected.contains { $0.hasPrefix("cms.rvu 19") }, "\(expected)")
    var moments = try Self.loaded.get().moments
    for trial in 1...200 {
      // Every fourth puts a revision in the place of one that is published.
      let isRevision = trial % 4 == 0
      let options = isRevision ? ["--force"] : []
      let database = try TestServer.shared.makeDatabase(
        from: isRevision ? Self.loaded.get().database : Self.template.get())
      let victim = try Program(database: database.url).start(try command(options))
      let moment = moments.next()
      usleep(UInt32(moment * 1e6))
      victim.signal(SIGKILL)
      moments.note(isHit: try victim.wait().status == 128 + SIGKILL, at: moment)
      try expectRecovered(database, "trial \(trial), killed after \(moment) s", options: options)
      try database.drop()
    }
    #expect(moments.hits >= 120, "only \(moments.hits) kills hit")
  }

  /// Where a run is stopped: a table of the ledger and what is written to it then, or what is made in the
  /// schema.
  enum Boundary: String, CaseIterable {
    case begun = "INSERT ON rivulet.run"
    case sources = "INSERT ON rivulet.source_file"
    case stage = "INSERT ON rivulet.run_stage | NEW.stage = 'stage'"
    case staged = "INSERT OR UPDATE ON rivulet.run_stage | NEW.stage = 'stage' AND NEW.seconds IS NOT NULL"
    case check = "INSERT ON rivulet.run_stage | NEW.stage = 'check'"
    case checked = "INSERT OR UPDATE ON rivulet.run_stage | NEW.stage = 'check' AND NEW.seconds IS NOT NULL"
    case gates = "INSERT ON rivulet.gate_result"
    case publish = "INSERT ON rivulet.run_stage | NEW.stage = 'publish'"
    case registered = "INSERT ON rivulet.release"
    case attached = "INSERT ON rivulet.publication"
    case published = "UPDATE ON rivulet.run | NEW.state = 'published'"
    case codeLists = "INSERT ON cms.code_list"

    /// A trigger that waits for a lock that the test has.
    var trigger: String {
      let parts = rawValue.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      let condition = parts.count > 1 ? "WHEN (\(parts[1]))" : ""
      return "CREATE TRIGGER boundary AFTER \(parts[0]) FOR EACH ROW \(condition) EXECUTE FUNCTION boundary()"
    }
  }

  private static let waiting = """
    CREATE FUNCTION boundary() RETURNS \("%") LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock_shared(4711);
      \("&")
    END $$;
    """

  private static func waiting(returning type: String) -> String {
    waiting.replacing("%", with: type).replacing("&", with: type == "trigger" ? "RETURN NULL;" : "")
  }

  /// Stops a run where something makes it wait, kills it there, and lets the server go on.
  private func kill(_ database: TestDatabase, setUp: String, tearDown: String, _ what: String) throws {
    let holder = try database.connect()
    try holder.execute("SELECT pg_advisory_lock(4711)")
    try database.connect().execute(setUp)
    let victim = try Program(database: database.url).start(try command())
    #expect(try database.findsWaiter(forLock: 4711), "\(what) was never reached")
    victim.signal(SIGKILL)
    #expect(try victim.wait().status == 128 + SIGKILL, "\(what)")
    try holder.execute("SELECT pg_advisory_unlock(4711)")
    try database.connect().execute(tearDown)
  }

  @Test("at the boundary of a stage is made good by the same command", arguments: Boundary.allCases)
  func boundary(_ boundary: Boundary) throws {
    let database = try TestServer.shared.makeDatabase(from: Self.template.get())
    try kill(
      database, setUp: Self.waiting(returning: "trigger") + boundary.trigger,
      tearDown: "DROP FUNCTION boundary CASCADE", "\(boundary)")
    try expectRecovered(database, "\(boundary)")
    try database.drop()
  }

  @Test(
    "while it makes, fills or attaches its tables is made good by the same command",
    arguments: ["CREATE TABLE", "ALTER TABLE", "COMMENT"])
  func definitions(_ tag: String) throws {
    let database = try TestServer.shared.makeDatabase(from: Self.template.get())
    try kill(
      database,
      setUp: Self.waiting(returning: "event_trigger")
        + "CREATE EVENT TRIGGER boundary ON ddl_command_end WHEN TAG IN ('\(tag)') EXECUTE FUNCTION boundary()",
      tearDown: "DROP EVENT TRIGGER boundary; DROP FUNCTION boundary", tag)
    try expectRecovered(database, tag)
    try database.drop()
  }

  @Test("as it commits is made good by the same command, whether the commit holds or not")
  func commit() throws {
    let database = try TestServer.shared.makeDatabase(from: Self.template.get())
    try kill(
      database,
      setUp: Self.waiting(returning: "trigger") + """
        CREATE CONSTRAINT TRIGGER boundary AFTER INSERT ON rivulet.publication
          DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION boundary();
        """, tearDown: "DROP FUNCTION boundary CASCADE", "the commit")
    try expectRecovered(database, "the commit")
    try database.drop()
  }

  @Test("by a crash of its server at fifty random moments is made good by the same command")
  func serverCrashes() throws {
    let server = try CrashingServer()
    let template = try server.makeDatabase()
    let up = try Program(database: template.url).run("migrate", "up", "-q")
    try #require(up.status == 0, "\(up.errors)")
    var moments = try Self.undisturbed(server.makeDatabase(from: template))
    for trial in 1...50 {
      let database = try server.makeDatabase(from: template)
      let victim = try Program(database: database.url).start(try command())
      let moment = moments.next()
      usleep(UInt32(moment * 1e6))
      try server.crash()
      // Sometimes the run is over before the server is back, sometimes it gets on by itself.
      usleep(moments.delay())
      try server.start()
      let outcome = try victim.wait()
      moments.note(isHit: outcome.status != 0 || outcome.noticesCrash, at: moment)
      #expect(outcome.status == 0 || outcome.status == 1, "trial \(trial): \(outcome.errors)")
      try expectRecovered(database, "trial \(trial), server crashed after \(moment) s")
      try database.drop()
    }
    #expect(moments.hits >= 30, "only \(moments.hits) crashes hit")
  }
}
