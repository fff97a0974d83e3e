import Foundation
import Glibc
import Host
import PostgreSQL
import TestSupport
import Testing

/// `rivulet migrate` with a statement that runs in batches.
@Suite("A migration in batches")
struct BatchCommandTests {
  private let database: TestDatabase
  private let folder: Scratch

  init() throws {
    (database, folder) = (try TestServer.shared.makeDatabase(), try Scratch())
    try BatchCommandTests.prepare(database)
    try write()
  }

  /// Visits whose changes are counted.
  private static func prepare(_ database: TestDatabase, rows: Int = 1_000) throws {
    try database.connect().execute(
      """
      CREATE TABLE visit (id uuid PRIMARY KEY, norm int, changes int NOT NULL DEFAULT 0);
      INSERT INTO visit SELECT md5(n::text)::uuid FROM generate_series(1, \(rows)) n;
      CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        NEW.changes := OLD.changes + 1;
        RETURN NEW;
      END $$;
      CREATE TRIGGER touch BEFORE UPDATE ON visit FOR EACH ROW EXECUTE FUNCTION touch();
      """)
  }

  private func write(_ options: String = "") throws {
    try folder.write(
      "0001_norm.sql",
      "-- rivulet:up\n-- rivulet:batch visit id 20\(options)\nUPDATE visit SET norm = coalesce(norm, 0) + 1 WHERE {batch};\n"
        + "-- rivulet:down irreversible \"rows\"\n")
  }

  private func words(_ words: [String]) -> [String] { ["migrate"] + words + ["--dir", folder.path] }

  private func migrate(_ words: String...) throws -> Program.Outcome {
    try Program(database: database.url).run(self.words(words))
  }

  /// How many rows were changed how often, at least and at most, and how many there are.
  private static let outcome =
    "SELECT concat_ws(' ', min(norm), max(norm), min(changes), max(changes), count(*)) FROM visit"

  @Test(
    "says its rows before, while it is done in part, and after, and none of their keys",
    arguments: [SIGINT, SIGTERM])
  func interrupted(signal: Int32) throws {
    let dry = try migrate("up", "--dry-run").succeeded().output
    #expect(
      dry.contains("would run in 50 batches of 20 rows of public.visit (1,000 rows): UPDATE visit"), "\(dry)")
    let plan = try migrate("plan", "--format", "json").object()
    let planned = try #require(
      (plan["migrations"] as? [[String: Any]])?.first?["batches"] as? [[String: Any]])
    #expect(planned.first?["table"] as? String == "public.visit" && planned.first?["size"] as? Int == 20)
    try write(" pause=100ms")
    let started = try Program(database: database.url).start(words(["up", "-v"]))
    try #require(try database.finds("SELECT FROM visit WHERE norm = 1"))
    started.signal(signal)
    let end = try started.wait()
    #expect(end.status == 130, "\(end.errors)")
    #expect(
      end.errors.contains(
        #/interrupted; \d+ batch(es)? of public.visit stays? done, and 'rivulet migrate up'/#),
      "\(end.errors)")
    let text = try migrate("status").succeeded().output
    #expect(text.contains(#/partial \(\d+ of 1,000 rows, \d+%\)/#), "\(text)")
    let status = try migrate("status", "--format", "json").object()
    let row = try #require((status["applied"] as? [[String: Any]])?.first)
    let batch = try #require(row["batch"] as? [String: Any])
    #expect(row["state"] as? String == "partial" && batch["total"] as? Int == 1_000)
    let done = try #require(batch["rows"] as? Int)
    #expect(try database.value("SELECT count(norm) FROM visit") == "\(done)" && done >= 20 && done < 1_000)
    let key = try #require(try database.value("SELECT last_key[1] FROM rivulet.migration_statement"))
    for said in [end.errors, end.output, text, "\(status)"] { #expect(!said.contains(key)) }
    try write(" pause=1ms")
    let last = try migrate("up").succeeded()
    #expect(last.output.hasPrefix("0001 norm: changed 1,000 rows of public.visit in "), "\(last.output)")
    #expect(try database.value(Self.outcome) == "1 1 1 1 1000")
  }

  @Test("is killed at random moments and run again, thirty times, and each row is changed once")
  func killed() throws {
    func up(_ database: TestDatabase) throws -> Program.Started {
      try Program(database: database.url).start(words(["up", "-q"]))
    }
    func make() throws -> TestDatabase {
      let database = try TestServer.shared.makeDatabase()
      try Self.prepare(database, rows: 3_000)
      return database
    }
    let reference = try make()
    var moments = try RandomMoments { try up(reference).wait().succeeded() }
    try moments.kill("`migrate up` in batches", times: 30, hitting: 10) { _ in
      try make()
    } start: { _, database in
      try up(database)
    } check: { _, database, what in
      let outcome = try up(database).wait()
      #expect(outcome.status == 0, "\(what): \(outcome.errors)")
      let isExact = try database.value(Self.outcome) == "1 1 1 1 3000"
      #expect(isExact, "\(what)")
      return isExact ? 0 : 1
    }
  }
}
