import Host
import TestSupport
import Testing

@testable import MigrationEngine

/// Values of placeholders: sent to the server, and kept nowhere.
@Suite("Placeholders")
struct PlaceholderTests {
  private static let files = [
    "V1__a.sql": "CREATE TABLE a (t text DEFAULT '${secret}');",
    "V2__b.sql": "CREATE INDEX CONCURRENTLY b ON a ((t || '${secret}'));\nSELECT '${secret}';",
    "U2__b.sql": "DROP INDEX b; ALTER TABLE a ALTER t SET DEFAULT 'back ${secret}';",
    "R__c.sql": "CREATE OR REPLACE VIEW c AS SELECT '${secret}' AS s;",
  ]

  /// What the schema rivulet holds, as one text.
  private func kept(_ folder: OwnMigrations) throws -> String {
    let all = """
      SELECT string_agg(format('SELECT t::text FROM rivulet.%I t', tablename), ' UNION ALL ') FROM pg_tables
      WHERE schemaname = 'rivulet'
      """
    let rows = try #require(try folder.database.value(all))
    return try #require(try folder.database.value("SELECT string_agg(t, E'\\n') FROM (\(rows)) r (t)"))
  }

  @Test("are in no history, no journal and no checksum, and a rotated value is no change")
  func nothingIsKept() throws {
    let folder = try OwnMigrations(PlaceholderTests.files)
    #expect(try folder.labelsUp(["secret": "hunter2"]) == ["1 a", "2 b", "R c"])
    #expect(try folder.database.value("INSERT INTO a DEFAULT VALUES RETURNING t") == "hunter2")
    let kept = try kept(folder)
    #expect(kept.contains("${secret}"))
    #expect(!kept.contains("hunter2"))
    #expect(try folder.labelsUp(["secret": "another"]) == [])
    // What only asks needs no value.
    #expect(try folder.engine().status().isInStep)
    #expect(try folder.engine().finding("2").difference == "")
  }

  @Test("are put in on the way back, too, also when the files are gone")
  func back() throws {
    let folder = try OwnMigrations(PlaceholderTests.files)
    #expect(try folder.labelsUp(["secret": "hunter2"]).count == 3)
    for name in ["V2__b.sql", "U2__b.sql"] { try Files.remove(folder.scratch.path + "/" + name) }
    let sentence = complaint { try folder.engine().down(.natural) { _, _ in } }
    #expect(sentence.contains("the placeholder ${secret} has no value: give it with --set secret=VALUE"))
    try folder.engine(placeholders: ["secret": "now"]).down(.natural) { _, _ in }
    #expect(try folder.database.value("INSERT INTO a DEFAULT VALUES RETURNING t") == "back now")
  }

  @Test("go on where a script stopped that runs statement by statement, with another value")
  func resumes() throws {
    let text = "SELECT '${secret}';\nCREATE INDEX CONCURRENTLY b ON a (t);"
    let folder = try OwnMigrations(["V1__b.sql": text])
    #expect(complaint { try folder.labelsUp(["secret": "hunter2"]) }.contains("42P01"))
    #expect(try !kept(folder).contains("hunter2"))
    try folder.execute("CREATE TABLE a (t text)")
    #expect(try folder.labelsUp(["secret": "hunter3"]) == ["1 b"])
  }

  @Test("are in no error, whose place is that of the file")
  func errors() throws {
    let folder = try OwnMigrations([
      "V1__a.sql": "SELECT '${secret}',\n  '${secret}' || ${secret}_x, nothing;"
    ])
    let sentence = complaint { try folder.labelsUp(["secret": "hunter2"]) }
    #expect(sentence.hasPrefix("V1__a.sql:2:18: ERROR 42703"), "\(sentence)")
    #expect(sentence.contains("${secret}_x"))
    #expect(!sentence.contains("hunter2"))
  }

  @Test("without a value are refused with their place, before anything is run")
  func missing() throws {
    let folder = try OwnMigrations(["V1__a.sql": "SELECT 1;", "V2__b.sql": "-- a\nSELECT '${who}';"])
    let sentence = complaint { try folder.labelsUp() }
    #expect(sentence.hasPrefix("V2__b.sql:2:9: the placeholder ${who} has no value: give it with --set who="))
    #expect(try folder.engine().status().applied.isEmpty)
  }

  @Test("without values are named all at once, of a file and of several")
  func severalMissing() throws {
    let folder = try OwnMigrations([
      "V1__a.sql": "SELECT '${one}', '${two}', '${one}';", "V2__b.sql": "SELECT '${three}';",
    ])
    #expect(
      complaint { try folder.labelsUp() }.contains(
        "the placeholders ${one}, ${two} have no values\n\(folder.scratch.path)/V2__b.sql:1:9: "
          + "the placeholder ${three} has no value"))
  }

  @Test("have the values that Flyway gives itself")
  func defaults() throws {
    let folder = try OwnMigrations([
      "V1__a.sql": """
      CREATE TABLE a AS SELECT '${flyway:user}' = current_user AS u, '${flyway:database}' = current_database() AS d,
        '${flyway:defaultSchema}' AS s, '${flyway:timestamp}'::timestamp > 'yesterday' AS t, '${flyway:filename}' AS f,
        '${flyway:table}' AS h, '${flyway:workingDirectory}' AS w, '${flyway:environment}' AS e;
      """
    ])
    #expect(try folder.labelsUp() == ["1 a"])
    #expect(
      try folder.database.value("SELECT (u, d, s, t, f, h)::text FROM a")
        == "(t,t,public,t,V1__a.sql,flyway_schema_history)")
    #expect(try folder.database.value("SELECT w || ' ' || e FROM a") == Path.current + " default")
    #expect(try folder.engine().status().isInStep)
  }

  @Test("are in our own files where a section says so, and nowhere else")
  func own() throws {
    let folder = try OwnMigrations([
      "0001_a.sql":
        "-- rivulet:up placeholders=on\nCREATE TABLE ${name} (t text);\n-- rivulet:down placeholders=on\n"
        + "DROP TABLE ${name};",
      "0002_b.sql": "-- rivulet:up\nCREATE TABLE b AS SELECT '${name}' AS t;",
    ])
    #expect(try folder.labelsUp(["name": "a"]) == ["0001 a", "0002 b"])
    #expect(try folder.database.value("SELECT t FROM b") == "${name}")
    #expect(try folder.engine().status().isInStep)
  }

  @Test("are found by psql's rules in scripts of sqitch")
  func psql() throws {
    let text = """
      CREATE TABLE :"schema name".a (t text DEFAULT :'secret', n int DEFAULT 1::int, m text DEFAULT ':secret');
      -- :secret
      SELECT (ARRAY[1,2])[1:2];
      """
    let filled = try FilledText(text, .psql) { name, _ in ["schema name": "s", "secret": "it's"][name] }
    #expect(
      filled.text
        == text.replacing(":\"schema name\"", with: "\"s\"").replacing(":'secret'", with: "'it''s'"))
    #expect(filled.kept(0..<filled.text.utf8.count) == text)
  }
}
