import PostgreSQL
import TestSupport
import Testing

@testable import MigrationEngine

/// What a role that may not do something reads, and what it is given.
@Suite("Rights") struct RightsTests {
  /// A migration that is refused, and what gives the right.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What is there before, as a superuser.
    var setup = ""
    let up: String
    /// With `$role`, `$owner` and `$database` for names of the test's own.
    let grants: [String]
  }

  /// `app.t` belongs to a superuser, `app.o` to a role that is none; everybody may use the schema.
  private static let setup = """
    CREATE SCHEMA app; GRANT USAGE ON SCHEMA app TO PUBLIC;
    CREATE TABLE app.t (n int PRIMARY KEY); CREATE TABLE app.o (n int); ALTER TABLE app.o OWNER TO $owner;
    CREATE SCHEMA closed; CREATE TABLE closed.t (n int); CREATE SEQUENCE app.numbers;
    CREATE FUNCTION app.f(int) RETURNS int LANGUAGE sql AS 'SELECT 1';
    REVOKE ALL ON FUNCTION app.f FROM PUBLIC;
    GRANT CREATE ON DATABASE $database TO $role;
    """

  static let cases = [
    Case(
      testDescription: "CREATE on the database", setup: "REVOKE CREATE ON DATABASE $database FROM $role",
      up: "CREATE SCHEMA another;", grants: ["GRANT CREATE ON DATABASE $database TO $role"]),
    Case(
      testDescription: "CREATE on a schema", up: "CREATE TABLE app.mine (n int);",
      grants: ["GRANT CREATE ON SCHEMA app TO $role"]),
    Case(
      testDescription: "USAGE on a schema", setup: "GRANT SELECT ON closed.t TO $role",
      up: "SELECT FROM closed.t;", grants: ["GRANT USAGE ON SCHEMA closed TO $role"]),
    Case(
      testDescription: "SELECT on a table", up: "CREATE TABLE mine.u AS SELECT n FROM app.t;",
      grants: ["GRANT SELECT ON TABLE app.t TO $role"]),
    Case(
      testDescription: "INSERT on a table", up: "INSERT INTO app.t VALUES (1);",
      grants: ["GRANT INSERT ON TABLE app.t TO $role"]),
    Case(
      testDescription: "UPDATE on a table, in a block", up: "DO $$ BEGIN UPDATE app.t SET n = n; END $$;",
      grants: ["GRANT SELECT, UPDATE ON TABLE app.t TO $role"]),
    Case(
      testDescription: "DELETE on a table", setup: "GRANT SELECT ON app.t TO $role",
      up: "DELETE FROM ONLY app.t WHERE n = 1;", grants: ["GRANT DELETE ON TABLE app.t TO $role"]),
    Case(
      testDescription: "REFERENCES on a table",
      up: "CREATE TABLE mine.u (n int REFERENCES app.t);",
      grants: ["GRANT REFERENCES ON TABLE app.t TO $role"]),
    Case(
      testDescription: "TRIGGER on a table",
      up: """
        CREATE FUNCTION mine.g() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
        CREATE TRIGGER g BEFORE INSERT ON app.t FOR EACH ROW EXECUTE FUNCTION mine.g();
        """, grants: ["GRANT TRIGGER ON TABLE app.t TO $role"]),
    Case(
      testDescription: "USAGE on a sequence", up: "SELECT nextval('app.numbers');",
      grants: ["GRANT USAGE ON SEQUENCE app.numbers TO $role"]),
    Case(
      testDescription: "EXECUTE on a function", up: "SELECT app.f(1);",
      grants: ["GRANT EXECUTE ON ROUTINE app.f(integer) TO $role"]),
    Case(
      testDescription: "USAGE on a type",
      setup: "CREATE TYPE app.kind AS ENUM ('a'); REVOKE USAGE ON TYPE app.kind FROM PUBLIC",
      up: "CREATE TABLE mine.u (k app.kind[]);", grants: ["GRANT USAGE ON TYPE app.kind TO $role"]),
    Case(
      testDescription: "ALTER SYSTEM of a setting", up: "ALTER SYSTEM SET log_rotation_age = '1d';",
      grants: ["GRANT ALTER SYSTEM ON PARAMETER log_rotation_age TO $role"]),
    Case(
      testDescription: "the role of an owner", up: "ALTER TABLE app.o ADD m int;",
      grants: ["GRANT $owner TO $role"]),
    Case(
      testDescription: "another owner than a superuser", up: "ALTER TABLE app.t ADD m int;",
      grants: ["ALTER TABLE app.t OWNER TO $role"]),
    Case(
      testDescription: "the right to grant",
      up: "GRANT SELECT ON app.o TO PUBLIC;", grants: ["GRANT $owner TO $role"]),
    Case(
      testDescription: "TEMPORARY on the database",
      setup: "REVOKE TEMPORARY ON DATABASE $database FROM PUBLIC",
      up: "CREATE TEMP TABLE passing (n int);", grants: ["GRANT TEMPORARY ON DATABASE $database TO $role"]),
    Case(
      testDescription: "a predefined role", up: "DO $$ BEGIN PERFORM pg_read_file('PG_VERSION'); END $$;",
      grants: ["GRANT EXECUTE ON ROUTINE pg_catalog.pg_read_file(text) TO $role"]),
    Case(
      testDescription: "membership to give something away",
      up: "CREATE TABLE mine.u (n int); ALTER TABLE mine.u OWNER TO $owner;",
      grants: ["GRANT $owner TO $role", "GRANT CREATE ON SCHEMA mine TO $owner"]),
    Case(
      testDescription: "an extension that only a superuser may make",
      up: "CREATE EXTENSION IF NOT EXISTS pageinspect;",
      grants: ["CREATE EXTENSION IF NOT EXISTS pageinspect"]),
    Case(
      testDescription: "an extension that is trusted",
      setup: "REVOKE CREATE ON DATABASE $database FROM $role",
      up: "CREATE EXTENSION IF NOT EXISTS citext;", grants: ["GRANT CREATE ON DATABASE $database TO $role"]),
    Case(
      testDescription: "a setting of superusers", up: "SET log_statement = 'none';",
      grants: ["GRANT SET ON PARAMETER log_statement TO $role"]),
  ]

  private let own: OwnMigrations
  private let names: [String: String]
  private let administration: Connection

  init() throws {
    own = try OwnMigrations()
    administration = try own.database.connect()
    let name = own.database.name
    names = ["$role": "r\(name)", "$owner": "o\(name)", "$database": name]
    try administration.execute(filled("CREATE ROLE $role LOGIN; CREATE ROLE $owner;" + Self.setup))
  }

  private func filled(_ text: String) -> String {
    names.reduce(text) { $0.replacing($1.key, with: $1.value) }
  }

  private func connection() throws -> Connection {
    try Connection(to: try own.database.target.user(filled("$role")))
  }

  private func up() throws {
    try MigrationEngine(connection: try connection(), folder: try own.open()).up(.natural) { _, _ in }
  }

  private func missing() throws -> [String] {
    let search = RightsSearch(target: administration, folder: try own.open(), role: filled("$role"))
    return try search.missing().map(\.sql)
  }

  /// The catalog, and a schema of the role's own.
  private func begin() throws {
    try own.write("0001_mine.sql", up: "CREATE SCHEMA mine;")
    try up()
  }

  @Test("a right that is missing is named by the narrowest GRANT, which is enough", arguments: cases)
  func named(_ refused: Case) throws {
    try begin()
    try administration.execute(filled(refused.setup))
    try own.write("0002_refused.sql", up: filled(refused.up))
    for grant in refused.grants.map(filled) {
      let said = complaint { try up() }
      #expect(said.contains("An administrator runs once: \(grant);"), "\(said)")
      try administration.execute(grant)
    }
    try up()
  }

  /// Those whose lack is found by running them where the owners and privileges are those of the database.
  private static let telling: Set<String> = [
    "CREATE on the database", "USAGE on a schema", "the role of an owner", "another owner than a superuser",
    "an extension that only a superuser may make", "membership to give something away",
  ]

  @Test(
    "what a role lacks is found on a shadow, and no more",
    arguments: cases.filter { telling.contains($0.testDescription) })
  func found(_ refused: Case) throws {
    try begin()
    try administration.execute(filled(refused.setup))
    try own.write("0002_refused.sql", up: filled(refused.up))
    let missing = try missing()
    #expect(missing == refused.grants.map(filled))
    for grant in missing { try administration.execute(grant) }
    try up()
  }

  @Test("what was found for many migrations is enough for all of them, and nothing is missing then")
  func enough() throws {
    try begin()
    for (number, refused) in zip(2..., Self.cases) {
      try administration.execute(filled(refused.setup))
      let up = "DROP TABLE IF EXISTS mine.u;" + refused.up
      try own.write("\(number)_refused.sql", up: filled(up))
    }
    for grant in try missing() { try administration.execute(grant) }
    #expect(try missing() == [])
    try up()
  }

  @Test("roles that migrations make where they are missing are to be made once; others need CREATEROLE")
  func roles() throws {
    try begin()
    let made = filled("made_$role")
    try own.write(
      "0002_careful.sql",
      up: """
        DO $$ BEGIN
          IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '\(made)') THEN CREATE ROLE \(made) NOLOGIN; END IF;
        END $$;
        GRANT USAGE ON SCHEMA mine TO \(made);
        """)
    #expect(try missing() == ["CREATE ROLE \(made) NOLOGIN"])
    try own.write("0003_careless.sql", up: "CREATE ROLE \(made)_too;")
    #expect(try missing() == ["CREATE ROLE \(made) NOLOGIN", filled("ALTER ROLE $role CREATEROLE")])
    #expect(try administration.query("SELECT FROM pg_roles WHERE rolname = $1", [.text(made)]).count == 0)
  }

  @Test("a superuser lacks nothing; a role that is not there is an error")
  func others() throws {
    try own.writeThree()
    let search = { (role: String) in
      try RightsSearch(target: administration, folder: try own.open(), role: role).missing()
    }
    #expect(try search("rivulet") == [])
    #expect(throws: RightsSearch.Problem.self) { try search("nobody_by_this_name") }
  }
}
