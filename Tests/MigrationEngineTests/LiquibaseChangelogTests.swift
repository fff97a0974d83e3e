import TestSupport
import Testing

@testable import MigrationEngine

/// Folders of Liquibase with a changelog that names the scripts.
@Suite("Changelogs of Liquibase that name files")
struct LiquibaseChangelogTests {
  private static func script(_ id: String, _ sql: String) -> String {
    "--liquibase formatted sql\n--changeset ann:\(id)\n\(sql)\n"
  }

  private static let scripts = [
    "1_rows.sql": script("rows", "INSERT INTO ${table} VALUES (1);"),
    "tables/b.sql": script("b", "CREATE VIEW b AS SELECT n FROM a;"),
    "tables/a.sql": script("a", "CREATE TABLE ${table} (n int);"),
    "plain.sql": "INSERT INTO a VALUES (2);\n",
  ]

  private static let yaml = """
    databaseChangeLog:
      # In this order.
      - property:
          name: table
          value: "a"
      - property: 
          name: table
          value: other
          dbms: mysql
      - includeAll:
          path: tables # both
          relativeToChangelogFile: true
      - include:
          file: plain.sql
          context: prod
      -
        include:
          file: "classpath:/1_rows.sql"

    """

  private static let xml = """
    <?xml version="1.0"?>
    <databaseChangeLog xmlns="x"
        xsi:schemaLocation="y">
      <!-- <include file="gone.sql"/> -->
      <property name="table" value='a'/>
      <include file="nested/tables.yml"
               relativeToChangelogFile="true"/>
      <include file="/plain.sql"/><include file="1_rows.sql" />
    </databaseChangeLog>
    """

  private static let nested = """
    databaseChangeLog:
    - includeAll:
        path: ../tables/
        relativeToChangelogFile: true
    """

  @Test(
    "give the order, in YAML and in XML, one naming another, with files of SQL alone",
    arguments: [["master.yaml": yaml], ["master.xml": xml, "nested/tables.yml": nested]])
  func order(changelogs: [String: String]) throws {
    let folder = try OwnMigrations(LiquibaseChangelogTests.scripts.merging(changelogs) { $1 })
    #expect(try folder.open().format == .liquibase)
    #expect(
      try folder.labelsUp() == ["ann:a a", "ann:b b", "includeAll:raw plain", "ann:rows rows"])
    #expect(try folder.database.value("SELECT string_agg(n::text, ' ' ORDER BY ctid) FROM a") == "2 1")
    #expect(try folder.engine().status().isInStep)
  }

  @Test("name files from a folder above")
  func above() throws {
    let scratch = try Scratch()
    try scratch.write("db/log/b.sql", LiquibaseChangelogTests.script("1", "CREATE TABLE a (n int);"))
    try scratch.write("db/log/a.sql", LiquibaseChangelogTests.script("2", "DROP TABLE a;"))
    try scratch.write(
      "db/log/m.yaml",
      "databaseChangeLog:\n- include:\n    file: db/log/b.sql\n- includeAll:\n    path: db/log\n")
    let folder = try MigrationFolder.open(scratch.path + "/db/log")
    #expect(folder.complaints.isEmpty && folder.migrations.map(\.version) == ["ann:1", "ann:2"])
  }

  @Test("go by paths as one text where there are none, as Liquibase does")
  func paths() throws {
    let folder = try OwnMigrations([
      "a/z.sql": LiquibaseChangelogTests.script("4", ""), "a/Z.sql": LiquibaseChangelogTests.script("3", ""),
      "a-b/c.sql": LiquibaseChangelogTests.script("2", ""),
      "B/d.sql": LiquibaseChangelogTests.script("1", ""),
    ])
    #expect(try folder.open().migrations.map(\.version) == ["ann:1", "ann:2", "ann:3", "ann:4"])
  }

  @Test("are run once where they ask to run on each change; the change is an edit")
  func onChange() throws {
    let text = LiquibaseChangelogTests.script(
      "f runOnChange:true", "CREATE OR REPLACE VIEW a AS SELECT 1 AS n;")
    let folder = try OwnMigrations(["a.sql": text])
    #expect(try folder.labelsUp() == ["ann:f f"])
    try folder.scratch.write("a.sql", text.replacing("1 AS", with: "2 AS"))
    #expect(complaint { try folder.labelsUp() }.contains("applied migrations were edited since: ann:f"))
    _ = try folder.engine().mark("ann:f", .pending, reason: "its view has changed")
    #expect(try folder.labelsUp() == ["ann:f f"])
    #expect(try folder.database.value("SELECT n FROM a") == "2")
  }

  @Test(
    "say what cannot be followed",
    arguments: [
      ("- include:\n    file: b.sql\n", "m.yaml:2: 'b.sql' is not in this folder"),
      (
        "- include:\n    file: ../../a.sql\n    relativeToChangelogFile: true\n",
        "'../../a.sql' is not in this folder"
      ),
      (
        "- includeAll:\n    path: .\n    filter: x.Y\n",
        "m.yaml:2: rivulet does not know 'filter' in a changelog"
      ),
      (
        "- preConditions:\n  - dbms:\n      type: postgresql\n# include\n",
        "m.yaml:2: rivulet does not know 'preConditions'"
      ),
      ("- include: a.sql\n", "m.yaml:2: rivulet does not know 'include: a.sql'"),
      ("# include\n", "a.sql: no changelog names this file"),
    ])
  func refusals(entry: String, sentence: String) throws {
    let folder = try OwnMigrations([
      "a.sql": LiquibaseChangelogTests.script("1", "SELECT 1;"), "m.yaml": "databaseChangeLog:\n" + entry,
    ])
    let found = complaint { try folder.open().requireRunnable() }
    #expect(found.contains(sentence), "\(found)")
  }

  @Test("are one that names the others")
  func several() throws {
    let text = "databaseChangeLog:\n- include:\n    file: a.sql\n"
    let folder = try OwnMigrations([
      "a.sql": LiquibaseChangelogTests.script("1", "SELECT 1;"), "m.yaml": text, "n.yaml": text,
    ])
    let found = complaint { try folder.open().requireRunnable() }
    #expect(found.contains("n.yaml: one of several changelogs that name files"), "\(found)")
  }
}
