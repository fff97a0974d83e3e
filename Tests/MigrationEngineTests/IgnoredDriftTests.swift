import PostgreSQL
import TestSupport
import Testing

@testable import MigrationEngine

/// What is in a database beside what its migrations make, and is no drift.
@Suite("Ignored drift") struct IgnoredDriftTests {
  private let own: OwnMigrations
  private let connection: Connection

  init() throws {
    own = try OwnMigrations()
    connection = try own.database.connect()
    try own.write("0001_base.sql", up: "CREATE SCHEMA app; CREATE TABLE app.t (n int);")
    try own.up()
  }

  private func drift(ignoring patterns: [String] = []) throws -> [String] {
    try SchemaDrift.lines(on: connection, place: .beside(connection), ignoring: patterns)
  }

  /// As each tool makes them.
  private static let histories = [
    """
    CREATE TABLE flyway_schema_history (installed_rank int PRIMARY KEY, version varchar(50), description varchar(200),
      type varchar(20), script varchar(1000), checksum int, installed_by varchar(100), installed_on timestamp,
      execution_time int, success bool);
    CREATE INDEX flyway_schema_history_s_idx ON flyway_schema_history (success)
    """,
    "CREATE TABLE schema_migrations (version bigint PRIMARY KEY, dirty boolean NOT NULL)",
    """
    CREATE TABLE schema_migrations (version varchar PRIMARY KEY);
    CREATE TABLE ar_internal_metadata (key varchar PRIMARY KEY, value varchar, created_at timestamp, updated_at timestamp)
    """,
    """
    CREATE TABLE databasechangelog (id varchar, author varchar, filename varchar, dateexecuted timestamp,
      orderexecuted int, exectype varchar, md5sum varchar, description varchar, comments varchar, tag varchar,
      liquibase varchar, contexts varchar, labels varchar, deployment_id varchar);
    CREATE TABLE databasechangeloglock (id int PRIMARY KEY, locked bool, lockgranted timestamp, lockedby varchar)
    """,
    "CREATE TABLE goose_db_version (id serial PRIMARY KEY, version_id bigint, is_applied bool, tstamp timestamp)",
    """
    CREATE TABLE _sqlx_migrations (version bigint PRIMARY KEY, description text, installed_on timestamptz, success bool,
      checksum bytea, execution_time bigint)
    """,
    "CREATE TABLE pgmigrations (id serial PRIMARY KEY, name varchar, run_on timestamp)",
    """
    CREATE SCHEMA sqitch; COMMENT ON SCHEMA sqitch IS 'Sqitch database deployment metadata v1.1.';
    CREATE TABLE sqitch.releases (version real PRIMARY KEY, installed_at timestamptz, installer_name text,
      installer_email text);
    CREATE TABLE sqitch.projects (project text PRIMARY KEY, uri text, created_at timestamptz, creator_name text,
      creator_email text);
    CREATE TABLE sqitch.changes (change_id text PRIMARY KEY, script_hash text, change text,
      project text REFERENCES sqitch.projects, note text, committed_at timestamptz, committer_name text,
      committer_email text, planned_at timestamptz, planner_name text, planner_email text);
    CREATE TABLE sqitch.tags (tag_id text PRIMARY KEY, tag text, project text, change_id text, note text,
      committed_at timestamptz, committer_name text, committer_email text, planned_at timestamptz,
      planner_name text, planner_email text);
    CREATE TABLE sqitch.dependencies (change_id text, type text, dependency text, dependency_id text);
    CREATE TABLE sqitch.events (event text, change_id text, change text, project text, note text, requires text[],
      conflicts text[], tags text[], committed_at timestamptz, committer_name text, committer_email text,
      planned_at timestamptz, planner_name text, planner_email text)
    """,
  ]

  @Test("another tool's history is none", arguments: histories)
  func foreign(_ history: String) throws {
    try connection.execute(history)
    #expect(try drift() == [])
  }

  @Test("a table of such a name with other columns is")
  func others() throws {
    try connection.execute(
      "CREATE TABLE schema_migrations (version text, hash text); CREATE TABLE events (n int)")
    #expect(try drift().count == 2)
  }

  @Test(
    "what a pattern names is none, with all that belongs to it",
    arguments: [
      ("table app.tmp_*", ["CREATE TABLE app.tmp_1 (n int UNIQUE); CREATE INDEX ON app.tmp_1 (n)"]),
      (
        "schema scratch",
        [
          "CREATE SCHEMA scratch; CREATE TABLE scratch.x (n int); CREATE FUNCTION scratch.f() RETURNS int LANGUAGE sql RETURN 1"
        ]
      ),
      ("index app.*_by_hand", ["CREATE INDEX t_by_hand ON app.t (n)"]),
      ("table app.t", ["ALTER TABLE app.t ADD m int"]),
    ])
  func patterns(pattern: String, statements: [String]) throws {
    for statement in statements { try connection.execute(statement) }
    #expect(try drift() != [])
    #expect(try drift(ignoring: [pattern]) == [])
    // What is beside it stays.
    try connection.execute("CREATE TABLE app.other (n int)")
    #expect(
      try drift(ignoring: [pattern]) == ["table app.other: is in the database, and no migration made it"])
  }
}
