import Host
import TestSupport
import Testing

@testable import MigrationEngine

/// Folders of goose, node-pg-migrate, sqlx and Liquibase.
@Suite("Folders of goose, node-pg-migrate, sqlx and Liquibase")
struct MoreFolderTests {
  private static let goose = [
    "00001_a.sql": """
    -- +goose Up
    CREATE TABLE a (n int);
    -- +goose StatementBegin
    CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$;
    -- +goose StatementEnd

    -- +goose Down
    DROP FUNCTION f();
    DROP TABLE a;
    """,
    "00002_b.sql":
      "-- +goose NO TRANSACTION\n-- +goose up\nCREATE INDEX CONCURRENTLY b ON a (n);\n-- +goose Down\nDROP INDEX b;",
  ]

  private static let nodePgMigrate = [
    "1700000000001_a.sql": "-- Up Migration\nCREATE TABLE a (n int);\n-- Down Migration\nDROP TABLE a;",
    "1700000000002_b-c.sql": "-- Up Migration\nCREATE INDEX b ON a (n);\n-- Down Migration\nDROP INDEX b;",
  ]

  private static let sqlx = [
    "20240101000000_a.sql": "CREATE TABLE a (n int);",
    "20240102000000_b.sql": "-- no-transaction\nCREATE INDEX CONCURRENTLY b ON a (n);",
  ]

  private static let liquibase = [
    "changes/1.sql": """
    --liquibase formatted sql
    --property name:table value:a
    --changeset ann:first
    --comment what it is
    CREATE TABLE ${table} (n int);
    --rollback DROP TABLE ${table};

    --changeset ann:other dbms:mysql,h2
    CREATE TABLE a (n int) ENGINE=InnoDB;
    """,
    "changes/2.sql":
      "-- liquibase formatted sql logicalFilePath:two\n-- changeset bob b: x-2 runInTransaction:false labels:\"v 1\"\nCREATE INDEX CONCURRENTLY b ON a (n);\n/* liquibase rollback\nDROP INDEX\nb; */\n-- changeset bob b:x-3 ignore:true\nno SQL\n",
  ]

  @Test(
    "run as they are, and back where they have a way",
    arguments: [
      (goose, MigrationFormat.goose, ["00001 a", "00002 b"], true),
      (nodePgMigrate, .nodePgMigrate, ["1700000000001 a", "1700000000002 b-c"], true),
      (sqlx, .sqlx, ["20240101000000 a", "20240102000000 b"], false),
      (liquibase, .liquibase, ["ann:first first", "bob b:x-2 x-2"], true),
    ])
  func run(files: [String: String], format: MigrationFormat, labels: [String], hasWayBack: Bool) throws {
    let folder = try OwnMigrations(files)
    #expect(try folder.open().format == format)
    #expect(try folder.labelsUp() == labels)
    #expect(try folder.tables() == "a")
    #expect(
      try folder.database.value("SELECT indisvalid FROM pg_index WHERE indexrelid = 'b'::regclass") == "t")
    #expect(try folder.engine().status().isInStep)
    guard hasWayBack else {
      #expect(complaint { try folder.down(.version("0")) }.contains("cannot be reverted"))
      return
    }
    try folder.down(.version("0"))
    #expect(try folder.tables() == nil)
  }

  private static let tables = [
    "goose": """
    CREATE TABLE goose_db_version (id serial PRIMARY KEY, version_id bigint, is_applied boolean, tstamp timestamp);
    INSERT INTO goose_db_version (version_id, is_applied) VALUES (0, true), (1, true), (2, true), (2, false);
    """,
    "node-pg-migrate": """
    CREATE TABLE pgmigrations (id serial PRIMARY KEY, name varchar(255) NOT NULL, run_on timestamp);
    INSERT INTO pgmigrations (name) VALUES ('1700000000001_a');
    """,
    "sqlx": """
    CREATE TABLE _sqlx_migrations (version bigint PRIMARY KEY, description text NOT NULL, installed_on timestamptz,
      success boolean NOT NULL, checksum bytea NOT NULL, execution_time bigint);
    INSERT INTO _sqlx_migrations VALUES (20240101000000, 'a', now(), true, sha384('CREATE TABLE a (n int);'), 1);
    """,
    "liquibase": """
    CREATE TABLE databasechangelog (id varchar(255), author varchar(255), filename varchar(255), orderexecuted int);
    INSERT INTO databasechangelog VALUES ('first', 'ann', 'changes/1.sql', 1);
    """,
  ]

  @Test(
    "are taken over from their tools' tables, and go on",
    arguments: [
      (goose, "goose"), (nodePgMigrate, "node-pg-migrate"), (sqlx, "sqlx"), (liquibase, "liquibase"),
    ])
  func baseline(files: [String: String], name: String) throws {
    let folder = try OwnMigrations(files)
    try folder.execute("CREATE TABLE a (n int);" + (MoreFolderTests.tables[name] ?? ""))
    let tool = try #require(MigrationTool(rawValue: name))
    let baseline = try folder.engine().baseline(.tool(tool, table: nil))
    #expect(baseline.taken.count == 1 && baseline.pending.count == 1)
    #expect(try folder.labelsUp().count == 1)
    #expect(try folder.engine().status().isInStep)
  }

  @Test("is not taken over where a file is not what sqlx has run")
  func edited() throws {
    let folder = try OwnMigrations(MoreFolderTests.sqlx)
    try folder.execute(MoreFolderTests.tables["sqlx"] ?? "")
    try folder.scratch.write("20240101000000_a.sql", "CREATE TABLE a (n bigint);")
    #expect(
      complaint { try folder.engine().baseline(.tool(.sqlx, table: nil)) }.contains(
        "not what '_sqlx_migrations' says"))
  }

  @Test(
    "say what cannot be run",
    arguments: [
      (["1_a.sql": "-- +goose Up\n", "2_b.go": ""], "2_b.go: this migration is a program (.go)"),
      (["1_a.sql": "-- +goose Up\n", "2_b.sql": "SELECT 1;"], "2_b.sql:1: there is no '-- +goose Up' first"),
      (["1_a.sql": "-- +goose Up\n-- +goose Sideways\n"], "1_a.sql:2: unknown mark '+goose Sideways'"),
      (["1_a.sql": "-- Up Migration\n", "2_b.js": ""], "2_b.js: this migration is a program (.js)"),
      (["20240101_a.sql": "", "b.sql": ""], "b.sql: not a name that sqlx takes"),
      (
        ["a.sql": "--liquibase formatted sql\n", "b.sql": ""],
        "b.sql: this does not begin with '--liquibase formatted sql'"
      ),
      (
        ["a.sql": "--liquibase formatted sql\n", "b.xml": "<changeSet/>"], "b.xml: changesets that are no SQL"
      ),
      (
        ["a.sql": "--liquibase formatted sql\n--changeset ann\n"],
        "a.sql:2: a changeset without author and id"
      ),
      (
        ["a.sql": "--liquibase formatted sql\n--changeset ann:1 endDelimiter:/\n"],
        "a.sql:2: rivulet does not know endDelimiter:/"
      ),
      (
        ["a.sql": "--liquibase formatted sql\n--changeset a:1\n--preconditions onFail:MARK_RAN\nSELECT 1;"],
        "a.sql:3: rivulet does not know preconditions"
      ),
      (
        ["a.sql": "--liquibase formatted sql\n", "m.json": "{\"databaseChangeLog\": [{\"include\": {}}]}"],
        "m.json: a changelog in JSON, which rivulet does not read"
      ),
      (["V1__a.sql": "", "V2__b.SQL": ""], "V2__b.SQL: not a name that Flyway takes"),
      (["001_create.rb": ""], "Rails' migrations are programs: start from its structure.sql"),
      (["structure.sql": ""], "'rivulet migrate new structure --from structure.sql'"),
      (["env.py": ""], "'alembic upgrade --sql' writes them as SQL"),
      (["db.xml": ""], "'liquibase update-sql' writes them as SQL"),
    ])
  func refusals(files: [String: String], sentence: String) throws {
    let folder = try OwnMigrations(files)
    let found = complaint { try folder.open().requireRunnable() }
    #expect(found.contains(sentence), "\(found)")
  }

  @Test("tell changesets of one author and id in several files apart")
  func sameNames() throws {
    let text = "--liquibase formatted sql\n--changeset ann:1\n"
    let folder = try OwnMigrations([
      "a.sql": text + "CREATE TABLE a (n int);", "b.sql": text + "CREATE TABLE b (n int);",
    ])
    try folder.execute(
      """
      CREATE TABLE a (n int);
      CREATE TABLE databasechangelog (id varchar(255), author varchar(255), filename varchar(255), orderexecuted int);
      INSERT INTO databasechangelog VALUES ('1', 'ann', 'b.sql', 2), ('1', 'ann', 'a.sql', 1);
      """)
    #expect(
      try folder.engine().baseline(.tool(.liquibase, table: nil)).taken.map(\.version) == [
        "ann:1", "ann:1#2",
      ])
  }

  @Test("say what to do about the tool's own table, and about a transaction that is in the way")
  func hints() throws {
    let own = try OwnMigrations(["V1__a.sql": "REVOKE ALL ON flyway_schema_history FROM PUBLIC;"])
    #expect(complaint { try own.labelsUp() }.contains("it is the history of the tool that the folder is of"))
    let commits = "DO $$ BEGIN COMMIT; END $$;"
    let golang = try OwnMigrations(["1_a.up.sql": commits])
    #expect(
      complaint { try golang.labelsUp() }.contains(
        "'-- no-transaction' as the first line for sqlx and golang-migrate"))
    try golang.scratch.write("1_a.up.sql", "-- no-transaction\n" + commits)
    #expect(try golang.labelsUp() == ["1 a"])
  }

  @Test("begin with Rails' whole schema, or with a dump by pg_dump")
  func structure() throws {
    let folder = try OwnMigrations()
    let other = try OwnMigrations()
    try other.execute(
      "CREATE TABLE a (n serial PRIMARY KEY); CREATE VIEW b AS SELECT n FROM a; COMMENT ON VIEW b IS 'x';")
    let dump = try Subprocess(["pg_dump", "--schema-only", "--no-owner", other.database.url]).run()
    let scratch = try Scratch()
    let rails = "\nINSERT INTO \"schema_migrations\" (version) VALUES\n('20240101000000');\n"
    let text =
      dump.output + "CREATE TABLE public.\"schema_migrations\" (version varchar);SET search_path = public;"
      + rails
    let path = try scratch.write("structure.sql", text)
    _ = try folder.open(mayBeEmpty: true).writeNew("structure", text: MigrationFolder.text(ofDump: path))
    #expect(try folder.labelsUp() == ["0001 structure"])
    #expect(try folder.tables() == "aschema_migrations")
    #expect(complaint { try folder.down() }.contains("structure.sql has no way back"))
  }

  @Test("have values of the environment where goose is asked to put them in")
  func environment() throws {
    let folder = try OwnMigrations([
      "1_a.sql":
        "-- +goose ENVSUB ON\n-- +goose Up\nCREATE TABLE a AS SELECT '${PATH}' AS path, '${other}' AS it;"
    ])
    #expect(try folder.labelsUp(["other": "x"]) == ["1 a"])
    #expect(
      try folder.database.value("SELECT path || it FROM a") == (Machine.environment("PATH") ?? "") + "x")
  }
}
