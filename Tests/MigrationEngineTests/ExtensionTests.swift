import Foundation
import PostgreSQL
import TestSupport
import Testing

@testable import MigrationEngine

/// What belongs to extensions is no part of a schema, and an extension that is missing is named with its
/// package.
@Suite("Extensions") struct ExtensionTests {
  private let own: OwnMigrations
  private let connection: Connection

  init() throws {
    own = try OwnMigrations()
    connection = try own.database.connect()
  }

  /// What extensions bring: made by hand and given to one, as its script would have.
  private static let members = """
    CREATE SCHEMA ext;
    CREATE TYPE ext.mood AS ENUM ('sad');
    CREATE DOMAIN ext.positive AS int CHECK (VALUE > 0);
    CREATE FUNCTION ext.touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END';
    CREATE FUNCTION ext.watch() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END';
    CREATE FUNCTION ext.same(ext.mood, ext.mood) RETURNS bool LANGUAGE sql IMMUTABLE AS 'SELECT true';
    CREATE OPERATOR ext.=== (LEFTARG = ext.mood, RIGHTARG = ext.mood, FUNCTION = ext.same);
    CREATE CAST (ext.mood AS int) WITH INOUT;
    CREATE EVENT TRIGGER ext_watch ON ddl_command_end EXECUTE FUNCTION ext.watch();
    CREATE TABLE ext.kept (
      id serial PRIMARY KEY, other int GENERATED ALWAYS AS IDENTITY, mood ext.mood DEFAULT 'sad', n ext.positive UNIQUE);
    ALTER TABLE ext.kept ADD CONSTRAINT unproven CHECK (other > 0) NOT VALID;
    ALTER TABLE ext.kept ALTER other SET STATISTICS 7, REPLICA IDENTITY FULL, ENABLE ROW LEVEL SECURITY;
    CREATE INDEX kept_mood ON ext.kept (mood);
    ALTER TABLE ext.kept CLUSTER ON kept_mood;
    CREATE STATISTICS ext.kept_both ON id, other FROM ext.kept;
    CREATE TRIGGER touch BEFORE UPDATE ON ext.kept FOR EACH ROW EXECUTE FUNCTION ext.touch();
    CREATE RULE quiet AS ON DELETE TO ext.kept DO INSTEAD NOTHING;
    CREATE POLICY all_of_it ON ext.kept;
    COMMENT ON INDEX ext.kept_mood IS 'x'; COMMENT ON CONSTRAINT unproven ON ext.kept IS 'x';
    COMMENT ON TRIGGER touch ON ext.kept IS 'x'; COMMENT ON COLUMN ext.kept.n IS 'x';
    CREATE VIEW ext.seen AS SELECT id FROM ext.kept;
    CREATE TEXT SEARCH CONFIGURATION ext.words (PARSER = default);
    """

  private static let giving = [
    "SCHEMA ext", "TYPE ext.mood", "DOMAIN ext.positive", "FUNCTION ext.touch()", "FUNCTION ext.watch()",
    "FUNCTION ext.same(ext.mood, ext.mood)", "OPERATOR ext.=== (ext.mood, ext.mood)",
    "CAST (ext.mood AS int)", "EVENT TRIGGER ext_watch", "TABLE ext.kept", "SEQUENCE ext.kept_id_seq",
    "VIEW ext.seen", "TEXT SEARCH CONFIGURATION ext.words",
  ].map { "ALTER EXTENSION hstore ADD \($0);" }.joined()

  @Test("everything that belongs to one is out of snapshots and dumps, with all that hangs on it")
  func members() throws {
    try connection.execute("CREATE EXTENSION hstore")
    let before = try SchemaSnapshot.read(from: connection)
    let dump = try SchemaDump(of: connection)
    try connection.execute(ExtensionTests.members)
    #expect(try before.differences(to: SchemaSnapshot.read(from: connection)).count >= 10)
    try connection.execute(ExtensionTests.giving)
    #expect(try before.differences(to: SchemaSnapshot.read(from: connection)).map { $0.line(.drift) } == [])
    let later = try SchemaDump(of: connection)
    #expect(later.sql == dump.sql)
    #expect(later.unsupported == [])
  }

  @Test("what a migration grants on it is said, and what it makes of it stays the schema's")
  func uses() throws {
    try connection.execute(
      SchemaSnapshotTests.roles + "CREATE EXTENSION hstore;" + ExtensionTests.members + ExtensionTests.giving)
    let before = try SchemaSnapshot.read(from: connection)
    try connection.execute(
      """
      GRANT SELECT ON ext.kept TO snapshot_reader; REVOKE EXECUTE ON FUNCTION akeys(hstore) FROM PUBLIC;
      CREATE TABLE uses (id int REFERENCES ext.kept, mood ext.mood, tags hstore);
      CREATE TABLE ext.of_its_schema (n int);
      """)
    let lines = try before.differences(to: SchemaSnapshot.read(from: connection)).map { $0.line(.wayBack) }
    #expect(
      lines == [
        "extension hstore: function public.akeys(public.hstore): rights taken from PUBLIC: was none, now EXECUTE",
        "extension hstore: table ext.kept: grants to snapshot_reader: was none, now SELECT",
        "table ext.of_its_schema: is left over", "table public.uses: is left over",
      ])
    let sql = try SchemaDump(of: connection).sql
    #expect(sql.contains("GRANT SELECT ON TABLE ext.kept TO snapshot_reader;"))
    #expect(sql.contains("REFERENCES ext.kept(id);"))
  }

  @Test("a plan says nothing of the locks on what belongs to one")
  func plan() throws {
    try connection.execute("CREATE EXTENSION pg_stat_statements; CREATE TABLE t (a int)")
    try own.write("0001_a.sql", up: "DROP EXTENSION pg_stat_statements;\nALTER TABLE t ADD b int;")
    let planner = MigrationPlanner(target: connection, folder: try own.open(), place: .beside(connection))
    #expect(try planner.plan(.natural).first?.locks.map(\.table) == ["public.t"])
  }

  @Test("one that the server has no files of is named with its package by verify, plan and drift")
  func missing() throws {
    try own.write("0001_t.sql", up: "CREATE TABLE t (a int);", down: "DROP TABLE t;")
    try own.up()
    try own.write("0017_maps.sql", up: "CREATE EXTENSION not_to_be_had;", down: "SELECT 1;")
    let major = connection.serverVersion / 10_000
    let cause = "0017_maps.sql:2:1: ERROR 0A000: extension \"not_to_be_had\" is not available"
    let remedy =
      "has no files of 'not_to_be_had': install the package that has it, by its usual name "
      + "postgresql-\(major)-not-to-be-had"

    let verifier = MigrationVerifier(folder: try own.open(), place: .beside(connection))
    var said: [String] = []
    #expect(try !verifier.run { said += $0.differences })
    #expect(said.count == 1)
    #expect(said.first?.contains(cause) == true)
    #expect(said.first?.hasSuffix("\nthe database's own server \(remedy)") == true)

    for place in [ShadowPlace.embedded, .beside(connection)] {
      let planner = MigrationPlanner(target: connection, folder: try own.open(), place: place)
      let error = #expect(throws: ShadowError.self) { try planner.plan(.natural) }
      #expect(error?.description.contains(cause) == true)
      #expect(error?.hint.contains(remedy) == true)
      guard case .embedded = place else { continue }
      #expect(
        error?.hint.hasSuffix(", or use --here, which makes the shadow in the database's own server") == true)
    }

    try connection.execute(
      "UPDATE rivulet.migration SET definition = replace(definition, 'TABLE t (a int)', 'EXTENSION not_to_be_had')"
    )
    let error = #expect(throws: ShadowError.self) {
      try SchemaDrift.lines(on: connection, place: .beside(connection))
    }
    #expect(error?.hint.contains(remedy) == true)
  }

  @Test(
    "the package is Debian's, by the server's major version",
    arguments: [
      ("postgis", "postgresql-16-postgis-3"), ("postgis_topology", "postgresql-16-postgis-3"),
      ("vector", "postgresql-16-pgvector"), ("pg_trgm", "postgresql-16"),
      ("plpython3u", "postgresql-plpython3-16"), ("hstore_plperl", "postgresql-plperl-16"),
    ])
  func package(name: String, package: String) throws {
    #expect(MissingExtension(name: name, major: 16).package == package)
  }

  private static let hasPostGIS: Bool = {
    let query = "SELECT name FROM pg_available_extensions WHERE name = 'postgis'"
    return (try? TestServer.shared.makeDatabase().value(query)) == "postgis"
  }()

  @Test(
    "a schema with PostGIS is dumped, made again, planned on and without drift",
    .enabled(if: ExtensionTests.hasPostGIS, "PostGIS is missing: apt-get install postgresql-15-postgis-3"))
  func postGIS() throws {
    for number in 1...16 {
      try own.write("00\(number + 10)_t\(number).sql", up: "CREATE TABLE t\(number) (n int);")
    }
    try own.write(
      "0027_maps.sql",
      up: """
        CREATE EXTENSION postgis;
        INSERT INTO spatial_ref_sys (srid, auth_name) VALUES (990000, 'own');
        CREATE TABLE place (id int PRIMARY KEY, at geometry(Point, 4326));
        CREATE INDEX place_at ON place USING gist (at);
        CREATE VIEW near AS SELECT p.id, s.srtext FROM place p JOIN spatial_ref_sys s ON s.srid = st_srid(p.at);
        GRANT SELECT ON geometry_columns TO PUBLIC;
        """)
    try own.up()
    #expect(try SchemaDrift.lines(on: connection, place: .beside(connection)) == [])
    let dump = try SchemaDump(of: connection)
    #expect(dump.unsupported == [])
    let copy = try TestServer.shared.makeDatabase().connect()
    for piece in dump.pieces { try copy.execute(piece) }
    #expect(try SchemaDump(of: copy).sql == dump.sql)
    try own.write("0028_more.sql", up: "ALTER TABLE place ADD COLUMN area geometry(Polygon, 4326);")
    let planner = MigrationPlanner(target: connection, folder: try own.open(), place: .beside(connection))
    #expect(try planner.plan(.natural).first?.locks.map(\.table) == ["public.place"])
  }
}
