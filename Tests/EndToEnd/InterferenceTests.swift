import Foundation
import PostgreSQL
import TestSupport
import Testing

/// What others do to a run: time-outs, missing rights, dropped tables, transactions in the way.
@Suite("A run that others get in the way of")
struct InterferenceTests {
  @Test("that lose a race for rows with it is tried again", arguments: ["40001", "40P01"])
  func conflicts(state: String) throws {
    let (database, program) = try Loaded.migrated()
    try database.connect().execute(
      """
      CREATE SEQUENCE tries;
      CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('tries') < 3 THEN RAISE EXCEPTION 'lost' USING ERRCODE = '\(state)'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER lose BEFORE INSERT ON rivulet.publication FOR EACH ROW EXECUTE FUNCTION lose();
      """)
    let run = try program.run("run", "cms-rvu", Sample.path, "--format", "json").succeeded()
    #expect(run.errors.contains("\(state), lost") && run.errors.contains("(2 of 3)"), "\(run.errors)")
    #expect(try run.object()["retries"] as? Int == 2)
    #expect(try database.value(LostConnectionTests.outcome) == "published 1 0")
    try database.connect().execute("ALTER SEQUENCE tries RESTART")
    try program.run("run", "cms-rvu", Sample.path, "--force", "--retries", "1").failed(1, saying: state)
    #expect(try database.value(LostConnectionTests.outcome) == "published,failed 1 0")
  }

  @Test("with a statement_timeout fails at once, with 1, and says what the time-out is called")
  func statementTimeout() throws {
    let (database, program) = try Loaded.migrated()
    let administration = try database.connect()
    try administration.execute(
      """
      CREATE FUNCTION sleep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(600); RETURN NULL; END $$;
      CREATE TRIGGER sleep BEFORE INSERT ON rivulet.release_table EXECUTE FUNCTION sleep();
      ALTER DATABASE \(Quote.identifier(database.name)) SET statement_timeout = '10s'
      """)
    let run = try program.run("run", "cms-rvu", Sample.path).failed(
      1, saying: "57014", "statement_timeout = 0")
    #expect(!run.errors.contains("trying again"))
    #expect(try database.value(LostConnectionTests.outcome) == "failed 0 0")
    try administration.execute(
      """
      ALTER DATABASE \(Quote.identifier(database.name)) RESET statement_timeout;
      DROP FUNCTION sleep CASCADE
      """)
    try program.run("run", "cms-rvu", Sample.path).succeeded()
  }

  @Test("by taking the last connection of all are waited for, and named where they stay")
  func lastConnection() throws {
    let (database, _) = try Loaded.migrated()
    let role = "limited_\(database.name)"
    try database.connect().execute(
      "CREATE ROLE \(role) LOGIN CONNECTION LIMIT 1; GRANT pg_read_all_data TO \(role)")
    let program = Program(database: database.url(as: role))
    let other = try Connection(to: ConnectionTarget(database.url(as: role)))
    let started = try program.start(["migrate", "status"])
    try #require(try started.says("has no connection left"))
    try database.connect().execute("SELECT pg_terminate_backend(\(other.backendID), 10000)")
    try started.wait().succeeded()
    let staying = try Connection(to: ConnectionTarget(database.url(as: role)))
    try program.run("migrate", "status").failed(1, saying: "CONNECTION LIMIT")
    #expect(staying.isUsable)
  }

  @Test("by making the database read-only, or by locking the ledger, are reported with the way to correct it")
  func readOnlyAndLocked() throws {
    let (database, program) = try Loaded.migrated()
    let administration = try database.connect()
    let name = Quote.identifier(database.name)
    try administration.execute("ALTER DATABASE \(name) SET default_transaction_read_only = on")
    try program.run("run", "cms-rvu", Sample.path).failed(1, saying: "25006", "default_transaction_read_only")
    // Its session began before.
    try administration.execute("ALTER DATABASE \(name) RESET default_transaction_read_only")
    try administration.execute("BEGIN; LOCK TABLE rivulet.run IN SHARE MODE")
    try program.run("run", "cms-rvu", Sample.path).failed(4, saying: "pg_locks")
    try administration.execute("COMMIT")
    try program.run("run", "cms-rvu", Sample.path).succeeded()
  }

  @Test("with time-outs for idle sessions does not mind them")
  func idleTimeouts() throws {
    let (database, _) = try Loaded.migrated()
    try database.connect().execute(
      """
      ALTER DATABASE \(Quote.identifier(database.name)) SET idle_session_timeout = '3s';
      ALTER DATABASE \(Quote.identifier(database.name)) SET idle_in_transaction_session_timeout = '200ms';
      """)
    // One session is idle in its transaction, and another idle, while the rows of a COPY are kept back.
    let held = try HeldCopy(database)
    let started = try held.program.start(["run", "cms-rvu", Sample.path])
    try #require(try held.isReached())
    usleep(4_500_000)
    held.letGo()
    let run = try started.wait().succeeded()
    #expect(!run.errors.contains("trying again"), "\(run.errors)")
  }

  @Test(
    "for want of a right fails with 1, and says which role needs whose",
    arguments: [
      "", "GRANT USAGE, CREATE ON SCHEMA cms TO %", "GRANT ALL ON ALL TABLES IN SCHEMA rivulet TO %",
      "GRANT ALL ON ALL TABLES IN SCHEMA rivulet TO %; GRANT USAGE, CREATE ON SCHEMA rivulet TO %",
    ])
  func rights(granted: String) throws {
    let (database, _) = try Loaded.sample()
    let content = try database.value(LostConnectionTests.content)
    try owned(database, roles: ["loader"]) { owner, administration, programs in
      let (role, limited) = ("loader_\(database.name)", programs[0])
      try administration.execute(granted.replacing("%", with: role))
      let membership = "GRANT \(owner) TO \(role)"
      var given: [String] = []
      while given.last != membership {
        let run = try limited.run("run", "cms-rvu", Sample.path, "--force", "--format", "json").failed(1)
        let error = try #require(try run.object()["error"] as? [String: Any])
        #expect(error["sqlstate"] as? String == "42501")
        let hint = try #require(error["hint"] as? String, "\(run.output)")
        let grant = String(try #require(hint.firstMatch(of: /runs once: ([^;]+);/), "\(hint)").1)
        try limited.run("releases", "rollback", "cms-rvu").failed(1, saying: grant)
        try #require(hint.contains(role) && !given.contains(grant), "\(hint)")
        #expect(try database.value(LostConnectionTests.content) == content)
        given.append(grant)
        try administration.execute(grant)
      }
      try limited.run("run", "cms-rvu", Sample.path, "--force").succeeded()
      #expect(try database.value(LostConnectionTests.content) == content)
    }
  }

  @Test("that is a member of the same role moves the releases that it has loaded")
  func members() throws {
    let (database, _) = try Loaded.sample()
    try owned(database, roles: ["bob", "eve"]) { owner, administration, programs in
      let (bob, eve) = (programs[0], programs[1])
      for name in ["bob", "eve"] { try administration.execute("GRANT \(owner) TO \(name)_\(database.name)") }
      try bob.run("run", "cms-rvu", Sample.path, "--force", "--no-publish").succeeded()
      for words in [
        ["publish", "cms-rvu", "2025D"], ["rollback", "cms-rvu"], ["publish", "cms-rvu", "2025D"],
      ] { try eve.run(["releases"] + words).succeeded() }
      #expect(try database.value("SELECT revision FROM rivulet.release WHERE state = 'published'") == "2")
      try eve.run("releases", "drop", "cms-rvu", "2025D", "--revision", "1").succeeded()
    }
  }

  /// Makes everything in schemas rivulet, cms and mart a role's, while others, who can sign in, use the program.
  private func owned(
    _ database: TestDatabase, roles: [String],
    _ body: (_ owner: String, _ administration: Connection, _ programs: [Program]) throws -> Void
  ) throws {
    let administration = try database.connect()
    let names = (["owner"] + roles).map { "\($0)_\(database.name)" }
    for name in names { try administration.execute("CREATE ROLE \(name) LOGIN") }
    try administration.execute(
      """
      GRANT CREATE ON DATABASE \(Quote.identifier(database.name)) TO \(names[0]);
      DO $$ DECLARE o record; BEGIN
        FOR o IN SELECT format('%s %s', CASE WHEN relkind = 'S' THEN 'SEQUENCE' WHEN relkind = 'v' THEN 'VIEW' ELSE 'TABLE' END,
            c.oid::regclass) AS object
          FROM pg_class c WHERE relkind IN ('r', 'p', 'v')
            AND relnamespace IN ('rivulet'::regnamespace, 'cms'::regnamespace, 'mart'::regnamespace) LOOP
          EXECUTE format('ALTER %s OWNER TO \(names[0])', o.object);
        END LOOP;
        ALTER SCHEMA rivulet OWNER TO \(names[0]);
        ALTER SCHEMA cms OWNER TO \(names[0]);
        ALTER SCHEMA mart OWNER TO \(names[0]);
      END $$;
      """)
    try body(names[0], administration, names.dropFirst().map { Program(database: database.url(as: $0)) })
    try administration.execute(
      """
      REASSIGN OWNED BY \(names[0]) TO rivulet;
      DROP OWNED BY \(names.joined(separator: ", ")); DROP ROLE \(names.joined(separator: ", "))
      """)
  }

  @Test(
    "by dropping a table that it has loaded ends it with 1, and the next one works; the table that it publishes to, with 5",
    arguments: [
      ("TABLE cms.gpci_2025d_1", Int32(1), ["cms.gpci_2025d_1", "run again"]),
      ("TABLE cms.gpci CASCADE", 5, ["cms.gpci does not exist"]),
    ])
  func dropped(what: String, status: Int32, says: [String]) throws {
    let (database, program) = try Loaded.migrated()
    let stop = try Barrier(in: database)
    let started = try program.start(["run", "cms-rvu", Sample.path])
    try #require(try stop.isReached())
    try database.connect().execute("DROP \(what)")
    try stop.letGo()
    let outcome = try started.wait().failed(status)
    for words in says { #expect(outcome.errors.contains(words), "\(outcome.errors)") }
    #expect(try database.value(LostConnectionTests.outcome) == "failed 0 0")
    if status == 1 { try program.run("run", "cms-rvu", Sample.path).succeeded() }
  }

  @Test("is refused behind a pooler that would give its lock to anybody")
  func pooler() throws {
    let (database, _) = try Loaded.migrated()
    let pooler = try PgBouncer(mode: "transaction", poolSize: 2, roundRobin: true, to: database)
    try Program(database: pooler.target.specification).run("run", "cms-rvu", Sample.path).failed(
      1, saying: "session mode")
    #expect(try database.value("SELECT count(*) FROM rivulet.run") == "0")
  }
}
