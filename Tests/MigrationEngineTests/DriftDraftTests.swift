import Host
import PostgreSQL
import TestSupport
import Testing

@testable import MigrationEngine

/// The migration that is drafted from what was changed by hand.
@Suite("A migration drafted from drift") struct DriftDraftTests {
  private let own: OwnMigrations
  private let connection: Connection

  init() throws {
    own = try OwnMigrations()
    connection = try own.database.connect()
    try connection.execute(SchemaSnapshotTests.roles)
    try own.write(
      "0001_base.sql",
      up: """
        CREATE SCHEMA app;
        CREATE TABLE app.t (n int CONSTRAINT n_is_positive CHECK (n > 0), note text DEFAULT 'none');
        CREATE TABLE app.gone (n int PRIMARY KEY); CREATE INDEX gone_n ON app.gone (n);
        CREATE FUNCTION app.f() RETURNS int LANGUAGE sql AS 'SELECT 1';
        CREATE VIEW app.v AS SELECT n FROM app.t; COMMENT ON VIEW app.v IS 'all';
        """)
    try own.up()
  }

  private func draft() throws -> String? { try SchemaDrift.draft(on: connection, place: .beside(connection)) }

  /// The schema that the folder makes in an empty database, and that it leaves when the last migration is reverted.
  private func made() throws -> (up: SchemaSnapshot, down: SchemaSnapshot) {
    let database = try TestServer.shared.makeDatabase()
    let other = try database.connect()
    let engine = MigrationEngine(connection: other, folder: try own.open())
    try engine.up(.natural) { _, _ in }
    let up = try SchemaSnapshot.read(from: other)
    try engine.down(.natural) { _, _ in }
    return (up, try SchemaSnapshot.read(from: other))
  }

  @Test(
    "makes in an empty database what is in this one, and its down what the folder made before",
    arguments: [
      "ALTER TABLE app.t ADD by_hand numeric(8,2) NOT NULL DEFAULT 0, ADD CONSTRAINT few CHECK (by_hand < 10)",
      "ALTER TABLE app.t DROP COLUMN note; ALTER TABLE app.t DROP CONSTRAINT n_is_positive",
      "ALTER TABLE app.t DROP CONSTRAINT n_is_positive, ADD CONSTRAINT n_is_positive CHECK (n > 1)",
      "DROP TABLE app.gone; DROP VIEW app.v",
      "CREATE OR REPLACE FUNCTION app.f() RETURNS int LANGUAGE sql AS 'SELECT 2'",
      """
      CREATE TYPE app.kind AS ENUM ('a', 'b'); ALTER TABLE app.t ADD kind app.kind DEFAULT 'a';
      CREATE TABLE app.extra (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, kind app.kind);
      CREATE INDEX t_kind ON app.t (kind); CREATE VIEW app.w AS SELECT * FROM app.extra
      """,
      """
      COMMENT ON TABLE app.t IS 'by hand'; COMMENT ON VIEW app.v IS NULL;
      GRANT SELECT, INSERT ON app.t TO snapshot_reader; CREATE SCHEMA other; GRANT USAGE ON SCHEMA other TO PUBLIC
      """,
    ])
  func leads(changes: String) throws {
    let before = try SchemaSnapshot.read(from: connection)
    try connection.execute(changes)
    let text = try #require(try draft())
    #expect(!text.contains("To be written by hand"), "\(text)")
    _ = try own.open().writeNew("by hand", text: text)
    let made = try made()
    let present = try SchemaSnapshot.read(from: connection)
    #expect(made.up.differences(to: present).map { $0.line(.drift) } == [], "\(text)")
    #expect(made.down.differences(to: before).map { $0.line(.drift) } == [], "\(text)")
  }

  @Test("says what no rule can write, and is none where nothing was changed")
  func rest() throws {
    #expect(try draft() == nil)
    try connection.execute(
      "DROP VIEW app.v; ALTER TABLE app.t ALTER n TYPE bigint; CREATE VIEW app.v AS SELECT n FROM app.t; COMMENT ON VIEW app.v IS 'all'"
    )
    #expect(
      try draft()?.contains("-- To be written by hand: table app.t: column n: was integer, now bigint\n")
        == true)
  }
}
