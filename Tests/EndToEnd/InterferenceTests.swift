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
    let run = try program.run("run", "cms-rvu", Sample.path, "--format", "json")
    #expect(
      run.status == 0 && run.errors.contains("\(state), lost") && run.errors.contains("(2 of 3)"),
      "\(run.errors)")
    #expect(try run.object()["retries"] as? Int == 2)
    #expect(try database.value(LostConnectionTests.outcome) == "published 1 0")
    try database.connect().execute("ALTER SEQUENCE tries RESTART")
    let never = try program.run("run", "cms-rvu", Sample.path, "--force", "--retries", "1")
    #expect(never.status == 1 && never.errors.contains(state), "\(never.errors)")
    #expect(try database.value(LostConnectionTests.outcome) == "published,failed 1 0")
  }

  @Test("with a statement_timeout fails at once, with 1, and says what the time-out is called")
  func statementTimeout() throws {
    let (database, program) = try Loaded.migrated()
    let zip = try Samples.make(rows: 100)
    let administration = try database.connect()
    try administration.execute(
      """
      CREATE FUNCTION sleep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(600); RETURN NULL; END $$;
      CREATE TRIGGER sleep BEFORE INSERT ON rivulet.release_table EXECUTE FUNCTION sleep();
      ALTER DATABASE \(Quote.identifier(database.name)) SET statement_timeout = '2s'
      """)
    let run = try program.run("run", "cms-rvu", zip)
    #expect(run.status == 1, "\(run.errors)")
    #expect(run.errors.contains("57014") && run.errors.contains("statement_timeout = 0"), "\(run.errors)")
    #expect(!run.errors.contains("trying again"))
    #expect(try database.value(LostConnectionTests.outcome) == "failed 0 0")
    try administration.execute(
      """
      ALTER DATABASE \(Quote.identifier(database.name)) RESET statement_timeout;
      DROP FUNCTION sleep CASCADE
      """)
    #expect(try program.run("run", "cms-rvu", zip).status == 0)
  }

  @Test("by making the database read-only, or by locking the ledger, are reported with the way to correct it")
  func readOnlyAndLocked() throws {
    let (database, program) = try Loaded.migrated()
    let administration = try database.connect()
    let name = Quote.identifier(database.name)
    try administration.execute("ALTER DATABASE \(name) SET default_transaction_read_only = on")
    let refused = try program.run("run", "cms-rvu", Sample.path)
    #expect(
      refused.status == 1 && refused.errors.contains("25006")
        && refused.errors.contains("default_transaction_read_only"), "\(refused.errors)")
    // Its session began before.
    try administration.execute("ALTER DATABASE \(name) RESET default_transaction_read_only")
    try administration.execute("BEGIN; LOCK TABLE rivulet.run IN SHARE MODE")
    let busy = try program.run("run", "cms-rvu", Sample.path)
    #expect(busy.status == 4 && busy.errors.contains("pg_locks"), "\(busy.errors)")
    try administration.execute("COMMIT")
    #expect(try program.run("run", "cms-rvu", Sample.path).status == 0)
  }

  @Test("with time-outs for idle sessions does not mind them")
  func idleTimeouts() throws {
    let (database, _) = try Loaded.migrated()
    try database.connect().execute(
      """
      ALTER DATABASE \(Quote.identifier(database.name)) SET idle_session_timeout = '400ms';
      ALTER DATABASE \(Quote.identifier(database.name)) SET idle_in_transaction_session_timeout = '200ms';
      """)
    // One session is idle in its transaction, and another idle, while the rows of a COPY are kept back.
    let held = try HeldCopy(database)
    let started = try held.program.start(["run", "cms-rvu", Sample.path])
    try #require(try held.isReached())
    usleep(1_000_000)
    held.letGo()
    let run = try started.wait()
    #expect(run.status == 0 && !run.errors.contains("trying again"), "\(run.errors)")
  }

  @Test(
    "for want of a right fails with 1, and says which role needs whose",
    arguments: [
      "", "GRANT USAGE, CREATE ON SCHEMA cms TO %", "GRANT ALL ON ALL TABLES IN SCHEMA rivulet TO %",
      "GRANT ALL ON ALL TABLES IN SCHEMA rivulet TO %; GRANT USAGE, CREATE ON SCHEMA rivulet TO %",
    ])
  func rights(granted: String) throws {
    let (database, program) = try Loaded.migrated()
    #expect(try program.run("run", "cms-rvu", Sample.path).status == 0)
    let role = "loader_\(database.name)"
    let administration = try database.connect()
    let owner = "owner_\(database.name)"
    try administration.execute(
      "CREATE ROLE \(owner); CREATE ROLE \(role) LOGIN; "
        + "GRANT CREATE ON DATABASE \(Quote.identifier(database.name)) TO \(owner); "
        + granted.replacing("%", with: role))
    try give(database, to: owner)
    let content = try database.value(LostConnectionTests.content)
    let limited = Program(database: database.url.replacing("//rivulet@", with: "//\(role)@"))
    let run = try limited.run("run", "cms-rvu", Sample.path, "--force", "--format", "json")
    #expect(run.status == 1, "\(run.errors)")
    let error = try #require(try run.object()["error"] as? [String: Any])
    #expect(error["sqlstate"] as? String == "42501")
    let hint = try #require(error["hint"] as? String, "\(run.output)")
    let grant = "GRANT \(Quote.identifier(owner)) TO \(Quote.identifier(role))"
    #expect(hint.contains(role) && hint.contains(owner) && hint.contains(grant), "\(hint)")
    let rollback = try limited.run("releases", "rollback", "cms-rvu")
    #expect(rollback.status == 1 && rollback.errors.contains(grant), "\(rollback.errors)")
    #expect(try database.value(LostConnectionTests.content) == content)
    try administration.execute(grant)
    let corrected = try limited.run("run", "cms-rvu", Sample.path, "--force")
    #expect(corrected.status == 0, "\(corrected.errors)")
    #expect(try database.value(LostConnectionTests.content) == content)
    try administration.execute(
      "REASSIGN OWNED BY \(owner) TO rivulet; DROP OWNED BY \(owner), \(role); DROP ROLE \(role), \(owner)")
  }

  /// Makes everything in schemas rivulet, cms and mart a role's.
  private func give(_ database: TestDatabase, to owner: String) throws {
    try database.connect().execute(
      """
      DO $$ DECLARE o record; BEGIN
        FOR o IN SELECT format('%s %s', CASE WHEN relkind = 'S' THEN 'SEQUENCE' WHEN relkind = 'v' THEN 'VIEW' ELSE 'TABLE' END,
            c.oid::regclass) AS object
          FROM pg_class c WHERE relkind IN ('r', 'p', 'v')
            AND relnamespace IN ('rivulet'::regnamespace, 'cms'::regnamespace, 'mart'::regnamespace) LOOP
          EXECUTE format('ALTER %s OWNER TO \(owner)', o.object);
        END LOOP;
        ALTER SCHEMA rivulet OWNER TO \(owner);
        ALTER SCHEMA cms OWNER TO \(owner);
        ALTER SCHEMA mart OWNER TO \(owner);
      END $$;
      """)
  }

  @Test("that is a member of the same role moves the releases that it has loaded")
  func members() throws {
    let (database, program) = try Loaded.migrated()
    #expect(try program.run("run", "cms-rvu", Sample.path).status == 0)
    let administration = try database.connect()
    let (owner, bob, eve) = ("owner_\(database.name)", "bob_\(database.name)", "eve_\(database.name)")
    try administration.execute(
      "CREATE ROLE \(owner); CREATE ROLE \(bob) LOGIN IN ROLE \(owner); CREATE ROLE \(eve) LOGIN IN ROLE \(owner); "
        + "GRANT CREATE ON DATABASE \(Quote.identifier(database.name)) TO \(owner)")
    try give(database, to: owner)
    func member(_ role: String) -> Program {
      Program(database: database.url.replacing("//rivulet@", with: "//\(role)@"))
    }
    let staged = try member(bob).run("run", "cms-rvu", Sample.path, "--force", "--no-publish")
    #expect(staged.status == 0, "\(staged.errors)")
    for words in [
      ["publish", "cms-rvu", "2025D"], ["rollback", "cms-rvu"], ["publish", "cms-rvu", "2025D"],
    ] {
      let moved = try member(eve).run(["releases"] + words)
      #expect(moved.status == 0, "\(words): \(moved.errors)")
    }
    #expect(try database.value("SELECT revision FROM rivulet.release WHERE state = 'published'") == "2")
    let dropped = try member(eve).run("releases", "drop", "cms-rvu", "2025D", "--revision", "1")
    #expect(dropped.status == 0, "\(dropped.errors)")
    try administration.execute(
      "REASSIGN OWNED BY \(owner) TO rivulet; DROP OWNED BY \(owner), \(bob), \(eve); "
        + "DROP ROLE \(bob), \(eve), \(owner)")
  }

  /// Does something to the database of a run that has loaded its tables.
  private func dropped(_ sql: String) throws -> (TestDatabase, Program, Program.Outcome) {
    let (database, program) = try Loaded.migrated()
    let stop = try HeldCheck(in: database)
    let started = try program.start(["run", "cms-rvu", Sample.path])
    try #require(try stop.isReached())
    try database.connect().execute(sql)
    try stop.letGo()
    return (database, program, try started.wait())
  }

  @Test("by dropping a table that it has loaded ends it with 1, and the next one works")
  func stagedTable() throws {
    let (database, program, outcome) = try dropped("DROP TABLE cms.gpci_2025d_1")
    #expect(outcome.status == 1, "\(outcome.errors)")
    #expect(
      outcome.errors.contains("cms.gpci_2025d_1") && outcome.errors.contains("run again"), "\(outcome.errors)"
    )
    #expect(try database.value(LostConnectionTests.outcome) == "failed 0 0")
    #expect(try program.run("run", "cms-rvu", Sample.path).status == 0)
  }

  @Test("by dropping the table that it publishes to ends it with 5")
  func target() throws {
    let (database, _, outcome) = try dropped("DROP TABLE cms.gpci CASCADE")
    #expect(outcome.status == 5, "\(outcome.errors)")
    #expect(outcome.errors.contains("cms.gpci does not exist"), "\(outcome.errors)")
    #expect(try database.value(LostConnectionTests.outcome) == "failed 0 0")
  }

  @Test("is refused behind a pooler that would give its lock to anybody")
  func pooler() throws {
    let (database, _) = try Loaded.migrated()
    let pooler = try PgBouncer(mode: "transaction", poolSize: 2, roundRobin: true, to: database)
    let run = try Program(database: pooler.target.specification).run("run", "cms-rvu", Sample.path)
    #expect(run.status == 1 && run.errors.contains("session mode"), "\(run.errors)")
    #expect(try database.value("SELECT count(*) FROM rivulet.run") == "0")
  }
}
