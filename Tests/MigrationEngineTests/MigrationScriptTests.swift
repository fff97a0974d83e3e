import Host
import TestSupport
import Testing

@testable import MigrationEngine

/// Pending migrations as a script that a DBA runs by hand.
@Suite("A script of what is pending")
struct MigrationScriptTests {
  private static let files = [
    "0001_a.sql": """
    -- rivulet:require
    SELECT 1;
    SELECT to_regclass('a') IS NULL;
    -- rivulet:up lock_timeout=3s
    SET search_path = public;
    CREATE TABLE a (n int, t text);
    COPY a FROM stdin;
    1	it's \\\\ here
    \\.
    COMMENT ON TABLE a IS 'é; $$';
    -- rivulet:down
    DROP TABLE a;
    -- rivulet:verify
    SELECT 1 / count(*) FROM a
    """,
    "0002_b.sql":
      "-- rivulet:up\nSET work_mem = '5MB';\nCREATE INDEX CONCURRENTLY a_n ON a (n);\nINSERT INTO a VALUES (2, current_setting('work_mem'))\n",
    "0003_c.sql":
      "-- rivulet:up transaction=own\nBEGIN ISOLATION LEVEL SERIALIZABLE;\nINSERT INTO a VALUES (3);\nCOMMIT;\nINSERT INTO a VALUES (4);",
    "0004_d.sql": "-- rivulet:up placeholders=on\nINSERT INTO a VALUES (5, '${secret}');",
    "R_v.sql": "CREATE OR REPLACE VIEW v AS SELECT n FROM a;",
  ]

  private func psql(_ database: TestDatabase, _ script: String) throws -> (status: Int32, output: String) {
    let scratch = try Scratch()
    let run = try Subprocess(["psql", database.url, "-Xq", "-f", scratch.write("s.sql", script)]).run()
    return (run.status, run.output)
  }

  @Test(
    "leaves the schema, the rows and the history as up does, and is refused where others have been at work")
  func same() throws {
    let folder = try OwnMigrations(MigrationScriptTests.files)
    let values = ["secret": "hunter2"]
    let script = try folder.engine(placeholders: values).script(.natural)
    // Nothing has been made.
    #expect(try folder.database.value("SELECT to_regnamespace('rivulet')") == nil)
    let run = try psql(folder.database, script)
    #expect(run.status == 0, "\(run.output)")
    #expect(try folder.engine().status().isInStep)
    #expect(try folder.labelsUp(values) == [])
    let other = try OwnMigrations(MigrationScriptTests.files)
    #expect(try other.labelsUp(values).count == 5)
    let (one, two) = (try folder.database.connect(), try other.database.connect())
    #expect(try SchemaSnapshot.read(from: one).differences(to: SchemaSnapshot.read(from: two)).isEmpty)
    for rows in [
      "SELECT string_agg(a::text, ' ' ORDER BY n) FROM a",
      "SELECT string_agg(concat(version, checksum, up_sql, down_sql, definition), '|' ORDER BY position) FROM rivulet.migration",
      "SELECT count(*) FROM rivulet.migration_statement",
    ] {
      let found = try folder.database.value(rows)
      #expect(try other.database.value(rows) == found)
      #expect(found?.contains("hunter2") == rows.contains("FROM a"))
    }
    let again = try psql(folder.database, script)
    #expect(again.status == 3 && again.output.contains("write a new one"), "\(again.output)")
  }

  @Test("goes on where a migration was left in part, and stops where a condition does not hold")
  func partial() throws {
    let folder = try OwnMigrations([
      "0001_a.sql": "-- rivulet:up\nCREATE TABLE a (n int);",
      "0002_b.sql":
        "-- rivulet:up transaction=off\nINSERT INTO a VALUES (1);\nINSERT INTO missing VALUES (1);",
      "0003_c.sql": "-- rivulet:require\nSELECT false;\n-- rivulet:up\nSELECT 1;",
    ])
    #expect(complaint { try folder.labelsUp() }.contains("42P01"))
    try folder.execute("CREATE TABLE missing (n int)")
    let run = try psql(folder.database, try folder.engine().script(.natural))
    #expect(
      run.status == 3 && run.output.contains("what the section require asks for is not true"), "\(run.output)"
    )
    #expect(try folder.states() == "0001:applied 0002:applied")
    #expect(
      try folder.database.value("SELECT (SELECT count(*) FROM a) || '/' || (SELECT count(*) FROM missing)")
        == "1/1")
  }

  @Test("is run once, and goes on after settings and in roles that are done")
  func resumed() throws {
    let folder = try OwnMigrations([
      "0001_a.sql":
        "-- rivulet:up\nCREATE TABLE gate AS SELECT 0 AS n;\nCREATE TABLE a (n int);\n"
        + "DO $$ BEGIN CREATE ROLE script_owner; EXCEPTION WHEN duplicate_object THEN NULL; END $$;\n"
        + "GRANT ALL ON SCHEMA public TO script_owner; GRANT ALL ON a TO script_owner;",
      "0002_b.sql":
        "-- rivulet:up transaction=own lock_timeout=900ms\nSET work_mem = '5MB';\nINSERT INTO a VALUES (1);\n"
        + "BEGIN;\nSET LOCAL ROLE script_owner;\nINSERT INTO a VALUES (2);\nCOMMIT;\n"
        + "INSERT INTO a SELECT 3 / n FROM gate;\nSET ROLE script_owner;\nINSERT INTO a SELECT 5 WHERE current_setting('work_mem') = '5MB';",
    ])
    #expect(try folder.up(.steps(1)) == ["0001"])
    let first = try folder.engine().script(.natural)
    #expect(first.contains("SET lock_timeout = '900ms'"))
    #expect(try psql(folder.database, first).output.contains("division by zero"))
    let again = try psql(folder.database, first)
    #expect(again.output.contains("write a new one"), "\(again.output)")
    #expect(try folder.states() == "0001:applied 0002:partial")
    try folder.execute("UPDATE gate SET n = 1")
    let run = try psql(folder.database, try folder.engine().script(.natural))
    #expect(run.status == 0, "\(run.output)")
    #expect(try folder.states() == "0001:applied 0002:applied")
    #expect(try folder.database.value("SELECT string_agg(n::text, ' ' ORDER BY n) FROM a") == "1 2 3 5")
  }

  @Test("is marked as applied or pending with a reason, and nothing is run")
  func marks() throws {
    let folder = try OwnMigrations()
    try folder.writeThree()
    #expect(try folder.up(.steps(1)) == ["0001"])
    let engine = try folder.engine()
    #expect(try engine.mark("2", .applied, reason: "by hand") == "0002 b counts as applied: by hand")
    #expect(try engine.status().pending.map(\.version) == ["0003"])
    #expect(try folder.tables() == "a")
    #expect(try engine.mark("0001", .pending, reason: "restored") == "0001 a counts as pending: restored")
    #expect(try engine.status().pending.map(\.version) == ["0001", "0003"])
    #expect(complaint { try engine.mark("2", .applied, reason: "x") }.contains("0002 b is applied already"))
    #expect(complaint { try engine.mark("3", .pending, reason: "x") }.contains("0003 c is pending already"))
    #expect(complaint { try engine.mark("4", .applied, reason: "x") }.contains("there is no migration 4"))
    let marks = "SELECT string_agg(version || state || reason, ' ' ORDER BY id) FROM rivulet.migration_mark"
    #expect(try folder.database.value(marks) == "0002appliedby hand 0001pendingrestored")
  }
}
