import PostgreSQL
import TestSupport
import Testing

@testable import MigrationEngine

/// Databases that other tools have migrated, with their tables as they make them.
@Suite("Taking over a database")
struct BaselineTests {
  /// The tables of the tools' histories.
  private static let flyway = """
    CREATE TABLE flyway_schema_history (
      installed_rank int NOT NULL PRIMARY KEY, version varchar(50), description varchar(200) NOT NULL,
      type varchar(20) NOT NULL, script varchar(1000) NOT NULL, checksum int, installed_by varchar(100) NOT NULL,
      installed_on timestamp NOT NULL DEFAULT now(), execution_time int NOT NULL, success boolean NOT NULL);
    """
  private static let golangMigrate =
    "CREATE TABLE schema_migrations (version bigint NOT NULL PRIMARY KEY, dirty boolean NOT NULL);"
  private static let dbmate = "CREATE TABLE schema_migrations (version varchar PRIMARY KEY);"
  private static let sqitch = """
    CREATE SCHEMA sqitch;
    CREATE TABLE sqitch.changes (
      change_id text PRIMARY KEY, script_hash text, change text NOT NULL, project text NOT NULL,
      note text NOT NULL DEFAULT '', committed_at timestamptz NOT NULL DEFAULT clock_timestamp());
    """
  private static let liquibase = """
    CREATE TABLE databasechangelog (
      id varchar(255) NOT NULL, author varchar(255) NOT NULL, filename varchar(255) NOT NULL,
      dateexecuted timestamp NOT NULL DEFAULT now(), orderexecuted int NOT NULL, exectype varchar(10) NOT NULL);
    """

  /// Rows of Flyway's table, in order of their rank: version, description, type, checksum, success.
  private static func flywayRows(_ rows: String...) -> String {
    flyway
      + zip(1..., rows).map { rank, row in
        "INSERT INTO flyway_schema_history SELECT \(rank), v, d, t, '', c, 'me', now(), 1, s FROM "
          + "(VALUES (\(row))) x (v, d, t, c, s);"
      }.joined()
  }

  private static let three = ["V1__a.sql": "a", "V2__b.sql": "b", "V3__c.sql": "c"]

  private func taken(_ files: [String: String], _ sql: String, _ tool: MigrationTool, table: String? = nil)
    throws
    -> (Baseline, OwnMigrations)
  {
    let folder = try OwnMigrations(files)
    try folder.execute(sql)
    return (try folder.engine().baseline(.tool(tool, table: table)), folder)
  }

  /// What refuses, and that nothing was written.
  private func refusal(_ files: [String: String], _ sql: String, _ tool: MigrationTool) throws -> String {
    let folder = try OwnMigrations(files)
    try folder.execute(sql)
    let found = complaint { try folder.engine().baseline(.tool(tool, table: nil)) }
    #expect(try folder.engine().status().applied.isEmpty)
    return found
  }

  // MARK: By hand

  @Test("marks everything up to a version as applied, runs none of it, and goes on from there")
  func version() throws {
    let folder = try OwnMigrations([
      "0001_a.sql": "-- rivulet:up\nCREATE TABLE a (n int);\n-- rivulet:down\nDROP TABLE a;\n",
      "0002_b.sql": "-- rivulet:up\nCREATE TABLE b (n int);\n-- rivulet:down\nDROP TABLE b;\n",
      "0003_c.sql": "-- rivulet:up\nCREATE TABLE c (n int);\n-- rivulet:down\nDROP TABLE c;\n",
    ])
    try folder.execute("CREATE TABLE a (n int); CREATE TABLE b (n int)")
    let dry = try folder.engine().baseline(.version("2"), isDry: true)
    #expect(dry.taken.map(\.version) == ["0001", "0002"])
    #expect(try folder.engine().status().applied.isEmpty)
    let baseline = try folder.engine().baseline(.version("2"))
    #expect(baseline.taken.map(\.version) == ["0001", "0002"] && baseline.pending.map(\.version) == ["0003"])
    let status = try folder.engine().status()
    #expect(status.applied.map(\.state) == [.applied, .applied] && status.applied.allSatisfy(\.isBaseline))
    // Once more is no harm; another version is.
    #expect(try folder.engine().baseline(.version("2")).wasThere)
    #expect(
      complaint { try folder.engine().baseline(.version("1")) }.contains("other migrations here already"))
    #expect(try folder.labelsUp() == ["0003 c"])
    // What was taken over is reverted by the text of its file.
    try folder.down(.version("0"))
    #expect(try folder.tables() == nil)
  }

  @Test("does not know a version that no file has")
  func unknown() throws {
    let folder = try OwnMigrations(["0001_a.sql": "-- rivulet:up\nSELECT 1;\n"])
    #expect(complaint { try folder.engine().baseline(.version("7")) }.contains("there is no migration 7"))
  }

  @Test("leaves a database alone that this program has migrated")
  func migrated() throws {
    let folder = try OwnMigrations(["1_a.up.sql": "SELECT 1;", "2_b.up.sql": "SELECT 2;"])
    try folder.engine().up(.steps(1)) { _, _ in }
    try folder.execute(
      BaselineTests.golangMigrate + "INSERT INTO schema_migrations VALUES (2, false)")
    #expect(
      complaint { try folder.engine().baseline(.tool(.golangMigrate, table: nil)) }
        .contains("other migrations here already: 1 a"))
    #expect(try folder.engine().status().applied.map(\.isBaseline) == [false])
  }

  // MARK: Flyway

  @Test("reads Flyway's history: what was undone is pending, a baseline covers what is before it")
  func flywayHistory() throws {
    let (baseline, folder) = try taken(
      [
        "V1__a.sql": "a", "V2__b.sql": "b", "V3__c.sql": "c", "R__v.sql": "SELECT 1;\nSELECT 2;",
        "R__w.sql": "SELECT 3",
      ],
      BaselineTests.flywayRows(
        "'1', '<< Flyway Baseline >>', 'BASELINE', NULL::int, true",
        "'2', 'b', 'SQL', \(FlywayChecksum.of("b")), true", "'3', 'c', 'SQL', NULL::int, true",
        "'3', 'c', 'UNDO_SQL', NULL::int, true",
        "NULL::text, 'v', 'SQL', \(FlywayChecksum.of("SELECT 1;SELECT 2;")), true",
        "NULL::text, 'w', 'SQL', 1, true"), .flyway)
    #expect(baseline.taken.map(\.label) == ["1 a", "2 b", "R v"])
    #expect(baseline.pending.map(\.version) == ["3"])
    // A repeatable one that has changed since runs again.
    #expect(try folder.engine().status().pendingRepeatables.map(\.name) == ["w"])
  }

  @Test("compares a repeatable file with its placeholders replaced, as Flyway does")
  func flywayPlaceholders() throws {
    let folder = try OwnMigrations([
      "V1__a.sql": "a", "R__v.sql": "SELECT '${who}', '${flyway:defaultSchema} ${flyway:filename}';",
    ])
    let filled = FlywayChecksum.of("SELECT 'me', 'public R__v.sql';")
    try folder.execute(
      BaselineTests.flywayRows(
        "'1', 'a', 'SQL', NULL::int, true", "NULL::text, 'v', 'SQL', \(filled), true"))
    func labels(_ values: [String: String], isDry: Bool = true) throws -> [String] {
      let engine = try folder.engine(placeholders: values)
      return try engine.baseline(.tool(.flyway, table: nil), isDry: isDry).taken.map(\.label)
    }
    #expect(try labels(["who": "me"]) == ["1 a", "R v"])
    #expect(try labels([:]) == ["1 a"])
    #expect(try labels(["who": "you"], isDry: false) == ["1 a"])
    #expect(try folder.engine().status().pendingRepeatables.map(\.name) == ["v"])
  }

  @Test("reckons Flyway's checksum as Flyway does")
  func checksum() {
    // The check value of CRC-32, its bytes spread over lines.
    #expect(FlywayChecksum.of("123456789") == -873_187_034)
    #expect(FlywayChecksum.of("1234\n56789\n") == -873_187_034)
    #expect(FlywayChecksum.of("") == 0)
  }

  @Test("takes files over that were converted to our names with the same numbers")
  func converted() throws {
    let (baseline, _) = try taken(
      ["0001_a.sql": "-- rivulet:up\n", "0002_b.sql": "-- rivulet:up\n"],
      BaselineTests.flywayRows("'1', 'a', 'SQL', 5, true"), .flyway)
    #expect(baseline.taken.map(\.version) == ["0001"])
  }

  @Test("counts a baseline file as applied where the database is past it, and only there")
  func baselineFile() throws {
    let files = ["B3__all.sql": "SELECT 1;", "V4__d.sql": "SELECT 2;"]
    let past = BaselineTests.flywayRows(
      "'2', 'b', 'SQL', 1, true", "'3', 'c', 'SQL', 2, true", "'4', 'd', 'SQL', NULL::int, true")
    #expect(try taken(files, past, .flyway).0.taken.map(\.version) == ["3", "4"])
    let before = BaselineTests.flywayRows("'1', 'a', 'SQL', 1, true", "'2', 'b', 'SQL', 1, true")
    #expect(try refusal(files, before, .flyway).contains("no file for them: 1 a, 2 b"))
  }

  @Test(
    "refuses where Flyway's history and the folder do not agree",
    arguments: [
      (
        flywayRows("'1', 'a', 'SQL', NULL::int, true", "'2', 'b', 'SQL', NULL::int, false"),
        "flyway has left unfinished: 2 b"
      ),
      (flywayRows("'1', 'a', 'SQL', 7, true"), "not what 'flyway_schema_history' says was applied: 1 a"),
      (
        flywayRows("'1', 'a', 'SQL', NULL::int, true", "'3', 'c', 'SQL', NULL::int, true"),
        "knows nothing of them: 2 b"
      ),
      (
        flywayRows("'1', 'a', 'SQL', NULL::int, true", "'4', 'd', 'JDBC', NULL::int, true"),
        "the folder has no file for them: 4 d (JDBC)"
      ),
      (flyway, "says that nothing is applied"),
      ("", "there is no table 'flyway_schema_history' of flyway"),
    ])
  func flywayRefusals(sql: String, sentence: String) throws {
    let found = try refusal(BaselineTests.three, sql, .flyway)
    #expect(found.contains(sentence), "\(found)")
  }

  // MARK: The others

  @Test("takes everything up to golang-migrate's version, and nothing where it is dirty or unknown")
  func golangMigrateHistory() throws {
    let files = ["1_a.up.sql": "SELECT 1;", "2_b.up.sql": "SELECT 2;", "10_c.up.sql": "SELECT 3;"]
    let at = { (row: String) in
      BaselineTests.golangMigrate + "INSERT INTO schema_migrations VALUES (\(row))"
    }
    let (baseline, _) = try taken(files, at("2, false"), .golangMigrate)
    #expect(baseline.taken.map(\.version) == ["1", "2"] && baseline.pending.map(\.version) == ["10"])
    #expect(
      try refusal(files, at("2, true"), .golangMigrate).contains("golang-migrate has left unfinished: 2"))
    #expect(try refusal(files, at("3, false"), .golangMigrate).contains("no file for them: 3"))
    #expect(try refusal(files, BaselineTests.golangMigrate, .golangMigrate).contains("nothing is applied"))
  }

  @Test("takes dbmate's versions one by one, from the table that is named")
  func dbmateHistory() throws {
    let files = ["01_a.sql": "-- migrate:up\n", "02_b.sql": "-- migrate:up\n", "03_c.sql": "-- migrate:up\n"]
    let table = "CREATE SCHEMA app; " + BaselineTests.dbmate.replacing("schema_mig", with: "app.schema_mig")
    let rows = "INSERT INTO app.schema_migrations VALUES ('01'), ('02')"
    let (baseline, _) = try taken(files, table + rows, .dbmate, table: "app.schema_migrations")
    #expect(baseline.taken.map(\.version) == ["01", "02"])
    let gap = BaselineTests.dbmate + "INSERT INTO schema_migrations VALUES ('01'), ('03')"
    #expect(try refusal(files, gap, .dbmate).contains("knows nothing of them: 02 b"))
  }

  private static let plan = """
    %project=fees

    f 2026-01-31T12:00:00Z A <a@b.c>
    @v1 2026-01-31T12:00:00Z A <a@b.c>
    add-g 2026-01-31T12:00:00Z A <a@b.c>
    f [f@v1] 2026-01-31T12:00:00Z A <a@b.c>
    """

  @Test("takes sqitch's changes, a reworked one as often as it was deployed, of the folder's own project")
  func sqitchHistory() throws {
    let files = [
      "sqitch.plan": BaselineTests.plan, "deploy/f.sql": "SELECT 2;", "deploy/f@v1.sql": "SELECT 1;",
      "deploy/add-g.sql": "SELECT 3;",
    ]
    let rows = { (names: [String]) in
      BaselineTests.sqitch
        + names.enumerated().map { place, name in
          "INSERT INTO sqitch.changes (change_id, change, project) VALUES ('\(place)', \(name));"
        }.joined()
    }
    let two = try taken(files, rows(["'f', 'fees'", "'x', 'other'", "'add-g', 'fees'"]), .sqitch).0
    #expect(two.taken.map(\.version) == ["f", "add-g"] && two.pending.map(\.version) == ["f#2"])
    let all = try taken(files, rows(["'f', 'fees'", "'add-g', 'fees'", "'f', 'fees'"]), .sqitch).0
    #expect(all.taken.map(\.version) == ["f", "add-g", "f#2"])
    #expect(
      try refusal(files, rows(["'f', 'fees'", "'h', 'fees'"]), .sqitch).contains("no file for them: h"))
    #expect(
      try refusal(files, rows(["'f', 'p'", "'h', 'q'"]), .sqitch).contains("holds several projects, p, q"))
    let converted = ["0001_f.sql": "-- rivulet:up\n", "0002_add_g.sql": "-- rivulet:up\n"]
    #expect(try taken(converted, rows(["'f', 'fees'", "'add-g', 'fees'"]), .sqitch).0.taken.count == 2)
  }

  @Test("finds files for Liquibase's changesets by file or by number, and lists those it does not find")
  func liquibaseHistory() throws {
    let files = [
      "0001_a.sql": "-- rivulet:up\n", "0002_b.sql": "-- rivulet:up\n", "0003_c.sql": "-- rivulet:up\n",
    ]
    let rows = { (names: [String]) in
      BaselineTests.liquibase
        + names.enumerated().map { place, name in
          "INSERT INTO databasechangelog VALUES (\(name), now(), \(place), 'EXECUTED');"
        }.joined()
    }
    let changesets = ["'x', 'me', 'db/0001_a.xml'", "'y', 'me', 'db/0001_a.xml'", "'2', 'me', 'db/all.xml'"]
    #expect(try taken(files, rows(changesets), .liquibase).0.taken.map(\.version) == ["0001", "0002"])
    #expect(
      try refusal(files, rows(changesets + ["'z', 'me', 'db/all.xml'"]), .liquibase)
        .contains("no file for them: db/all.xml::z::me"))
  }
}
