import TestSupport
import Testing

@testable import MigrationEngine

/// Where batches end, and which rows they may not miss.
@Suite("The end of a batch")
struct BatchEndTests {
  @Test(
    "is the greatest key there was, whatever the statement does to its table",
    arguments: [
      ("WITH x AS (UPDATE app.visit SET id = id + 100 WHERE {batch} RETURNING 1) SELECT FROM x", "100"),
      (
        "MERGE INTO app.visit v USING (SELECT 1) s ON {batch v} WHEN MATCHED THEN UPDATE SET id = v.id + 100",
        "100"
      ),
      (
        "WITH s AS (SELECT id FROM app.visit WHERE {batch}) INSERT INTO app.visit (id) SELECT id + 100 FROM s",
        "200"
      ),
    ], [false, true])
  func moving(statement: (sql: String, rows: String), isScript: Bool) throws {
    let visits = try OwnBatches()
    // Who goes on behind the last key fails.
    try visits.own.execute("ALTER TABLE app.visit ADD CHECK (id <= 200)")
    try visits.own.write("1_a.sql", up: "-- rivulet:batch app.visit id 30\n\(statement.sql);")
    if isScript {
      let run = try visits.runScript()
      #expect(run.status == 0, "\(run.output)")
    } else {
      #expect(complaint { try visits.own.up() } == "")
    }
    #expect(
      try visits.own.database.value("SELECT concat(max(id), ' ', count(*)) FROM app.visit")
        == "200 \(statement.rows)")
    #expect(try visits.own.states() == "1:applied")
  }

  @Test("is not moved by rows that come behind it meanwhile")
  func newRows() throws {
    let visits = try OwnBatches()
    try visits.own.execute(
      """
      CREATE SEQUENCE batch;
      CREATE FUNCTION more() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('batch') <= 5 THEN
          INSERT INTO app.visit (id, code) SELECT max(id) + 1, 'x' FROM app.visit;
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER more BEFORE UPDATE ON app.visit FOR EACH STATEMENT EXECUTE FUNCTION more();
      """)
    try visits.write()
    #expect(try visits.own.up() == ["1"])
    #expect(try visits.outcome() == "100/105 100/100")
  }

  @Test("is where it was when the statement goes on")
  func kept() throws {
    let visits = try OwnBatches()
    try visits.own.execute("ALTER TABLE app.visit ADD CHECK (id <> 77 OR norm IS NULL)")
    try visits.write()
    #expect(complaint { try visits.own.up() }.contains("23514"))
    try visits.own.execute(
      "ALTER TABLE app.visit DROP CONSTRAINT visit_check; INSERT INTO app.visit (id, code) VALUES (101, 'x')")
    #expect(try visits.own.up() == ["1"])
    #expect(try visits.outcome() == "100/101 100/100")
    #expect(
      try visits.own.database.value("SELECT count(end_key) FROM rivulet.migration_statement")
        == "0")
  }

  @Test("is not reached in silence where a policy hides rows", arguments: [false, true])
  func hidden(isScript: Bool) throws {
    let visits = try OwnBatches()
    try visits.own.execute(
      """
      DO $$ BEGIN CREATE ROLE batch_owner; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;
      GRANT USAGE ON SCHEMA app TO batch_owner; GRANT SELECT, UPDATE ON app.visit TO batch_owner;
      GRANT ALL ON touch TO batch_owner;
      ALTER TABLE app.visit ENABLE ROW LEVEL SECURITY;
      CREATE POLICY half ON app.visit USING (id > 50);
      """)
    try visits.write(head: "SET row_security = on; SET ROLE batch_owner;")
    if isScript {
      let run = try visits.runScript()
      #expect(run.status == 3 && run.output.contains("row-level security policy"), "\(run.output)")
    } else {
      let found = complaint { try visits.own.up() }
      #expect(
        found.hasPrefix("1_norm.sql:4:1: ERROR 42501: query would be affected"), "\(found)")
    }
    #expect(try visits.outcome() == "0/100 0/0")
  }

  @Test("is refused where a table that inherits may have no key")
  func inherited() throws {
    let visits = try OwnBatches()
    try visits.own.execute(
      "CREATE TABLE app.child () INHERITS (app.visit); ALTER TABLE app.child ALTER id DROP NOT NULL")
    try visits.write()
    #expect(complaint { try visits.own.up() }.contains("1_norm.sql:3:1: app.child.id may be null"))
    try visits.own.execute(
      """
      ALTER TABLE app.child ALTER id SET NOT NULL;
      INSERT INTO app.child (id, code) VALUES (50, 'x'), (0, 'x');
      """)
    #expect(try visits.own.up() == ["1"])
    #expect(try visits.own.database.value("SELECT count(norm) FROM app.visit") == "102")
  }

  @Test("is not looked for along a key of another type than that which was begun with")
  func retyped() throws {
    let visits = try OwnBatches()
    try visits.own.execute("ALTER TABLE app.visit ADD CHECK (id <> 77 OR norm IS NULL)")
    try visits.write()
    #expect(complaint { try visits.own.up() }.contains("23514"))
    for (type, name) in [
      ("text", "pg_catalog.text"), ("text COLLATE german", "pg_catalog.text COLLATE public.german"),
    ] {
      try visits.own.execute(
        """
        ALTER TABLE app.visit DROP CONSTRAINT IF EXISTS visit_check;
        ALTER TABLE app.visit ALTER id TYPE \(type);
        """)
      let found = complaint { try visits.own.up() }
      #expect(
        found.hasPrefix("1_norm.sql:3:1: the key of app.visit has another type or collation")
          && found.contains("then pg_catalog.int4, now \(name)"), "\(found)")
      let run = try visits.runScript()
      #expect(run.status == 3 && run.output.contains("another type or collation"), "\(run.output)")
    }
    try visits.own.execute("ALTER TABLE app.visit ALTER id TYPE int USING id::int")
    #expect(try visits.own.up() == ["1"])
    #expect(try visits.outcome() == "100/100 100/100")
  }
}
