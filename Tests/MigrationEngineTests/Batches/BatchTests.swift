import PostgreSQL
import TestSupport
import Testing

@testable import MigrationEngine

/// Statements that run over ranges of a key.
@Suite("A statement that runs in batches")
struct BatchTests {
  @Test("goes on where it was stopped, with no row changed twice and no key in what it says")
  func resumed() throws {
    let visits = try OwnBatches()
    try visits.own.execute("ALTER TABLE app.visit ADD CHECK (id <> 77 OR norm IS NULL)")
    try visits.write(head: "SELECT 1;")
    let found = complaint { try visits.own.up() }
    #expect(found.hasPrefix("1_norm.sql:4:1: ERROR 23514"), "\(found)")
    #expect(!found.contains("77") && !found.contains("60"))
    #expect(try visits.own.states() == "1:partial")
    let batch = try #require(visits.own.engine().status().applied.first?.batch)
    #expect(batch.batches == 3 && batch.changedRows == 60 && batch.rows == 60 && batch.totalRows == 100)
    #expect(batch.share == 0.6)
    #expect(
      try visits.own.database.value("SELECT last_key FROM rivulet.migration_statement WHERE statement = 2")
        == "{60}")
    try visits.own.execute("ALTER TABLE app.visit DROP CONSTRAINT visit_check")
    // Another size is no other statement.
    try visits.write("app.visit id 15 pause=1ms", head: "SELECT 1;")
    #expect(try visits.own.up() == ["1"])
    #expect(try visits.outcome() == "100/100 100/100")
    #expect(try visits.sizes() == "20 20 20 15 15 10")
    #expect(try visits.own.database.value("SELECT count(*) FROM rivulet.migration_statement") == "0")
  }

  @Test("may not be another while it is done in part, nor have another key")
  func edited() throws {
    let visits = try OwnBatches()
    try visits.own.execute("ALTER TABLE app.visit ADD CHECK (id <> 77 OR norm IS NULL)")
    try visits.write()
    #expect(throws: MigrationError.self) { try visits.own.up() }
    try visits.write(set: "norm = lower(code)")
    #expect(complaint { try visits.own.up() }.contains("1_norm.sql:4:1: this is done for a part of the rows"))
    try visits.write("public.visit id 20")
    #expect(complaint { try visits.own.up() }.contains("1_norm.sql:4:1: this is done for a part of the rows"))
    #expect(complaint { _ = try visits.own.engine().script(.natural) }.contains("this is done for a part"))
    #expect(try visits.own.states() == "1:partial")
  }

  @Test("is run once where there are no rows, and follows statements that make its table")
  func empty() throws {
    let own = try OwnMigrations()
    try own.write(
      "1_a.sql",
      up: """
        CREATE TABLE a (n int PRIMARY KEY, m int);

        -- rivulet:batch a n 3
        -- What it is for.

        DELETE FROM a WHERE {batch} /* {batch} */ AND m IS DISTINCT FROM 3 AND '{batch}' <> '';
        INSERT INTO a SELECT i, i FROM generate_series(1, 10) i;
        -- rivulet:batch a (n) 3
        MERGE INTO a USING (SELECT * FROM a AS b WHERE {batch b}) AS c ON a.n = c.n WHEN MATCHED THEN UPDATE SET m = a.m + 1;
        CREATE TABLE kept AS SELECT * FROM a WHERE false;
        -- rivulet:batch a n 4
        WITH gone AS (DELETE FROM a WHERE {batch} RETURNING *) INSERT INTO kept SELECT * FROM gone;
        """)
    let engine = try own.engine()
    var outcomes: [String] = []
    try engine.up(.natural) { outcomes += $1.batches.map { "\($0.table) \($0.rows) \($0.batches)" } }
    #expect(outcomes == ["public.a 0 1", "public.a 10 4", "public.a 10 3"])
    #expect(try own.database.value("SELECT concat(sum(m - n), ' ', count(*)) FROM kept") == "10 10")
    #expect(try own.database.value("SELECT count(*) FROM a") == "0")
  }

  @Test(
    "is tried again where other transactions were in its way", arguments: ["40001", "40P01"])
  func transient(state: String) throws {
    let visits = try OwnBatches()
    try visits.own.execute(
      """
      CREATE SEQUENCE batch;
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('batch') IN (2, 4) THEN RAISE 'in the way' USING ERRCODE = '\(state)'; END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER fail AFTER UPDATE ON app.visit FOR EACH STATEMENT EXECUTE FUNCTION fail();
      """)
    try visits.write()
    var said: [String] = []
    #expect(try visits.own.up { $0.tell = { said.append($0) } } == ["1"])
    #expect(try visits.outcome() == "100/100 100/100")
    #expect(
      said.count == 2 && said.allSatisfy { $0.contains("the batch is rolled back, and tried again") },
      "\(said)")
  }

  @Test("counts its mark as part of the migration, and of what a history keeps")
  func checksum() throws {
    let visits = try OwnBatches()
    try visits.write()
    try visits.own.up()
    #expect(
      try visits.own.database.value(
        "SELECT (up_sql ~ 'rivulet:batch app.visit id 20')::text FROM rivulet.migration") == "true")
    try visits.write("app.visit   id 20")
    #expect(try visits.own.states() == "1:applied")
    // Its size and options are for the database at hand.
    try visits.write("app.visit id 30 max_lag=1s pause=5ms")
    #expect(try visits.own.states() == "1:applied")
    for mark in ["public.visit id 20", "app.visit code 20", "app.visit (id, code) 20"] {
      try visits.write(mark)
      #expect(try visits.own.states() == "1:changed")
    }
  }

  @Test("is listed by a dry run with its rows, and what needs them is not tried")
  func dryRun() throws {
    let visits = try OwnBatches()
    try visits.own.write(
      "1_norm.sql",
      up: """
        -- rivulet:batch app.visit id 30
        UPDATE app.visit SET norm = upper(code) WHERE {batch};
        ALTER TABLE app.visit ALTER norm SET NOT NULL;
        """, verify: "SELECT 1 / count(norm) FROM app.visit;")
    try visits.own.write(
      "2_after.sql", up: "SELECT 1;", require: "SELECT count(norm) = count(*) FROM app.visit")
    let steps = try visits.own.engine().dryRun(.natural)
    let step = try #require(steps.first)
    #expect(steps.last?.unexecuted.first?.contains("not true: it needs what was not tried") == true)
    #expect(step.unexecuted.count == 2 && step.unexecuted[1].contains("it needs what was not tried"))
    let planned = try #require(step.plannedBatches.first)
    #expect(planned.rows == .counted(100) && planned.count == 4 && planned.table == "app.visit")
    #expect(try visits.outcome() == "0/100 0/0")
    #expect(
      complaint { try visits.own.up(.natural) { $0.isSingleTransaction = true } }.contains(
        "no transaction can hold"))
  }

  @Test("runs in the shadow of a verification, which finds a key that will not do")
  func verification() throws {
    let own = try OwnMigrations()
    try own.write("1_a.sql", up: "CREATE TABLE a (n int PRIMARY KEY);", down: "DROP TABLE a;")
    try own.write(
      "2_b.sql",
      up: "ALTER TABLE a ADD m int;\n-- rivulet:batch a n 5\nUPDATE a SET m = n WHERE {batch};",
      down: "-- rivulet:batch a n 5\nDELETE FROM a WHERE {batch};\nALTER TABLE a DROP m;")
    try own.write(
      "3_c.sql", up: "-- rivulet:batch a m 5\nUPDATE a SET n = m WHERE {batch};", down: "SELECT 1;")
    let verifier = MigrationVerifier(folder: try own.open(), place: .beside(try own.database.connect()))
    var found: [VerifiedMigration] = []
    _ = try verifier.run(to: nil) { found.append($0) }
    #expect(found.map(\.isPassed) == [true, true, false])
    #expect(found.last?.differences.first?.contains("public.a.m may be null") == true)
  }

  @Test("is in a plan with its rows")
  func plan() throws {
    let visits = try OwnBatches()
    try visits.write()
    try visits.own.execute("ANALYZE app.visit")
    let planned = try MigrationPlanner(
      target: visits.own.database.connect(), folder: visits.own.open(), place: .embedded
    ).plan(.natural)
    let batches = try #require(planned.first?.batches.first)
    #expect(batches.rows == .about(100) && batches.count == 5 && batches.table == "app.visit")
    #expect(planned.first?.isTransaction == false && planned.first?.locks.first?.mode == .rowExclusive)
  }

  @Test("that deletes on the way back is among what a dry run of it would take away")
  func dryRunBack() throws {
    let own = try OwnMigrations()
    try own.write(
      "1_a.sql",
      up: "CREATE TABLE a AS SELECT n FROM generate_series(1, 9) n; ALTER TABLE a ADD PRIMARY KEY (n);",
      down: "-- rivulet:batch a n 5\nDELETE FROM a WHERE {batch};")
    try own.up()
    let steps = try own.engine().dryRunBack(.natural)
    let step = try #require(steps.first?.1)
    #expect(step.losses == [DataLoss(kind: .deletion, table: "public.a", rows: .counted(9))])
    #expect(step.plannedBatches.first?.count == 2)
    #expect(try own.database.value("SELECT count(*) FROM a") == "9")
  }
}
